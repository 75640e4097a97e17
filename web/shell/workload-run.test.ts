import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { waitForState } from '../contract/test-fixtures/wait-for-state';
import { reasonAgainst } from '../session/command-registry';
import { fakeEngines } from '../session/test-fixtures/session-for-test';
import { pageForTest } from './page-fixture';

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function pageWithWorkload() {
  const { session, state, workload } = pageForTest({ loaders: fakeEngines().loaders });
  const editing = await workload.load();
  return { session, state, editing };
}

test('Run makes the source the shown scenario, beside the editor', async () => {
  const { state, editing } = await pageWithWorkload();
  editing.open('sharded-counter');
  await editing.run();
  expect(state()).toMatchObject({
    view: 'workload',
    workload: { side: 'run' },
    draft: { scenario: 'workload', platform: 'virtual', design: { shards: 'one' }, threads: 48 },
    scenario: { manifest: { title: 'Sharded counter' } },
  });
});

test('an error in the editor changes nothing of the run, and Run says why it is not available', async () => {
  const { session, state, editing } = await pageWithWorkload();
  await editing.run();
  const { scenario, spec, run_state: runState } = state();
  editing.edit('workload "broken"');
  await waitForState(() => expect(state().workload.checked?.errors).not.toEqual([]));
  expect(reasonAgainst(session.commands.find('workload.run'), state())).toBe('the source has errors');
  await expect(editing.run()).rejects.toThrow('line 1');
  expect(state()).toMatchObject({ scenario, spec, run_state: runState });
});

test('the next run keeps the design that the new source still has', async () => {
  const { session, state, editing } = await pageWithWorkload();
  editing.open('sharded-counter');
  await editing.run();
  await session.stop();
  session.editDraft({ design: { shards: 'eight' } });
  editing.edit(state().scenario.manifest.workload!.source!.replace('client[48]', 'client[12]'));
  await editing.run();
  expect(state().draft).toMatchObject({ design: { shards: 'eight' }, threads: 12 });
  await session.stop();
  editing.open('one-mutex');
  await editing.run();
  expect(state().draft.design).toEqual({ lookup_under: 'mutex' });
});
