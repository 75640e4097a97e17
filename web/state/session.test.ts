import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { MissingCapabilities } from '../engine-client/capabilities';
import type { EngineModule } from '../engine-client/engine-module';
import { ThreadsHost } from '../engine-client/threads-host';
import type { RunState } from '../engine-client/snapshot';
import { layout } from '../engine-client/gen/telemetry-layout';
import { TelemetryBlock } from '../engine-client/test-fixtures/telemetry-block';
import { history_columns, type HistoryRow } from './history';
import { firstRunSpec } from './first-run';
import { firstRunLink, parseLink } from './link';
import { isFirstRunShown } from './store';
import { Session } from './session';
import { fil_mutex, machine, scenarios, undo_read } from './test-fixtures';

const run_result = { version: 1, totals: { seconds: 1, transactions: 7, latency_ms: {} }, counters: {} };
const spec = { version: 1, scenario: fil_mutex.manifest.id };
const another_scenario = undo_read.manifest.id;

let frames: FrameRequestCallback[];
beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function passFrames(count = 5): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    for (const callback of frames.splice(0)) callback(i * 16);
    for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
  }
}

/** An engine that carries out every command at once. */
class ObedientEngine {
  readonly block = new TelemetryBlock();
  check_errors = '[]';
  readonly module: EngineModule = {
    ccall: ((name: string) => this.#call(name)) as EngineModule['ccall'],
    wasmMemory: { buffer: this.block.buffer } as unknown as WebAssembly.Memory,
    PThread: { terminateAllThreads: () => undefined },
  };
  readonly #state_after: Record<string, RunState> = {
    latchscope_create: 'ready',
    latchscope_start: 'running',
    latchscope_pause: 'paused',
    latchscope_resume: 'running',
    latchscope_stop: 'finished',
  };

  #call(name: string): string | number | null {
    const answers: Record<string, string | number> = {
      latchscope_version: '{}',
      latchscope_telemetry: 0,
      latchscope_telemetry_bytes: layout.bytes,
      latchscope_check: this.check_errors,
      latchscope_result: JSON.stringify(run_result),
    };
    const run_state = this.#state_after[name];
    if (run_state === undefined) return answers[name] ?? null;
    this.block.setRunState(run_state);
    this.block.setHeader('commands_posted', this.block.header('commands_posted') + 1);
    this.block.setHeader('commands_done', this.block.header('commands_posted'));
    return 1;
  }
}

const nothing_missing: MissingCapabilities = { threads: [], virtual: [] };

