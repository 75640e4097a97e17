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
    { variant: 'poll_1ms', commitNs: 1e6, waitsPerCommit: 1, looksPerWait: 2, membersPerGroup: 100 },
  ]);
});

test('from the end of the flush to the next look nobody looks', () => {
  const naps = [
    { fromNs: 0, toNs: 1000 },
    { fromNs: 1000, toNs: 2000 },
  ];
  // One flush in two parts, and another that outlasts the second nap.
  const flushes = [
    { fromNs: 300, toNs: 600 },
    { fromNs: 100, toNs: 300 },
    { fromNs: 1100, toNs: 2500 },
  ];
  expect(waitTimeline({ fromNs: 0, toNs: 3000 }, naps, flushes)).toEqual({
    fromNs: 0,
    toNs: 3000,
    naps,
    flushes: [
      { fromNs: 100, toNs: 600 },
      { fromNs: 1100, toNs: 2500 },
    ],
    unseen: [{ fromNs: 600, toNs: 1000 }],
    napNs: 2000,
    unseenNs: 400,
  });
  expect(waitTimeline({ fromNs: 0, toNs: 3000 }, naps, [])).toBeNull();
  expect(waitTimeline({ fromNs: 5000, toNs: 6000 }, naps, flushes)).toBeNull();
});
