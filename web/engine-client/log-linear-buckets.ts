import type { histogram } from '../contract/gen/telemetry-layout';

/** Bucket parameters of a histogram, as wasm-engine/telemetry/layout.h defines them. */
type BucketShape = { readonly [field in keyof typeof histogram]: number };

/**
 * Bucket 0 holds everything below 2^min_bits ns. Above it, each power of two is split into
 * 2^sub_bits equal buckets.
 */
export class LogLinearBuckets {
  readonly #shape: BucketShape;
  readonly #parts: number;

  constructor(shape: BucketShape) {
    this.#shape = shape;
    this.#parts = 2 ** shape.sub_bits;
  }

  of(latencyNs: number): number {
    const { min_bits, max_bits, buckets } = this.#shape;
    if (latencyNs < 2 ** min_bits) return 0;
    if (latencyNs >= 2 ** max_bits) return buckets - 1;
    const octave = Math.floor(Math.log2(latencyNs)) - min_bits;
    const part = Math.floor((latencyNs / 2 ** (min_bits + octave) - 1) * this.#parts);
    return 1 + octave * this.#parts + part;
  }

  /** Returns the smallest latency of a bucket, in nanoseconds. */
  floorNs(bucket: number): number {
    if (bucket === 0) return 0;
    const octave = Math.floor((bucket - 1) / this.#parts);
    const baseNs = 2 ** (this.#shape.min_bits + octave);
    return baseNs + (baseNs / this.#parts) * ((bucket - 1) % this.#parts);
  }

  /**
   * Returns the latency that a bucket's entries count as, in nanoseconds. The last bucket has no
   * upper limit.
   */
  middleNs(bucket: number): number {
    const endNs = this.floorNs(Math.min(bucket + 1, this.#shape.buckets - 1));
    return (this.floorNs(bucket) + endNs) / 2;
  }
}
