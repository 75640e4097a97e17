// Runs on real threads in the page. As in the native engine, the engine checks the lock path of
// each phase down to the last acquisition.
import { expect, expectSoundRun, minimalSpec, test } from './explorer';

const variants = ['global_mutex', 'release_by_pointer', 'sharded_mutex', 'single_lookup_pin', 'atomic_word'];

test('while a table is dropped under its readers, each design acquires exactly its declared latches, and no row is wrong', async ({
  explorer,
}) => {
  await explorer.open();
  const flips = [...variants.slice(1), variants[0]].map((variant, i) => ({
    at_s: 0.2 + i * 0.4,
    knob: 'tablespace_lookup',
    variant,
  }));
  const result = await explorer.run({
    ...minimalSpec,
    duration_s: 2.5,
    parameters: { tables: 2 },
    actions: [...flips, { at_s: 0.7, action: 'drop_table' }, { at_s: 1.1, action: 'create_table' }].sort(
      (a, b) => a.at_s - b.at_s,
    ),
  });
  expectSoundRun(result);
  for (const variant of variants) {
    const path = result.invariants.filter(({ name }) => name === `lock path of ${variant}`);
    expect(path.length, variant).toBeGreaterThan(0);
  }
  expect(result.counters.tablespace_missing).toBeGreaterThan(0);
  const knobs = (await explorer.marks()).filter(({ kind }) => kind === 'knob');
  expect(knobs.map(({ value }) => value)).toEqual([1, 2, 3, 4, 0]);
});
