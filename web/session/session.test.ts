import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { MissingCapabilities } from '../engine-client/capabilities';
import type { EngineLoader } from '../engine-client/engine-host';
import type { Platform } from '../contract/platforms';
import { ThreadsHost } from '../engine-client/threads-host';
import { pauseMark } from '../engine-client/test-fixtures/pause-mark';
import { FakeEngine, type FakeEngineOptions } from '../engine-client/test-fixtures/fake-engine';
import { historyColumns, type HistoryRow } from '../recording/history';
import { firstRunSpec } from './first-run';
import { firstRunLink, parseLink } from './link';
import { isFirstRunShown } from './store';
import { Session } from './session';
import { fil_mutex, machine, scenarios, undo_read } from '../contract/test-fixtures';

const runResult = {
  version: 1,
  intervals: [],
  totals: { seconds: 1, transactions: 7, latency_ms: {} },
  counters: {},
};
const spec = { version: 1, scenario: fil_mutex.manifest.id };
const anotherScenario = undo_read.manifest.id;

let frames: FrameRequestCallback[];
beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

let enginesOfTest: FakeEngine[];
async function passFrames(count = 5): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    for (const engine of enginesOfTest) engine.passMoment();
    for (const callback of frames.splice(0)) callback(i * 16);
    for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
  }
}

async function stop(session: Session, framesNeeded = 5): Promise<void> {
  const stopped = session.stop();
  await passFrames(framesNeeded);
  await stopped;
}

const runSpecOf = (session: Session) => session.store.getState().draftSpec!;

const nothingMissing: MissingCapabilities = { threads: [], virtual: [] };

function sessionWithEngines(
  missing = nothingMissing,
  platforms = machine.platforms,
  options: FakeEngineOptions | 'never' = { runResult },
) {
  const engines: FakeEngine[] = [];
  enginesOfTest = engines;
  const load: EngineLoader = ({ onFailure }) => {
    if (options === 'never') return new Promise(() => undefined);
    engines.push(new FakeEngine(options));
    return Promise.resolve(new ThreadsHost(engines.at(-1)!.module, onFailure));
  };
  const session = new Session({
    scenarios,
    machine: { ...machine, platforms },
    clockStepNs: 5000,
    missing,
    loaders: { threads: load, virtual: load },
  });
  return { session, engines, state: () => session.store.getState() };
}

test('a run resolves with its result', async () => {
  const { session, state } = sessionWithEngines();
  const run = session.run(spec);
  await passFrames();
  expect(state().run_state).toBe('running');
  await stop(session);
  expect(await run).toEqual(runResult);
  expect(state()).toMatchObject({ run_state: 'finished', result: runResult, commandsOutstanding: 0 });
});

test('a knob that the script turns while a command is outstanding shows once the command has settled', async () => {
  const { session, engines, state } = sessionWithEngines();
  const run = session.run(spec);
  await passFrames();
  const { knobs, actions } = state().scenario.manifest;
  const engine = engines[0]!;
  const fired = session.fire(actions[0]!.id);
  engine.block.addMark({ ...pauseMark, kind: 'knob', subject: 0, value: 2, is_by_hand: false });
  for (const callback of frames.splice(0)) callback(0);
  const before = state().draft.design[knobs[0]!.id];
  await passFrames();
  await fired;
  expect(before).toBe(state().scenario.manifest.designs.original![knobs[0]!.id]);
  expect(state().draft.design[knobs[0]!.id]).toBe(knobs[0]!.variants[2]!.id);
  await stop(session);
  await run;
});

test('a second run is refused while one goes on', async () => {
  const { session } = sessionWithEngines();
  const running = session.run(spec);
  await passFrames();
  await expect(session.run(spec)).rejects.toMatchObject({ errors: [{ field: 'run', value: 'going' }] });
  await stop(session);
  await running;
});

test('of several runs requested at once the first starts, and the others are refused', async () => {
  const { session, engines, state } = sessionWithEngines(nothingMissing, machine.platforms, {
    runResult,
    moments: 2,
  });
  const first = session.run({ ...spec, threads: 3 });
  const ways = [
    () => session.run(spec),
    () => session.runDraft(),
    () => session.startRun(runSpecOf(session)),
  ];
  const beginSeries = () =>
    new Promise((resolve) => resolve(session.beginSeries('sweep', () => Promise.resolve())));
  for (const start of [...ways, beginSeries]) {
    await expect(start()).rejects.toMatchObject({
      name: 'CommandRefused',
      message: 'A run is still active. Stop it first.',
      errors: [{ field: 'run', value: 'starting' }],
    });
  }
  await passFrames(20);
  expect(state()).toMatchObject({ run_state: 'running', runLock: 'going', spec: { threads: 3 } });
  await stop(session, 20);
  expect(await first).toEqual(runResult);
  expect(state().runLock).toBe('none');
  expect(engines[0]!.refused).toEqual([]);
});

