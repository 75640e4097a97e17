import type { histogram } from '../contract/gen/telemetry-layout';

/** Bucket parameters of a histogram, as wasm-engine/telemetry/layout.h defines them. */
type BucketShape = { readonly [field in keyof typeof histogram]: number };

/**
 * Latencies below 2^sub_bits ns have a bucket each. Above, each power of two is split into
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
    const { max_bits, sub_bits, buckets } = this.#shape;
    if (latencyNs < this.#parts) return Math.floor(latencyNs);
    if (latencyNs >= 2 ** max_bits) return buckets - 1;
    const octave = Math.floor(Math.log2(latencyNs)) - sub_bits;
    return octave * this.#parts + Math.floor(latencyNs / 2 ** octave);
  }

  /** Returns the smallest latency of a bucket, in nanoseconds. */
  floorNs(bucket: number): number {
    const octave = Math.max(0, Math.floor(bucket / this.#parts) - 1);
    return (bucket - octave * this.#parts) * 2 ** octave;
  }

  /**
   * Returns the latency that a bucket's entries count as, in nanoseconds: the only one of a bucket
   * 1 ns wide, otherwise the middle. The last bucket has no upper limit.
   */
  middleNs(bucket: number): number {
    const [floorNs, endNs] = [
      this.floorNs(bucket),
      this.floorNs(Math.min(bucket + 1, this.#shape.buckets - 1)),
    ];
    return endNs - floorNs <= 1 ? floorNs : (floorNs + endNs) / 2;
  }
}
