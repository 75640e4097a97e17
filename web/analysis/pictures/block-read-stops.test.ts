import { expect, test } from 'vitest';

import { blockReadStops, GLOBAL_MUTEX, SHARD_MUTEX } from './block-read-stops';
import { phaseOf, rowOf } from './test-fixtures';

// Held or wanted half of the time.
const occupation = { acquisitions: 9, share: 0.5 };

test('stops in the order of a read; turns without a pause are the ceiling', () => {
  const phase = phaseOf({
    seconds: 0.5,
    counts: { block_reads: 100_000 },
    latches: [
      rowOf(
        GLOBAL_MUTEX,
        [
          { function: 'fil_decr_pending_ops', acquisitions: 100_000, queue_mean: 2 },
          { function: 'fil_space_get_version', acquisitions: 103_000, queue_mean: 3.5 },
          // Read-ahead calls it occasionally: not a stop of the read itself, but an acquisition.
          { function: 'fil_space_get_size', acquisitions: 2_000 },
        ],
        { mean_hold_ns: 200 },
      ),
      rowOf('buf_pool->mutex', [{ function: 'buf_LRU_get_free_block', acquisitions: 100_000 }]),
    ],
  });
  const seen = blockReadStops(phase, occupation)!;
  expect(seen.stops).toEqual([
    { function: 'fil_space_get_version', latch: GLOBAL_MUTEX, perRead: 1.03, queue: 3.5 },
    { function: 'fil_decr_pending_ops', latch: GLOBAL_MUTEX, perRead: 1, queue: 2 },
  ]);
  expect(seen.stopsPerRead).toBeCloseTo(2.03);
  expect(seen.acquisitionsPerRead).toBeCloseTo(2.05);
  expect(seen.readsPerS).toBe(200_000);
  // A quarter of a second, divided by 205,000 acquisitions.
  expect(seen.turn!.heldNs).toBe(200);
  expect(seen.turn!.handOverNs).toBeCloseTo(0.25e9 / 205_000 - 200);
  // Twice the measured rate, because the mutex is occupied half of the time.
  expect(seen.ceilingPerS).toBeCloseTo(400_000);
});

test('the mutexes of shards have no one ceiling; nor has a mutex whose turns were not told', () => {
  const of = (latch: string) =>
    phaseOf({
      counts: { block_reads: 10 },
      latches: [rowOf(latch, [{ function: 'fil_space_get', acquisitions: 10 }])],
    });
  expect(blockReadStops(of(SHARD_MUTEX), occupation)).toMatchObject({
    stopsPerRead: 1,
    ceilingPerS: null,
  });
  expect(blockReadStops(of(GLOBAL_MUTEX), null)).toMatchObject({ stopsPerRead: 1, ceilingPerS: null });
});

test('without block reads there is nothing to draw, and without a mutex no stop', () => {
  expect(blockReadStops(phaseOf({}), occupation)).toBeNull();
  expect(blockReadStops(phaseOf({ counts: { block_reads: 10 } }), occupation)).toMatchObject({
    stops: [],
    acquisitionsPerRead: null,
    ceilingPerS: null,
  });
});
