import { expect, test } from 'vitest';

import { undo_result } from '../contract/run-result-fixtures';
import { fil_mutex } from '../contract/test-fixtures';
import { pauseMark } from '../engine-client/test-fixtures/pause-mark';
import { parseLink } from '../session/link';
import { showDrawnRun } from '../session/test-fixtures/drawn-run';
import { automationOf } from './automation';
import { pageForTest } from './page-fixture';

const scenario = fil_mutex.manifest.id;

function scripted() {
  const page = pageForTest();
  return { ...page, latchscope: automationOf(page) };
}

test.each<[what: string, change: object, field: string]>([
  ['an unknown field', { colour: 1 }, 'colour'],
  ['too many clients', { threads: 65 }, 'threads'],
  ['a wrong duration', { duration_s: 0 }, 'duration_s'],
  ['an unknown server', { platform: 'virtual', server: 'pdp-11' }, 'server'],
  [
    'a wrong value of a server',
    { platform: 'virtual', server: { based_on: 'xeon-2020', pause_ps: 100_001 } },
    'server.pause_ps',
  ],
  ['too many clients of a modeled server', { platform: 'virtual', threads: 1025 }, 'threads'],
])('a run with %s is refused by field, and nothing changes', async (_what, change, field) => {
  const { latchscope, state } = scripted();
  const before = state().draft;
  await expect(latchscope.run({ version: 1, scenario, ...change })).rejects.toMatchObject({
    errors: [{ field }],
  });
  expect(state()).toMatchObject({ run_state: 'idle', runLock: 'none', draft: before });
});

test('comparisons and sweeps are refused by field', async () => {
  const { latchscope, state } = scripted();
  const plan = { version: 1, scenario, platform: 'virtual' };
  const refused = (errors: object[]) =>
    expect.objectContaining({
      errors: errors.map((error) => expect.objectContaining(error) as object),
    }) as object;
  await expect(latchscope.compare({ ...plan, repeats: 0 })).rejects.toEqual(refused([{ field: 'repeats' }]));
  await expect(latchscope.compare({ ...plan, with: { tablespace_lookup: 'x' } })).rejects.toEqual(
    refused([{ field: 'with.tablespace_lookup', value: 'x' }]),
  );
  await expect(latchscope.sweep({ ...plan, counts: [1, 5000] })).rejects.toEqual(
    refused([{ field: 'counts', value: '5000' }]),
  );
  await expect(latchscope.sweep({ ...plan, with: 'fixed' })).rejects.toEqual(refused([{ field: 'with' }]));
  expect(state()).toMatchObject({ run_state: 'idle', series: null });
});

test('the text of a workload file is compiled, and each of its errors has a line', async () => {
  const { latchscope, state } = scripted();
  const workload =
    'workload "x";\nknob k "?" { a = 1 "-"; b = 2 "-"; }\nthread t[2] {\ntransaction { work(1us * k); } }';
  await latchscope.openRun({ version: 1, workload: `\uFEFF${workload}`, threads: 1, platform: 'virtual' });
  expect(state()).toMatchObject({
    draft: { scenario: 'workload', workload: { source: workload }, threads: 1 },
    scenario: { manifest: { title: 'x' } },
  });
  const wrong = { version: 1, workload: workload.replace('1us * k', '4KiB') };
  for (const refused of [
    latchscope.run(wrong),
    latchscope.openRun(wrong),
    latchscope.compare({ ...wrong, with: 'fixed' }),
    latchscope.sweep(wrong),
    latchscope.whatIf({ ...wrong, study: { kind: 'profile' } }),
  ])
    await expect(refused).rejects.toMatchObject({
      errors: [
        { field: 'workload, line 4', allowed: expect.stringMatching(/^work takes a duration/) as string },
      ],
    });
  await expect(latchscope.run({ version: 1, scenario, workload })).rejects.toMatchObject({
    errors: [{ field: 'workload', allowed: 'omitted: only of scenario workload' }],
  });
});

test('what is no run result is refused by field', async () => {
  const { latchscope } = scripted();
  await expect(latchscope.openResult('[]')).rejects.toMatchObject({
    errors: [{ field: 'file', value: '[]' }],
  });
});

test('a run spec is shown as the next run, or refused by field', async () => {
  const { latchscope, state } = scripted();
  await latchscope.openRun({ version: 1, scenario, platform: 'virtual', design: 'fixed', threads: 7 });
  const { fixed } = fil_mutex.manifest.designs;
  const next = { scenario, platform: 'virtual', design: fixed, threads: 7 };
  expect(state()).toMatchObject({ view: 'explorer', run_state: 'idle', draft: next });
  await expect(latchscope.openRun({ version: 1, scenario: 'nothing' })).rejects.toMatchObject({
    errors: [{ field: 'scenario', value: 'nothing' }],
  });
  expect(state().draft).toMatchObject(next);
});

test('the text of a run result is that of its file', async () => {
  const { latchscope } = scripted();
  expect(latchscope.resultText()).toBeNull();
  const text = JSON.stringify(undo_result, null, 3);
  await latchscope.openResult(text);
  expect(latchscope.resultText()).toBe(text);
});

test('an error in the first link is refused by field, once the link is open', async () => {
  const { session, ...page } = pageForTest();
  const link = parseLink('#v=1&scenario=nothing', session.scenarios, session.store.getState().machine);
  await expect(automationOf({ session, ...page }).opened).resolves.toBeUndefined();
  const linkOpened = Promise.resolve().then(() => session.openLink(link));
  await expect(automationOf({ session, ...page }, linkOpened).opened).rejects.toMatchObject({
    errors: [{ field: 'scenario', value: 'nothing' }],
  });
});

test('a mark in a snapshot holds the engine’s words only', async () => {
  const { latchscope, session } = scripted();
  await showDrawnRun(session);
  const [knob] = latchscope.snapshot().marks;
  expect(knob).toEqual({ ...pauseMark, kind: 'knob', subject: 0, value: 2, run_ns: 1e7, step_ns: 1e7 });
});
