import { describe, expect, test } from 'vitest';

import { defaultSettings } from './experiment-link';
import { settingsShown } from './experiments';
import { experimentsWith } from './test-fixtures';

test('a comparison ends with its outcome, which the page shows too', async () => {
  const { experiments, state } = experimentsWith();
  experiments.editComparison({ repeats: 3 });
  const outcome = await experiments.start('comparison');
  expect([outcome.runs.length, outcome.verdict]).toEqual([6, 'faster']);
  expect(state()).toMatchObject({
    comparison: outcome,
    batch: null,
    series: null,
    announcement: 'Comparison done',
  });
});

test('a sweep ends with its curves', async () => {
  const { experiments, state } = experimentsWith();
  experiments.editSweep({ counts: '1,2', repeats: 1 });
  const outcome = await experiments.start('sweep');
  expect(outcome.curves.map(({ points }) => points.map(({ mean_tps }) => Math.round(mean_tps)))).toEqual([
    [100, 100],
    [300, 300],
  ]);
  expect(state().sweep).toBe(outcome);
});

test('a running batch is visible, with its results so far', async () => {
  const seen: string[] = [];
  const { experiments, state, store } = experimentsWith();
  store.subscribe(({ batch }) => {
    if (batch !== null) seen.push(`${batch.done}/${batch.total}`);
  });
  experiments.editComparison({ repeats: 1 });
  await experiments.start('comparison');
  expect([...new Set(seen)]).toEqual(['0/2', '1/2', '2/2']);
  expect(state().comparison!.runs).toHaveLength(2);
});

test('a batch that is cancelled keeps what it has', async () => {
  const { experiments, state, runs } = experimentsWith((number) => {
    if (number === 3) void experiments.cancel();
  });
  const outcome = await experiments.start('comparison');
  expect([outcome.runs.length, runs()]).toEqual([3, 3]);
  expect(state().announcement).toBe('Comparison cancelled after 3 of 10 runs');
});

describe('nothing is started', () => {
  test('with faults, which are all named', async () => {
    const { experiments, runs } = experimentsWith();
    experiments.editSweep({ counts: 'many', designs: [] });
    await expect(experiments.start('sweep')).rejects.toMatchObject({
      errors: [{ field: 'designs' }, { field: 'counts', value: 'many' }],
    });
    expect(runs()).toBe(0);
  });

  test('while a run goes on', async () => {
    const { experiments, store } = experimentsWith();
    store.setState({ runLock: 'going' });
    await expect(experiments.start('comparison')).rejects.toMatchObject({
      errors: [{ field: 'run', value: 'going' }],
    });
  });

  test('while another batch goes on', async () => {
    const { experiments } = experimentsWith();
    const sweep = experiments.start('sweep');
    await expect(experiments.start('comparison')).rejects.toMatchObject({
      message: 'A sweep is still running. Cancel it first.',
      errors: [{ field: 'run', value: 'sweep' }],
    });
    await experiments.cancel();
    await sweep;
  });
});

test('settings with faults are left out of the link', () => {
  const { experiments, state } = experimentsWith();
  experiments.editComparison({ repeats: 7 });
  expect(settingsShown(state()).comparisonSettings.repeats).toBe(7);
  experiments.editComparison({ repeats: 70 });
  expect(settingsShown(state())).toEqual(defaultSettings);
});
