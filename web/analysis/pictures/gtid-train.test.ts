import { expect, test } from 'vitest';

import { waitTimeline, waitVariants } from './gtid-train';
import { phaseOf } from './test-fixtures';

const phaseUnder = (variant: string, counts: NonNullable<Parameters<typeof phaseOf>[0]['counts']>) =>
  phaseOf({ design: { gtid_flush_wait: variant }, counts });

test('each variant by its latest part; a part without an XA COMMIT is none', () => {
  const seen = waitVariants([
    phaseUnder('poll_1ms', { xa_commits: 10 }),
    phaseUnder('spin', {}),
    phaseUnder('poll_1ms', {
      xa_commits: 1000,
      gtid_flush_waits: 1000,
      gtid_wait_polls: 2000,
      commits: 2000,
      commit_groups: 20,
    }),
  ]);
  expect(seen).toEqual([
    { variant: 'poll_1ms', commit_ns: 1e6, waits_per_commit: 1, looks_per_wait: 2, members_per_group: 100 },
  ]);
});

test('from the end of the flush to the next look nobody looks', () => {
  const naps = [
    { from_ns: 0, to_ns: 1000 },
    { from_ns: 1000, to_ns: 2000 },
  ];
  // One flush in two parts, and another that outlasts the second nap.
  const flushes = [
    { from_ns: 300, to_ns: 600 },
    { from_ns: 100, to_ns: 300 },
    { from_ns: 1100, to_ns: 2500 },
  ];
  expect(waitTimeline({ from_ns: 0, to_ns: 3000 }, naps, flushes)).toEqual({
    from_ns: 0,
    to_ns: 3000,
    naps,
    flushes: [
      { from_ns: 100, to_ns: 600 },
      { from_ns: 1100, to_ns: 2500 },
    ],
    unseen: [{ from_ns: 600, to_ns: 1000 }],
    nap_ns: 2000,
    unseen_ns: 400,
  });
  expect(waitTimeline({ from_ns: 0, to_ns: 3000 }, naps, [])).toBeNull();
  expect(waitTimeline({ from_ns: 5000, to_ns: 6000 }, naps, flushes)).toBeNull();
});
