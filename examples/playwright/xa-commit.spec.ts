// Bug #99638: each XA COMMIT waits for a background thread, polling every millisecond, under
// LOCK_commit.
import { expect, test } from 'latchscope/playwright';

const scenario = 'xa-gtid-99638';
// A small table is loaded in a fraction of the time.
const parameters = { rows_per_table: 10_000 };

test('the bug costs most of the throughput, and the fix restores it', async ({ latchscope }) => {
  // A figure that is not reached fails the test at the end of the run.
  await latchscope.open({ scenario, parameters, threads: 64, design: 'fixed', duration_s: 60 });
  await latchscope.start();
  await expect(latchscope).toReach({ tps: { atLeast: 30_000 } });

  await latchscope.flip('original');
  await expect(latchscope).toReach({ tps: { atMost: 2_000 }, p99Ms: { atLeast: 20 } });

  await latchscope.flip('fixed');
  await expect(latchscope).toReach({ tps: { atLeast: 30_000 }, p99Ms: { atMost: 10 } });

  await latchscope.stop();
});

test('a run with the patch of the report is the same on every machine', async ({ latchscope }) => {
  const { invariants } = await latchscope.run({
    scenario,
    parameters,
    threads: 400,
    duration_s: 0.4,
    actions: [{ at_s: 0.2, knob: 'gtid_flush_wait', variant: 'spin' }],
  });
  expect(invariants.filter(({ ok }) => !ok)).toEqual([]);
  await expect(latchscope).toMatchDigest('5358b2a67db656d62e0dbb05aa00492d29565d615847709f43615553347d76f6');
});
