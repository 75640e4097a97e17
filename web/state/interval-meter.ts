import { sysbenchInterval, type SysbenchInterval, type SysbenchPercentile } from '../analysis/sysbench';
import { copySnapshot, emptySnapshot, type Snapshot } from '../engine-client/snapshot';

/** Ten minutes; of a longer run the oldest are dropped. */
export const INTERVALS_KEPT = 600;

/**
 * Cuts a run into sysbench's intervals of a second, out of readings that come about ten times a second. An interval ends
 * with the first reading after the full second, and its rates are those of the time that it really took.
 */
export class IntervalMeter {
  readonly #percentile: SysbenchPercentile;
  readonly #began = emptySnapshot();
  #has_begun = false;
  #intervals: readonly SysbenchInterval[] = [];

  constructor(percentile: SysbenchPercentile) {
    this.#percentile = percentile;
  }

  /** Oldest first; another array whenever one was added. */
  get intervals(): readonly SysbenchInterval[] {
    return this.#intervals;
  }

  onReading(reading: Snapshot): void {
    if (!this.#has_begun) {
      this.#begin(reading);
      return;
    }
    const ends_at_s = Math.round(this.#began.run_ns / 1e9) + 1;
    if (reading.run_ns < ends_at_s * 1e9) return;
    const interval = sysbenchInterval({ before: this.#began, after: reading }, this.#percentile);
    this.#intervals = [...this.#intervals, interval].slice(-INTERVALS_KEPT);
    this.#begin(reading);
  }

  /** Drops the interval under way: there was a time in which nobody looked. */
  startAgain(): void {
    this.#has_begun = false;
  }

  #begin(reading: Snapshot): void {
    copySnapshot(reading, this.#began);
    this.#has_begun = true;
  }
}
