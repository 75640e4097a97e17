// The one place of the page where percentiles come from: of windows that a reader chooses, which the engine cannot know. Figures of
// intervals and of whole runs are the engine's (wasm-engine/telemetry/latency.cc), and a test holds this file to its answers.

import { histogram as shape } from '../contract/gen/telemetry-layout';
import { LogLinearBuckets } from '../engine-client/log-linear-buckets';

const buckets = new LogLinearBuckets(shape);

/** Smallest latency that falls into a bucket. */
export function bucketFloor_ns(bucket: number): number {
  return buckets.floor_ns(bucket);
}

export const bucketOf = (latency_ns: number) => buckets.of(latency_ns);

/** Counts of the buckets that have any, by bucket. */
export type BucketCounts = ReadonlyMap<number, number>;

export function occupiedBuckets(counts: Uint32Array): BucketCounts {
  const occupied = new Map<number, number>();
  for (const [bucket, count] of counts.entries()) if (count > 0) occupied.set(bucket, count);
  return occupied;
}

/** What was recorded between two readings. Counts wrap at 2^32, so a later count may be the smaller one. */
export function histogramDelta(before: Uint32Array, after: Uint32Array): Uint32Array {
  const delta = after.slice();
  for (let bucket = 0; bucket < delta.length; bucket += 1) delta[bucket]! -= before[bucket]!;
  return delta;
}

function totalOf(counts: Uint32Array): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}

/** The bucket of the value that is the `rank`th from below, counted from 1. */
function bucketOfRank(counts: Uint32Array, rank: number): number {
  let bucket = 0;
  for (let seen = counts[0]!; seen < rank; seen += counts[bucket]!) bucket += 1;
  return bucket;
}

/** A percentile is known when at least one value lies at or beyond it: 100 values for p99, 20 for p95. */
export function countNeededFor(percentile: number): number {
  return Math.ceil(100 / (100 - percentile));
}

/** The largest of the values, as the middle of its bucket; null if there is none. */
export function largest_ns(counts: Uint32Array): number | null {
  let bucket = counts.length - 1;
  while (bucket >= 0 && counts[bucket] === 0) bucket -= 1;
  return bucket < 0 ? null : bucketMiddle_ns(bucket);
}

/**
 * The latencies below which the given percentages of the values lie, each as the middle of its bucket (off by at most
 * 0.1 %). Counts are weighted, because only a sample of the transactions is timed: `timed`
 * tells how many were, and a percentile for which these are too few is null.
 */
export function percentiles_ns(
  counts: Uint32Array,
  percentiles: readonly number[],
  timed: number,
): (number | null)[] {
  const total = totalOf(counts);
  return percentiles.map((percentile) => {
    if (timed < countNeededFor(percentile) || total === 0) return null;
    const rank = Math.max(1, Math.ceil((total * percentile) / 100));
    return bucketMiddle_ns(bucketOfRank(counts, rank));
  });
}

/** What a latency in a bucket counts as; the last one has no end. */
export function bucketMiddle_ns(bucket: number): number {
  return buckets.middle_ns(bucket);
}