test('a run of a series tells whether the page was hidden meanwhile', async () => {
  const { session } = sessionWithEngines(nothingMissing, machine.platforms, {
    runResult,
    runMoments: 6,
  });
  const series = session.beginSeries('sweep', () => Promise.resolve());
  const reportOf = async (hidesPage: boolean) => {
    const report = series.workers[0]!.run({ ...runSpecOf(session), duration_s: 1 });
    await passFrames();
    if (hidesPage) session.breakLines();
    await passFrames(30);
    return report;
  };
  expect([await reportOf(true), await reportOf(false)]).toMatchObject([
    { wasHidden: true },
    { wasHidden: false },
  ]);
});

describe('a run that is stopped before it has begun', () => {
  test.each<[string, FakeEngineOptions | 'never']>([
    ['while the engine is being loaded', 'never'],
    ['while the server is being built', { runResult, moments: 2 }],
  ])('%s does not begin, and the next one can', async (_, engine) => {
    const { session, engines, state } = sessionWithEngines(nothingMissing, machine.platforms, engine);
    const run = session.run(spec);
    const refused = expect(run).rejects.toThrow('The run was stopped before it began.');
    if (engine !== 'never') await passFrames(3);
    const stopped = session.stop();
    await expect(session.stop()).rejects.toThrow('The run is stopping.');
    await passFrames(20);
    await Promise.all([stopped, refused]);
    expect(state()).toMatchObject({ runLock: 'none', run_state: 'idle', refusals: [] });
    if (engine === 'never') return;
    const next = session.run(spec);
    await passFrames(20);
    await stop(session, 20);
    expect(await next).toEqual(runResult);
    expect(engines[0]!.refused).toEqual([]);
  });
});

test('a knob that is turned while the run is starting is turned in the run, too', async () => {
  const { session, engines } = sessionWithEngines();
  const run = session.run(spec);
  const turned = session.setKnob('tablespace_lookup', 'atomic_word');
  await passFrames();
  await turned;
  expect(engines[0]!.block.header('commands_done')).toBe(3);
  await stop(session);
  await run;
});

test.each(['pause', 'resume', 'stop'] as const)(
  '%s without a run is refused, on any platform',
  async (name) => {
    const { session, state } = sessionWithEngines();
    for (const platform of ['virtual', 'threads'] as const) {
      await session.openPlatform(platform);
      await expect(session[name]()).rejects.toMatchObject({
        message: 'No run is active.',
        errors: [{ field: name, value: 'idle' }],
      });
      expect(state().refusals).toEqual(['No run is active.']);
    }
  },
);

test('an engine that fails while a server is being built rejects the run, and a fresh one runs', async () => {
  const { session, engines, state } = sessionWithEngines(nothingMissing, machine.platforms, {
    runResult,
    moments: 3,
  });
  const rejected = expect(session.run(spec)).rejects.toThrow('out of luck');
  await passFrames(3);
  engines[0]!.fail('out of luck');
  await passFrames();
  await rejected;
  expect(engines[0]!.isTerminated).toBe(true);
  const next = session.run(spec);
  await passFrames(20);
  expect(state()).toMatchObject({ run_state: 'running', runLock: 'going' });
  await stop(session, 20);
  await next;
});

test.each([
  ['a scenario', (session: Session) => session.openScenario('__proto__'), 'scenario'],
  ['a platform', (session: Session) => session.openPlatform('__proto__' as Platform), 'platform'],
  ['a knob', (session: Session) => session.setKnob('constructor', 'toString'), 'knob'],
])('%s that is a name of every object is refused', async (_, open, field) => {
  const { session, state } = sessionWithEngines();
  const before = state();
  await expect(open(session)).rejects.toMatchObject({ errors: [{ field }] });
  expect(state()).toMatchObject({ draft: before.draft, scenario: before.scenario, runLock: 'none' });
});

test.each([
  ['no_such_knob', 'atomic_word', 'knob'],
  ['tablespace_lookup', 'magic', 'design.tablespace_lookup'],
])('a knob that cannot be turned is named: %s to %s', async (knob, variant, field) => {
  const { session, state } = sessionWithEngines();
  const designBefore = state().draft.design;
  await expect(session.setKnob(knob, variant)).rejects.toMatchObject({ errors: [{ field }] });
  expect(state().draft.design).toBe(designBefore);
});

test('an engine that fails is replaced, and the page says why', async () => {
  const { session, engines, state } = sessionWithEngines();
  const run = session.run(spec);
  const rejected = expect(run).rejects.toThrow('pins > 0');
  await passFrames();
  engines[0]!.block.setFailureText('pins > 0');
  engines[0]!.block.setRunState('failed');
  await passFrames();
  await rejected;
  expect(engines).toHaveLength(2);
  expect(state()).toMatchObject({ run_state: 'idle', engine_status: 'ready', engine_failure: 'pins > 0' });

  const nextRun = session.run(spec);
  await passFrames();
  expect(state()).toMatchObject({ run_state: 'running', engine_failure: null });
  await stop(session);
  await nextRun;
});

