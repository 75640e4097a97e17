/** At most this many buffers are on their way to the page and back. */
const SPARES_MAX = 4;

/**
 * Reuses returned buffers. A new buffer per message would create megabytes of garbage per second.
 */
export class SpareBuffers {
  readonly #spares: ArrayBuffer[] = [];

  give(spare: ArrayBuffer): void {
    if (this.#spares.length < SPARES_MAX) this.#spares.push(spare);
  }

  /**
   * Returns a spare for which `fits` is true, or a new buffer of `bytes`. Drops other spares,
   * because the requested size has changed.
   */
  take(bytes: number, fits: (spare: ArrayBuffer) => boolean): ArrayBuffer {
    for (let spare = this.#spares.pop(); spare !== undefined; spare = this.#spares.pop())
      if (fits(spare)) return spare;
    return new ArrayBuffer(bytes);
  }
}
