// One HdrHistogram as text: the compressed V2 encoding of the family's libraries, in base64. Described by the Java
// implementation (https://github.com/HdrHistogram/HdrHistogram, AbstractHistogram.encodeIntoCompressedByteBuffer). The JavaScript
// port cannot be used in the page: it evaluates text as code when it is loaded, which the page's security policy forbids.
import { bucketMiddle_ns, type BucketCounts } from '../histogram';

const ENCODING_COOKIE = 0x1c849313;
const COMPRESSED_COOKIE = 0x1c849314;
const SIGNIFICANT_DIGITS = 3;
const LOWEST_NS = 1;
const HIGHEST_NS = 2 ** 39 - 1;
/** Three digits need 2,000 steps; this is the next power of two. */
const SUB_BUCKETS_LOG2 = 11;
const SUB_BUCKETS_HALF = 2 ** (SUB_BUCKETS_LOG2 - 1);
const HEADER_BYTES = 40;

/**
 * A bucket of `counts` (analysis/histogram.ts) says only between which two values a latency lies; it is recorded at the
 * middle, as percentiles are worked out.
 */
export async function encodeHdrHistogram(counts: BucketCounts): Promise<string> {
  const payload = payloadOf(countsByIndex(counts));
  const bytes = new Uint8Array(HEADER_BYTES + payload.length);
  const header = new DataView(bytes.buffer);
  header.setInt32(0, ENCODING_COOKIE);
  header.setInt32(4, payload.length);
  // No shift of indices.
  header.setInt32(8, 0);
  header.setInt32(12, SIGNIFICANT_DIGITS);
  header.setBigInt64(16, BigInt(LOWEST_NS));
  header.setBigInt64(24, BigInt(HIGHEST_NS));
  // Values are as they are, not multiples of something.
  header.setFloat64(32, 1);
  bytes.set(payload, HEADER_BYTES);
  return base64(compressedFrame(await zlib(bytes)));
}

/** 0 of nothing. */
export function largestOf_ns(counts: BucketCounts): number {
  return counts.size === 0 ? 0 : bucketMiddle_ns(Math.max(...counts.keys()));
}

function countsByIndex(counts: BucketCounts): number[] {
  const by_index = new Array<number>(indexOf(largestOf_ns(counts)) + 1).fill(0);
  for (const [bucket, count] of counts) {
    const index = indexOf(bucketMiddle_ns(bucket));
    by_index[index] = by_index[index]! + count;
  }
  return by_index;
}

/** Each power of two from 2,048 on is cut into 1,024 parts; everything below stands for itself. */
function indexOf(value: number): number {
  const octave = Math.max(0, Math.floor(Math.log2(Math.max(1, value))) - (SUB_BUCKETS_LOG2 - 1));
  return octave * SUB_BUCKETS_HALF + Math.floor(value / 2 ** octave);
}

/** Counts one after the other; a negative number is so many zeros. */
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

/** ZigZag, so that the sign stands in the lowest bit; then seven bits a byte, the lowest first (LEB128). */
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
