import * as hdr from 'hdr-histogram-js';
import { expect, test } from 'vitest';

import { emptySnapshot } from '../../engine-client/snapshot';
import { bucketMiddleNs, bucketOf, occupiedBuckets, percentilesNs, type BucketCounts } from '../histogram';
import { hdrLog, WHOLE_RUN_TAG, type LatencyCounts } from './hdr-log';

const description = ['bug #117533', 'virtual server'];

function histogramOf(latenciesNs: Record<number, number>): Uint32Array {
  const counts = emptySnapshot().histogram;
  for (const [latencyNs, count] of Object.entries(latenciesNs)) counts[bucketOf(Number(latencyNs))] = count;
  return counts;
}

const countsOf = (latenciesNs: Record<number, number>): BucketCounts =>
  occupiedBuckets(histogramOf(latenciesNs));

function spanOf(fromS: number, toS: number, latenciesNs: Record<number, number>): LatencyCounts {
  return { fromS, toS, counts: countsOf(latenciesNs) };
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

const firstLatencies = { 100: 3, 70_000: 40, 2_500_000: 7, 45_000_000: 1 };
const first = spanOf(0, 0.005, firstLatencies);
const second = spanOf(0.005, 0.0118, { 70_000: 4_294_967_295 });

test('the library reads the intervals and the whole run, with all times and counts', async () => {
  const wholeRun = spanOf(0, 0.0118, { 100: 3, 70_000: 44, 200e9: 1 });
  const histograms = readLog(await hdrLog({ intervals: [first, second], wholeRun, description }));
  expect(histograms.map(({ tag }) => tag)).toEqual(['NO TAG', 'NO TAG', WHOLE_RUN_TAG]);
  expect(histograms.map((histogram) => histogram.startTimeStampMsec)).toEqual([0, 5, 0]);
  expect(histograms[0]!.endTimeStampMsec).toBe(5);
  expect(histograms.map((histogram) => histogram.totalCount)).toEqual([51, 4_294_967_295, 48]);
  for (const latencyNs of [100, 70_000, 2_500_000, 45_000_000]) {
    const expected = first.counts.get(bucketOf(latencyNs))!;
    expect(countAt(histograms[0]!, bucketMiddleNs(bucketOf(latencyNs))), `${latencyNs} ns`).toBe(expected);
  }
});

test('percentiles of the library are those of the page, to its three digits', async () => {
  const [histogram] = readLog(await hdrLog({ intervals: [first], wholeRun: null, description }));
  const here = percentilesNs(histogramOf(firstLatencies), [50, 95, 99], 1000);
  for (const [i, percentile] of [50, 95, 99].entries()) {
    const there = histogram!.getValueAtPercentile(percentile);
    expect(Math.abs(there / here[i]! - 1)).toBeLessThan(1e-3);
  }
});

test('every bucket arrives at its own value', async () => {
  const buckets = emptySnapshot().histogram.length;
  const counts = occupiedBuckets(new Uint32Array(buckets).fill(1));
  const [histogram] = readLog(
    await hdrLog({ intervals: [{ fromS: 0, toS: 1, counts }], wholeRun: null, description }),
  );
  expect(histogram!.totalCount).toBe(buckets);
  const largestNs = bucketMiddleNs(buckets - 1);
  expect(Math.abs(histogram!.maxValue / largestNs - 1)).toBeLessThan(1e-3);
});

test('a span in which no transaction ended is an empty histogram', async () => {
  const [histogram] = readLog(await hdrLog({ intervals: [spanOf(1, 2, {})], wholeRun: null, description }));
  expect(histogram!.totalCount).toBe(0);
});

test('comments name the run, and columns have the names of the format', async () => {
  const lines = (await hdrLog({ intervals: [], wholeRun: first, description })).split('\n');
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