test('a page that cannot run the engine does not load it', async () => {
  const threads = [{ capability: 'Threads', explanation: 'It is missing.', remedy: 'Get it.' }];
  const { session, engines } = sessionWithEngines({ threads, virtual: [] });
  await expect(session.engine()).rejects.toThrow('It is missing. Get it.');
  expect(engines).toEqual([]);
});

test('faults that only the engine finds appear at their fields', async () => {
  const { session, engines, state } = sessionWithEngines();
  await session.engine();
  const error = { field: 'parameters.rows_per_table', value: '100000', allowed: 'up to 9375' };
  engines[0]!.checkErrors = JSON.stringify([error]);
  session.editDraft({ parameters: { ...state().draft.parameters, tables: 64, rows_per_table: 100_000 } });
  await passFrames(1);
  expect(state().draftErrors).toEqual([error]);
  await expect(session.runDraft()).rejects.toMatchObject({ errors: [error] });
});

test('what the server logs is kept, line by line', async () => {
  const { session, engines, state } = sessionWithEngines();
  const run = session.run(spec);
  await passFrames();
  const { block } = engines[0]!;
  block.addLogLine('# Query_time: 6.317686');
  await passFrames(1);
  block.addLogLine('COMMIT;');
  await passFrames(1);
  expect(state().server_log).toEqual({ lines: ['# Query_time: 6.317686', 'COMMIT;'], left_out: 0 });
  void session.stop();
  await passFrames();
  await run;
});

describe('another scenario', () => {
  test('is shown with its defaults', async () => {
    const { session, state } = sessionWithEngines();
    await session.openScenario(anotherScenario);
    expect(state()).toMatchObject({
      scenario: undo_read,
      draft: { scenario: anotherScenario, design: undo_read.manifest.designs.original },
      draftErrors: [],
      spec: null,
    });
  });

  test('is shown after the run that goes on has stopped, and forgets that run', async () => {
    const { session, state } = sessionWithEngines();
    const run = session.run(spec);
    await passFrames();
    const opened = session.openScenario(anotherScenario);
    expect(state()).toMatchObject({ scenario: fil_mutex, opening: { scenario: anotherScenario } });
    await passFrames();
    await opened;
    expect(await run).toEqual(runResult);
    expect(state()).toMatchObject({ scenario: undo_read, opening: null, run_state: 'idle', result: null });
  });

  test('of several requested while a run stops, the last one is shown', async () => {
    const { session, state } = sessionWithEngines();
    void session.run(spec);
    await passFrames();
    const opened = [session.openScenario(anotherScenario), session.openScenario(fil_mutex.manifest.id)];
    await passFrames();
    await Promise.all(opened);
    expect(state()).toMatchObject({ scenario: fil_mutex, opening: null });
  });

  test('is shown when one of its specs is run', async () => {
    const { session, state } = sessionWithEngines();
    const run = session.run({ version: 1, scenario: anotherScenario });
    await passFrames();
    expect(state()).toMatchObject({ scenario: undo_read, run_state: 'running' });
    await stop(session);
    await run;
  });

  test('is not shown when its spec is refused because a run goes on', async () => {
    const { session, state } = sessionWithEngines();
    const running = session.run(spec);
    await passFrames();
    const refused = session.run({ version: 1, scenario: anotherScenario });
    await expect(refused).rejects.toMatchObject({ errors: [{ field: 'run', value: 'going' }] });
    expect(state().scenario).toBe(fil_mutex);
    await stop(session);
    await running;
  });

  test('is shown by a link, and no link shows the start page', async () => {
    const { session, state } = sessionWithEngines();
    const link = parseLink(`v=1&scenario=${anotherScenario}&threads=5`, scenarios, machine);
    await session.openLink(link);
    expect(state()).toMatchObject({ view: 'explorer', scenario: undo_read, draft: { threads: 5 } });
    await session.openLink(null);
    expect(state()).toMatchObject({ view: 'front', scenario: undo_read });
  });

  test('is started by a link that says so, after the run that goes on has stopped', async () => {
    const { session, state } = sessionWithEngines();
    const run = session.run(spec);
    await passFrames();
    const opened = session.openLink(parseLink(firstRunLink(anotherScenario), scenarios, machine));
    await passFrames();
    await opened;
    await run;
    const { platform } = firstRunSpec(undo_read.manifest, machine);
    expect(state()).toMatchObject({
      view: 'explorer',
      run_state: 'running',
      firstRun: { scenario: anotherScenario, platform },
      spec: firstRunSpec(undo_read.manifest, machine),
    });
    expect(isFirstRunShown(state())).toBe(true);
  });

  test('is started by a link in place of a run of its own', async () => {
    const { session, state } = sessionWithEngines();
    const run = session.run(spec);
    await passFrames();
    const link = `v=1&scenario=${fil_mutex.manifest.id}&threads=3&run=1`;
    const opened = session.openLink(parseLink(link, scenarios, machine));
    await passFrames();
    await opened;
    await run;
    expect(state()).toMatchObject({ run_state: 'running', spec: { threads: 3 }, firstRun: null });
  });

  test('that does not exist is named', async () => {
    const { session } = sessionWithEngines();
    await expect(session.openScenario('nothing')).rejects.toMatchObject({
      errors: [{ field: 'scenario', value: 'nothing' }],
    });
  });
});

