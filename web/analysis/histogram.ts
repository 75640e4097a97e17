// Computes percentiles of windows that the reader chooses, which the engine cannot know. Intervals
// and whole runs have the engine's own figures (wasm-engine/telemetry/latency.cc). A test checks
// this file against them.

import { histogram as shape } from '../contract/gen/telemetry-layout';
import { LogLinearBuckets } from '../engine-client/log-linear-buckets';

const buckets = new LogLinearBuckets(shape);

/** Returns the smallest latency of a bucket. */
export function bucketFloorNs(bucket: number): number {
  return buckets.floorNs(bucket);
}

export const bucketOf = (latencyNs: number) => buckets.of(latencyNs);

/** Counts of the nonempty buckets, by bucket. */
export type BucketCounts = ReadonlyMap<number, number>;

export function occupiedBuckets(counts: Uint32Array): BucketCounts {
  const occupied = new Map<number, number>();
  for (const [bucket, count] of counts.entries()) if (count > 0) occupied.set(bucket, count);
  return occupied;
}

/**
 * Returns the counts between two readings. Counts wrap at 2^32, so a later count may be the smaller
 * one.
 */
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

/** Returns the bucket of the `rank`th smallest value; ranks count from 1. */
function bucketOfRank(counts: Uint32Array, rank: number): number {
  let bucket = 0;
  for (let seen = counts[0]!; seen < rank; seen += counts[bucket]!) bucket += 1;
  return bucket;
}

/**
 * Returns how many values a percentile needs, so that at least one lies at or beyond it: 100 for
 * p99, 20 for p95.
 */
export function countNeededFor(percentile: number): number {
  return Math.ceil(100 / (100 - percentile));
}

/** Returns the largest value, as the middle of its bucket; null if there is none. */
export function largestNs(counts: Uint32Array): number | null {
  let bucket = counts.length - 1;
  while (bucket >= 0 && counts[bucket] === 0) bucket -= 1;
  return bucket < 0 ? null : bucketMiddleNs(bucket);
}

/**
 * Returns percentiles, each as the middle of its bucket (off by at most 0.1 %). Counts are
 * weighted, because only a sample of the transactions is timed. `timed` is the number of timed
 * transactions; a percentile is null if it is too small.
 */
export function percentilesNs(
  counts: Uint32Array,
  percentiles: readonly number[],
  timed: number,
): (number | null)[] {
  const total = totalOf(counts);
  return percentiles.map((percentile) => {
    if (timed < countNeededFor(percentile) || total === 0) return null;
    const rank = Math.max(1, Math.ceil((total * percentile) / 100));
    return bucketMiddleNs(bucketOfRank(counts, rank));
  });
}

/** Returns the latency that a bucket's values count as. The last bucket has no upper end. */
export function bucketMiddleNs(bucket: number): number {
  return buckets.middleNs(bucket);
}
