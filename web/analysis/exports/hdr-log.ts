// Writes latencies as an HdrHistogram log, version 1.3
// (https://github.com/HdrHistogram/HdrHistogram): a line per interval, and one with its own tag for
// the whole run. HistogramLogAnalyzer, HistogramLogProcessor and hdr-plot read it. Values are
// nanoseconds, times are run time in seconds, and the Interval_Max column is milliseconds.
import type { BucketCounts } from '../histogram';
import { encodeHdrHistogram, largestOfNs } from './hdr-histogram';

export const WHOLE_RUN_TAG = 'whole_run';

/** Latencies of transactions that ended within a range of run time. */
export interface LatencyCounts {
  fromS: number;
  toS: number;
  /** Weighted counts (analysis/histogram.ts). */
  counts: BucketCounts;
}

export interface HdrLogInput {
  intervals: readonly LatencyCounts[];
  wholeRun: LatencyCounts | null;
  /** Identifies the run: comment lines at the top of the log. */
  description: readonly string[];
}

export async function hdrLog({ intervals, wholeRun, description }: HdrLogInput): Promise<string> {
  const lines = await Promise.all([
    ...intervals.map((interval) => intervalLine(interval)),
    ...(wholeRun === null ? [] : [intervalLine(wholeRun, WHOLE_RUN_TAG)]),
  ]);
  return [
    '#[Histogram log format version 1.3]',
    ...description.map((line) => `#[${line.replaceAll(/[\r\n]+/g, ' ')}]`),
    '#[Values: nanoseconds. Times: run time in seconds. Interval_Max: milliseconds.]',
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
    ...lines,
    '',
  ].join('\n');
}

async function intervalLine({ fromS, toS, counts }: LatencyCounts, tag?: string): Promise<string> {
  const numbers = [fromS, toS - fromS, largestOfNs(counts) / 1e6].map((number) => number.toFixed(3));
  const fields = [...numbers, await encodeHdrHistogram(counts)];
  return (tag === undefined ? fields : [`Tag=${tag}`, ...fields]).join(',');
}