describe('the previous run', () => {
  async function runOnce(session: Session, given: object, endS: number) {
    const run = session.run(given);
    await passFrames();
    const row = Object.fromEntries(historyColumns.map((name) => [name, endS])) as HistoryRow;
    session.history.append(row);
    await stop(session);
    await run;
  }

  test('is kept for the charts when another one begins, and the charts begin anew', async () => {
    const { session, state } = sessionWithEngines();
    await runOnce(session, { ...spec, threads: 3 }, 7);
    expect(state().previousRun).toBeNull();
    session.store.setState({ chart: { ...state().chart, zoom: { fromS: 1, toS: 2 } } });
    session.pointing.setState({ tS: 1 });
    await runOnce(session, spec, 9);
    expect(state().previousRun).toMatchObject({ design: 'MySQL 5.6 (the bug)', threads: 3 });
    expect(state().previousRun!.history.endS).toBe(7);
    expect(state().chart.zoom).toBeNull();
    expect(session.pointing.getState().tS).toBeNull();
  });

  test('is one of the same scenario and platform', async () => {
    const { session, state } = sessionWithEngines();
    await runOnce(session, spec, 7);
    await runOnce(session, { version: 1, scenario: anotherScenario }, 8);
    expect(state().previousRun).toBeNull();
    await runOnce(session, spec, 9);
    expect(state().previousRun!.history.endS).toBe(7);
  });
});

describe('another platform', () => {
  test('is shown with its defaults and the same design, by an engine of its own', async () => {
    const { session, engines, state } = sessionWithEngines();
    await session.engine();
    await session.setKnob('tablespace_lookup', 'atomic_word');
    await session.openPlatform('virtual');
    await session.engine();
    expect(engines).toHaveLength(2);
    expect(state()).toMatchObject({
      engine_status: 'ready',
      draft: {
        platform: 'virtual',
        threads: 54,
        interval_s: 0.02,
        design: { tablespace_lookup: 'atomic_word' },
      },
    });
    await session.openScenario(anotherScenario);
    expect(state().draft.platform).toBe('virtual');
  });

  test('is shown after the run that goes on has stopped', async () => {
    const { session, state } = sessionWithEngines();
    const run = session.run(spec);
    await passFrames();
    const opened = session.openPlatform('virtual');
    expect(state()).toMatchObject({ draft: { platform: 'threads' }, opening: { platform: 'virtual' } });
    await passFrames();
    await opened;
    await run;
    expect(state()).toMatchObject({ draft: { platform: 'virtual' }, run_state: 'idle', result: null });
  });

  test('that this page lacks is refused with the reason', async () => {
    const threads = [{ capability: 'Isolation', explanation: 'Not isolated.', remedy: 'Isolate.' }];
    const { session, state } = sessionWithEngines({ threads, virtual: [] }, ['virtual']);
    expect(state().draft.platform).toBe('virtual');
    await expect(session.openPlatform('threads')).rejects.toThrow(
      'platform is threads; allowed: unavailable',
    );
  });
});

test('a knob is not turned to a latch of the reader’s where there is none; a change of platform keeps it', async () => {
  const { session, state } = sessionWithEngines();
  await expect(session.setKnob('tablespace_lookup', 'yours')).rejects.toMatchObject({
    errors: [
      {
        field: 'design.tablespace_lookup',
        value: 'yours',
        allowed: /^yours with a latch \(the field latch\), or one of /,
      },
    ].map((error) => ({ ...error, allowed: expect.stringMatching(error.allowed) as string })),
  });
  expect(state().draft.design.tablespace_lookup).toBe('global_mutex');
  const latch = { source: '', program: { functions: {} } };
  session.editDraft({ latch });
  await session.setKnob('tablespace_lookup', 'yours');
  await session.openPlatform('virtual');
  expect(state()).toMatchObject({
    draftErrors: [],
    draftSpec: { latch, design: { tablespace_lookup: 'yours' } },
  });
});
