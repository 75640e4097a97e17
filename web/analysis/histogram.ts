// The one place of the page where percentiles come from: of windows that a reader chooses, which the engine cannot know. Figures of
// intervals and of whole runs are the engine's (wasm-engine/telemetry/latency.cc), and a test holds this file to its answers.
// Log-linear latency histograms, as wasm-engine/telemetry/layout.h defines them: everything below 2^min_bits ns is
// bucket 0; above, each power of two is cut into 2^sub_bits equal buckets.
import { histogram as shape } from '../contract/gen/telemetry-layout';

const sub_buckets = 1 << shape.sub_bits;

/** Smallest latency that falls into a bucket. */
export function bucketFloor_ns(bucket: number): number {
  if (bucket === 0) return 0;
  const octave = (bucket - 1) >> shape.sub_bits;
  const sub_bucket = (bucket - 1) % sub_buckets;
  const base_ns = 2 ** (shape.min_bits + octave);
  return base_ns + (base_ns / sub_buckets) * sub_bucket;
}

export function bucketOf(latency_ns: number): number {
  if (latency_ns < 2 ** shape.min_bits) return 0;
  if (latency_ns >= 2 ** shape.max_bits) return shape.buckets - 1;
  const octave = Math.floor(Math.log2(latency_ns)) - shape.min_bits;
  const base_ns = 2 ** (shape.min_bits + octave);
  const sub_bucket = Math.floor((latency_ns / base_ns - 1) * sub_buckets);
  return 1 + octave * sub_buckets + sub_bucket;
}

/** What was recorded between two readings. Counts wrap at 2^32, so a later count may be the smaller one. */
export function histogramDelta(before: Uint32Array, after: Uint32Array): Uint32Array {
  return after.map((count, bucket) => count - before[bucket]!);
}

function totalCount(counts: Uint32Array): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}

/** A percentile is known when at least one value lies at or beyond it: 100 values for p99, 20 for p95. */
export function countNeededFor(percentile: number): number {
  return Math.ceil(100 / (100 - percentile));
}

/** The largest of the values, as the middle of its bucket; null if there is none. */
export function largest_ns(counts: Uint32Array): number | null {
  const bucket = counts.findLastIndex((count) => count > 0);
  return bucket < 0 ? null : bucketMiddle_ns(bucket);
}

/**
 * The latencies below which the given percentages of the values lie, each as the middle of its bucket (off by at most
 * 1/64). `percentiles` must ascend. Counts are weighted, because only a sample of the transactions is timed: `timed`
 * tells how many were, and a percentile for which these are too few is null.
 */
export function percentiles_ns(
  counts: Uint32Array,
  percentiles: readonly number[],
  timed: number,
): (number | null)[] {
  const total = totalCount(counts);
  let bucket = 0;
  let seen = counts[0] ?? 0;
  return percentiles.map((percentile) => {
    if (timed < countNeededFor(percentile) || total === 0) return null;
    const rank = Math.max(1, Math.ceil((total * percentile) / 100));
    while (seen < rank && bucket < counts.length - 1) {
      bucket += 1;
      seen += counts[bucket]!;
    }
    return bucketMiddle_ns(bucket);
  });
}

/** What a latency in a bucket counts as; the last one has no end. */
export function bucketMiddle_ns(bucket: number): number {
  const end_ns = bucketFloor_ns(Math.min(bucket + 1, shape.buckets - 1));
  return (bucketFloor_ns(bucket) + end_ns) / 2;
}
