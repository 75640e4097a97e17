// Writes latencies as an HdrHistogram log, version 1.3
// (https://github.com/HdrHistogram/HdrHistogram): a line per interval, and one with its own tag for
// the whole run. HistogramLogAnalyzer, HistogramLogProcessor and hdr-plot read it. Values are
// nanoseconds, times are run time in seconds, and the Interval_Max column is milliseconds.
import { bucketMiddleNs, type BucketCounts } from '../histogram';

export const WHOLE_RUN_TAG = 'whole_run';

/** Latencies of transactions that ended within a range of run time. */
export interface LatencyCounts {
  fromS: number;
  toS: number;
  /** Weighted counts (analysis/histogram.ts). */
  counts: BucketCounts;
}

interface HdrLogInput {
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

const ENCODING_COOKIE = 0x1c849313;
const COMPRESSED_COOKIE = 0x1c849314;
const SIGNIFICANT_DIGITS = 3;
const LOWEST_NS = 1;
const HIGHEST_NS = 2 ** 39 - 1;
/** Three digits need 2,000 steps; 2^11 is the next power of two. */
const SUB_BUCKETS_LOG2 = 11;
const SUB_BUCKETS_HALF = 2 ** (SUB_BUCKETS_LOG2 - 1);
const HEADER_BYTES = 40;

/**
 * Encodes one HdrHistogram as text: base64 of the compressed V2 encoding that all HdrHistogram
 * libraries share (AbstractHistogram.encodeIntoCompressedByteBuffer in Java). The page's security
 * policy forbids the JavaScript port, because it evaluates text as code. A bucket
 * gives only the range of a latency, so each value is recorded at the bucket's middle, as for percentiles.
 */
async function encodeHdrHistogram(counts: BucketCounts): Promise<string> {
  const payload = payloadOf(countsByIndex(counts));
  const bytes = new Uint8Array(HEADER_BYTES + payload.length);
  const header = new DataView(bytes.buffer);
  header.setInt32(0, ENCODING_COOKIE);
  header.setInt32(4, payload.length);
  // Index offset: none.
  header.setInt32(8, 0);
  header.setInt32(12, SIGNIFICANT_DIGITS);
  header.setBigInt64(16, BigInt(LOWEST_NS));
  header.setBigInt64(24, BigInt(HIGHEST_NS));
  // Conversion ratio: values are stored unscaled.
  header.setFloat64(32, 1);
  bytes.set(payload, HEADER_BYTES);
  return base64(compressedFrame(await zlib(bytes)));
}

/** Returns the largest value, or 0 if there is none. */
function largestOfNs(counts: BucketCounts): number {
  return counts.size === 0 ? 0 : bucketMiddleNs(Math.max(...counts.keys()));
}

function countsByIndex(counts: BucketCounts): number[] {
  const byIndex = new Array<number>(indexOf(largestOfNs(counts)) + 1).fill(0);
  for (const [bucket, count] of counts) {
    const index = indexOf(bucketMiddleNs(bucket));
    byIndex[index] = byIndex[index]! + count;
  }
  return byIndex;
}

/**
 * Returns the index of a value's bucket. Each power of two from 2,048 up has 1,024 buckets; each
 * smaller value has its own.
 */
function indexOf(value: number): number {
  const octave = Math.max(0, Math.floor(Math.log2(Math.max(1, value))) - (SUB_BUCKETS_LOG2 - 1));
  return octave * SUB_BUCKETS_HALF + Math.floor(value / 2 ** octave);
}

/** Writes the counts in order. A negative number means that many zeros. */
function payloadOf(counts: readonly number[]): number[] {
  const bytes: number[] = [];
  for (let index = 0; index < counts.length;) {
    if (counts[index] !== 0) {
      putNumber(bytes, counts[index]!);
      index += 1;
      continue;
    }
    const next = counts.findIndex((count, at) => at > index && count !== 0);
    const zeros = (next < 0 ? counts.length : next) - index;
    putNumber(bytes, zeros === 1 ? 0 : -zeros);
    index += zeros;
  }
  return bytes;
}

/**
 * Writes a number ZigZag-encoded (the lowest bit is the sign), then as LEB128: seven bits per byte,
 * lowest first.
 */
function putNumber(bytes: number[], value: number): void {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}

async function zlib(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

function compressedFrame(compressed: Uint8Array): Uint8Array {
  const frame = new Uint8Array(8 + compressed.length);
  const header = new DataView(frame.buffer);
  header.setInt32(0, COMPRESSED_COOKIE);
  header.setInt32(4, compressed.length);
  frame.set(compressed, 8);
  return frame;
}

const base64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
