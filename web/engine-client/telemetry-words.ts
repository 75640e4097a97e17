const utf8 = new TextDecoder();

/**
 * Reads little-endian words from memory that other threads write. Uses Atomics.load, so reads
 * happen in program order (an acquire, in terms of publish.h). For speed, independent totals are
 * scanned without it. Returns a u64 as a double: exact below 2^53, which no counter here reaches.
 */
export class TelemetryWords {
  readonly #words: Uint32Array;
  readonly #bytes: Uint8Array;
  /**
   * The same words in pairs, the fastest way to test whether both are 0. No count is large enough
   * to look like -0.
   */
  readonly #pairs: Float64Array;

  constructor(buffer: ArrayBufferLike, address: number, bytes: number) {
    this.#words = new Uint32Array(buffer, address, bytes / 4);
    this.#bytes = new Uint8Array(buffer, address, bytes);
    this.#pairs = new Float64Array(buffer, address, Math.floor(bytes / 8));
  }

  u32(offset: number): number {
    return Atomics.load(this.#words, offset >> 2);
  }

  /**
   * Reads the halves one after the other, so it repeats the read until the upper half is unchanged.
   */
  u64(offset: number): number {
    const lowIndex = offset >> 2;
    let high = Atomics.load(this.#words, lowIndex + 1);
    for (;;) {
      const low = Atomics.load(this.#words, lowIndex);
      const highAgain = Atomics.load(this.#words, lowIndex + 1);
      if (highAgain === high) return high * 0x1_0000_0000 + low;
      high = highAgain;
    }
  }

  /** Reads zero-terminated UTF-8. */
  text(offset: number, bytesMax: number): string {
    const bytes = new Uint8Array(bytesMax);
    let length = 0;
    for (; length < bytesMax; length += 1) {
      const byte = Atomics.load(this.#bytes, offset + length);
      if (byte === 0) break;
      bytes[length] = byte;
    }
    return utf8.decode(bytes.subarray(0, length));
  }

  /**
   * Adds `count` u64 words to `sums`. Skips zeros quickly, because most totals of most threads are
   * 0.
   */
  addU64s(offset: number, count: number, sums: Float64Array): void {
    const pairs = this.#pairs;
    const first = offset >> 3;
    for (let i = 0; i < count; i += 1)
      if (pairs[first + i] !== 0) sums[i] = sums[i]! + this.u64(offset + i * 8);
  }

  /** Adds `count` u32 words to `sums`, modulo 2^32. */
  addU32s(offset: number, count: number, sums: Uint32Array): void {
    const first = offset >> 2;
    for (let i = 0; i < count; i += 1) sums[i] = sums[i]! + this.#words[first + i]!;
  }

  /** Adds the i-th u32 word to `sums[places[i]]`. Skips pairs of zeros, as above. */
  addU32sAt(places: Uint16Array, offset: number, sums: Uint32Array): void {
    const pairs = this.#pairs;
    const first = offset >> 3;
    const add = (i: number) => {
      const place = places[i]!;
      sums[place] = sums[place]! + this.u32(offset + i * 4);
    };
    const last = places.length - 1;
    for (let i = 0; i < last; i += 2) {
      if (pairs[first + i / 2] === 0) continue;
      add(i);
      add(i + 1);
    }
    if (last % 2 === 0) add(last);
  }
}
