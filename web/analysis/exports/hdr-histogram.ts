// Encodes one HdrHistogram as text: base64 of the compressed V2 encoding that all HdrHistogram
// libraries share. The Java implementation defines it
// (https://github.com/HdrHistogram/HdrHistogram, AbstractHistogram.encodeIntoCompressedByteBuffer).
// The page cannot load the JavaScript port: it evaluates text as code, which the page's security
// policy forbids.
import { bucketMiddleNs, type BucketCounts } from '../histogram';

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
 * Encodes `counts` (analysis/histogram.ts). A bucket gives only the range of a latency, so each
 * value is recorded at the bucket's middle, as for percentiles.
 */
export async function encodeHdrHistogram(counts: BucketCounts): Promise<string> {
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
export function largestOfNs(counts: BucketCounts): number {
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