function sessionWithEngines(missing = nothing_missing, platforms = machine.platforms) {
  const engines: ObedientEngine[] = [];
  const load = () => {
    engines.push(new ObedientEngine());
    return Promise.resolve(new ThreadsHost(engines.at(-1)!.module));
  };
  const session = new Session({
    scenarios,
    machine: { ...machine, platforms },
    clock_step_ns: 5000,
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
  await session.stop();
  await passFrames();
  expect(await run).toEqual(run_result);
  expect(state()).toMatchObject({ run_state: 'finished', result: run_result, commands_outstanding: 0 });
});

test('a second run is refused while one goes on', async () => {
  const { session } = sessionWithEngines();
  const running = session.run(spec);
  await passFrames();
  await expect(session.run(spec)).rejects.toMatchObject({ errors: [{ field: 'run', value: 'running' }] });
  await session.stop();
  await passFrames();
  await running;
});

test.each([
  ['no_such_knob', 'atomic_word', 'knob'],
  ['tablespace_lookup', 'magic', 'design.tablespace_lookup'],
])('a knob that cannot be turned is named: %s to %s', async (knob, variant, field) => {
  const { session, state } = sessionWithEngines();
  const design_before = state().draft.design;
  await expect(session.setKnob(knob, variant)).rejects.toMatchObject({ errors: [{ field }] });
  expect(state().draft.design).toBe(design_before);
});

test('an engine that fails is replaced, and the page says why', async () => {
  const { session, engines, state } = sessionWithEngines();
  const run = session.run(spec);
  const rejected = expect(run).rejects.toThrow('pins > 0');
  await passFrames();
  engines[0]!.block.setErrorText('pins > 0');
  engines[0]!.block.setRunState('failed');
  await passFrames();
  await rejected;
  expect(engines).toHaveLength(2);
  expect(state()).toMatchObject({ run_state: 'idle', engine_status: 'ready', engine_failure: 'pins > 0' });

  const next_run = session.run(spec);
  await passFrames();
  expect(state()).toMatchObject({ run_state: 'running', engine_failure: null });
  await session.stop();
  await passFrames();
  await next_run;
});

test('a page that lacks something loads no engine', async () => {
  const threads = [{ capability: 'Threads', explanation: 'It is missing.', remedy: 'Get it.' }];
  const { session, engines } = sessionWithEngines({ threads, virtual: [] });
  await expect(session.engine()).rejects.toThrow('It is missing. Get it.');
  expect(engines).toEqual([]);
});

test('limits that only the engine knows are kept at their fields', async () => {
  const { session, engines, state } = sessionWithEngines();
  await session.engine();
  const error = { field: 'parameters.rows_per_table', value: '100000', allowed: 'up to 9375' };
  engines[0]!.check_errors = JSON.stringify([error]);
  session.editDraft({ parameters: { ...state().draft.parameters, tables: 64, rows_per_table: 100_000 } });
  await passFrames(1);
  expect(state().draft_errors).toEqual([error]);
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
    await session.openScenario(another_scenario);
    expect(state()).toMatchObject({
      scenario: undo_read,
      draft: { scenario: another_scenario, design: undo_read.manifest.designs.original },
      draft_errors: [],
      spec: null,
    });
  });

  test('is shown after the run that goes on has stopped, and forgets that run', async () => {
    const { session, state } = sessionWithEngines();
    const run = session.run(spec);
    await passFrames();
    const opened = session.openScenario(another_scenario);
    expect(state()).toMatchObject({ scenario: fil_mutex, opening: { scenario: another_scenario } });
    await passFrames();
    await opened;
    expect(await run).toEqual(run_result);
    expect(state()).toMatchObject({ scenario: undo_read, opening: null, run_state: 'idle', result: null });
  });

  test('of several that are wished for while a run stops, the last one is shown', async () => {
    const { session, state } = sessionWithEngines();
    void session.run(spec);
    await passFrames();
    const opened = [session.openScenario(another_scenario), session.openScenario(fil_mutex.manifest.id)];
    await passFrames();
    await Promise.all(opened);
    expect(state()).toMatchObject({ scenario: fil_mutex, opening: null });
  });

  test('is shown when one of its specs is run', async () => {
    const { session, state } = sessionWithEngines();
    const run = session.run({ version: 1, scenario: another_scenario });
    await passFrames();
    expect(state()).toMatchObject({ scenario: undo_read, run_state: 'running' });
    await session.stop();
    await passFrames();
    await run;
  });

  test('is not shown when its spec is refused because a run goes on', async () => {
    const { session, state } = sessionWithEngines();
    const running = session.run(spec);
    await passFrames();
    const refused = session.run({ version: 1, scenario: another_scenario });
    await expect(refused).rejects.toMatchObject({ errors: [{ field: 'run', value: 'running' }] });
    expect(state().scenario).toBe(fil_mutex);
    await session.stop();
    await passFrames();
    await running;
  });

  test('is shown by a link, and no link shows the start page', async () => {
    const { session, state } = sessionWithEngines();
    const link = parseLink(`v=1&scenario=${another_scenario}&threads=5`, scenarios, machine);
    await session.openLink(link);
    expect(state()).toMatchObject({ view: 'explorer', scenario: undo_read, draft: { threads: 5 } });
    await session.openLink(null);
    expect(state()).toMatchObject({ view: 'front', scenario: undo_read });
  });

  test('is started by a link that says so, after the run that goes on has stopped', async () => {
    const { session, state } = sessionWithEngines();
    const run = session.run(spec);
    await passFrames();
    const opened = session.openLink(parseLink(firstRunLink(another_scenario), scenarios, machine));
    await passFrames();
    await opened;
    await run;
    const { platform } = firstRunSpec(undo_read.manifest, machine);
    expect(state()).toMatchObject({
      view: 'explorer',
      run_state: 'running',
      first_run: { scenario: another_scenario, platform },
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
    expect(state()).toMatchObject({ run_state: 'running', spec: { threads: 3 }, first_run: null });
  });

  test('that does not exist is named', async () => {
    const { session } = sessionWithEngines();
    await expect(session.openScenario('nothing')).rejects.toMatchObject({
      errors: [{ field: 'scenario', value: 'nothing' }],
    });
  });
});

describe('the run before', () => {
  async function runOnce(session: Session, given: object, end_s: number) {
    const run = session.run(given);
    await passFrames();
    const row = Object.fromEntries(history_columns.map((name) => [name, end_s])) as HistoryRow;
    session.history.append(row);
    await session.stop();
    await passFrames();
    await run;
  }

  test('is kept for the charts when another one begins, and the charts begin anew', async () => {
    const { session, state } = sessionWithEngines();
    await runOnce(session, { ...spec, threads: 3 }, 7);
    expect(state().run_before).toBeNull();
    session.store.setState({ chart: { ...state().chart, zoom: { from_s: 1, to_s: 2 } } });
    session.pointing.setState({ t_s: 1 });
    await runOnce(session, spec, 9);
    expect(state().run_before).toMatchObject({ design: 'original', threads: 3 });
    expect(state().run_before!.history.end_s).toBe(7);
    expect(state().chart.zoom).toBeNull();
    expect(session.pointing.getState().t_s).toBeNull();
  });

  test('is one of the same scenario and platform', async () => {
    const { session, state } = sessionWithEngines();
    await runOnce(session, spec, 7);
    await runOnce(session, { version: 1, scenario: another_scenario }, 8);
    expect(state().run_before).toBeNull();
    await runOnce(session, spec, 9);
    expect(state().run_before!.history.end_s).toBe(7);
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
    await session.openScenario(another_scenario);
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
    await expect(session.openPlatform('threads')).rejects.toThrow('platform is threads; allowed: not here');
  });
});
