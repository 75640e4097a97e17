const utf8 = new TextDecoder();

/**
 * Reads little-endian words out of memory that other threads write, each with Atomics.load, so that they are read in the order
 * in which the code says so: what publish.h calls an acquire. Only totals that stand alone are looked through without, for speed. A
 * u64 is returned as a double: exact below 2^53, which no counter of ours reaches.
 */
export class TelemetryWords {
  readonly #words: Uint32Array;
  readonly #bytes: Uint8Array;

  constructor(buffer: ArrayBufferLike, address: number, bytes: number) {
    this.#words = new Uint32Array(buffer, address, bytes / 4);
    this.#bytes = new Uint8Array(buffer, address, bytes);
  }

  u32(offset: number): number {
    return Atomics.load(this.#words, offset >> 2);
  }

  /** The halves are read one after the other, so the upper one is read again until it stands still. */
  u64(offset: number): number {
    const low_index = offset >> 2;
    let high = Atomics.load(this.#words, low_index + 1);
    for (;;) {
      const low = Atomics.load(this.#words, low_index);
      const high_again = Atomics.load(this.#words, low_index + 1);
      if (high_again === high) return high * 0x1_0000_0000 + low;
      high = high_again;
    }
  }

  /** Zero-terminated UTF-8. */
  text(offset: number, bytes_max: number): string {
    const bytes = new Uint8Array(bytes_max);
    let length = 0;
    for (; length < bytes_max; length += 1) {
      const byte = Atomics.load(this.#bytes, offset + length);
      if (byte === 0) break;
      bytes[length] = byte;
    }
    return utf8.decode(bytes.subarray(0, length));
  }

  /** Adds `count` u64 words onto `sums`. Most totals of most threads are 0, and those are passed over quickly. */
  addU64s(offset: number, count: number, sums: Float64Array): void {
    const first = offset >> 2;
    for (let i = 0; i < count; i += 1) {
      if (this.#words[first + 2 * i] === 0 && this.#words[first + 2 * i + 1] === 0) continue;
      sums[i] = sums[i]! + this.u64(offset + i * 8);
    }
  }

  /** Adds `count` u32 words onto `sums`, modulo 2^32. */
  addU32s(offset: number, count: number, sums: Uint32Array): void {
    const first = offset >> 2;
    for (let i = 0; i < count; i += 1) sums[i] = sums[i]! + this.#words[first + i]!;
  }
}
