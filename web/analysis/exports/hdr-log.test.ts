import * as hdr from 'hdr-histogram-js';
import { expect, test } from 'vitest';

import { emptySnapshot } from '../../engine-client/snapshot';
import { bucketMiddle_ns, bucketOf, occupiedBuckets, percentiles_ns, type BucketCounts } from '../histogram';
import { hdrLog, WHOLE_RUN_TAG, type LatencyCounts } from './hdr-log';

const description = ['bug #117533', 'virtual server'];

function histogramOf(latencies_ns: Record<number, number>): Uint32Array {
  const counts = emptySnapshot().histogram;
  for (const [latency_ns, count] of Object.entries(latencies_ns))
    counts[bucketOf(Number(latency_ns))] = count;
  return counts;
}

const countsOf = (latencies_ns: Record<number, number>): BucketCounts =>
  occupiedBuckets(histogramOf(latencies_ns));

function spanOf(from_s: number, to_s: number, latencies_ns: Record<number, number>): LatencyCounts {
  return { from_s, to_s, counts: countsOf(latencies_ns) };
}

function readLog(text: string) {
  const reader = new hdr.HistogramLogReader(text, 64);
  const histograms: hdr.Histogram[] = [];
  for (let next = reader.nextIntervalHistogram(); next !== null; next = reader.nextIntervalHistogram()) {
    histograms.push(next);
  }
  return histograms;
}

/** The library's types lack this method. */
const countAt = (histogram: hdr.Histogram, value: number) =>
  (histogram as unknown as { getCountAtValue: (value: number) => number }).getCountAtValue(value);

const first_latencies = { 100: 3, 70_000: 40, 2_500_000: 7, 45_000_000: 1 };
const first = spanOf(0, 0.005, first_latencies);
const second = spanOf(0.005, 0.0118, { 70_000: 4_294_967_295 });

test('the library reads the intervals and the whole run, with all times and counts', async () => {
  const whole_run = spanOf(0, 0.0118, { 100: 3, 70_000: 44, 200e9: 1 });
  const histograms = readLog(await hdrLog({ intervals: [first, second], whole_run, description }));
  expect(histograms.map(({ tag }) => tag)).toEqual(['NO TAG', 'NO TAG', WHOLE_RUN_TAG]);
  expect(histograms.map((histogram) => histogram.startTimeStampMsec)).toEqual([0, 5, 0]);
  expect(histograms[0]!.endTimeStampMsec).toBe(5);
  expect(histograms.map((histogram) => histogram.totalCount)).toEqual([51, 4_294_967_295, 48]);
  for (const latency_ns of [100, 70_000, 2_500_000, 45_000_000]) {
    const expected = first.counts.get(bucketOf(latency_ns))!;
    expect(countAt(histograms[0]!, bucketMiddle_ns(bucketOf(latency_ns))), `${latency_ns} ns`).toBe(expected);
  }
});

test('percentiles of the library are those of the page, to its three digits', async () => {
  const [histogram] = readLog(await hdrLog({ intervals: [first], whole_run: null, description }));
  const here = percentiles_ns(histogramOf(first_latencies), [50, 95, 99], 1000);
  for (const [i, percentile] of [50, 95, 99].entries()) {
    const there = histogram!.getValueAtPercentile(percentile);
    expect(Math.abs(there / here[i]! - 1)).toBeLessThan(1e-3);
  }
});

test('every bucket arrives at its own value', async () => {
  const buckets = emptySnapshot().histogram.length;
  const counts = occupiedBuckets(new Uint32Array(buckets).fill(1));
  const [histogram] = readLog(
    await hdrLog({ intervals: [{ from_s: 0, to_s: 1, counts }], whole_run: null, description }),
  );
  expect(histogram!.totalCount).toBe(buckets);
  const largest_ns = bucketMiddle_ns(buckets - 1);
  expect(Math.abs(histogram!.maxValue / largest_ns - 1)).toBeLessThan(1e-3);
});

test('a span in which no transaction ended is an empty histogram', async () => {
  const [histogram] = readLog(await hdrLog({ intervals: [spanOf(1, 2, {})], whole_run: null, description }));
  expect(histogram!.totalCount).toBe(0);
});

test('comments name the run, and columns have the names of the format', async () => {
  const lines = (await hdrLog({ intervals: [], whole_run: first, description })).split('\n');
  expect(lines.slice(0, 3)).toEqual([
    '#[Histogram log format version 1.3]',
    '#[bug #117533]',
    '#[virtual server]',
  ]);
  expect(lines.at(-3)).toBe(
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
  );
  expect(lines.at(-2)).toMatch(new RegExp(`^Tag=${WHOLE_RUN_TAG},0\\.000,0\\.005,4\\d\\.\\d{3},HISTFAAA`));
});
