/** As many as may be under way to the page and back. */
const SPARES_MAX = 4;

/** Buffers that nobody reads any more, to be filled again: a new one for each message would be megabytes of garbage a second. */
export class SpareRoom {
  readonly #spares: ArrayBuffer[] = [];

  give(spare: ArrayBuffer): void {
    if (this.#spares.length < SPARES_MAX) this.#spares.push(spare);
  }

  /** A spare that `fits`, or a new one of this size. Those that do not fit are dropped: what is asked for has grown, or shrunk. */
  take(bytes: number, fits: (spare: ArrayBuffer) => boolean): ArrayBuffer {
    for (let spare = this.#spares.pop(); spare !== undefined; spare = this.#spares.pop())
      if (fits(spare)) return spare;
    return new ArrayBuffer(bytes);
  }
}
