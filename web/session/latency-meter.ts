import type { LatencyCounts } from '../analysis/exports/hdr-log';
import { histogramDelta, occupiedBuckets } from '../analysis/histogram';
import { copySnapshot, emptySnapshot, type Snapshot } from '../engine-client/snapshot';
import { INTERVALS_KEPT } from './intervals';

export interface LatencyMeterCheckpoint {
  /** null between intervals. */
  began: Snapshot | null;
  intervals: readonly LatencyCounts[];
}

/**
 * Counts latencies by interval, from some ten readings in each, for the one export that needs the whole
 * histogram of each: the engine's intervals have the figures. One ends with the first reading after its full length.
 */
export class LatencyMeter {
  readonly #length_ns: number;
  readonly #began = emptySnapshot();
  #has_begun = false;
  #intervals: readonly LatencyCounts[] = [];

  constructor(length_s = 1) {
    this.#length_ns = length_s * 1e9;
  }

  /** Oldest first; another array whenever one was added. */
  get intervals(): readonly LatencyCounts[] {
    return this.#intervals;
  }

  onReading(reading: Snapshot): void {
    if (!this.#has_begun) {
      this.#begin(reading);
      return;
    }
    const ends_at_ns = (Math.round(this.#began.run_ns / this.#length_ns) + 1) * this.#length_ns;
    if (reading.run_ns < ends_at_ns) return;
    this.#intervals = [...this.#intervals, this.#countsUntil(reading)].slice(-INTERVALS_KEPT);
    this.#begin(reading);
  }

  /** What it takes to come back to this moment. */
  checkpoint(): LatencyMeterCheckpoint {
    const began = emptySnapshot();
    copySnapshot(this.#began, began);
    return { began: this.#has_begun ? began : null, intervals: this.#intervals };
  }

  restore({ began, intervals }: LatencyMeterCheckpoint): void {
    this.#intervals = intervals;
    this.#has_begun = began !== null;
    if (began !== null) copySnapshot(began, this.#began);
  }

  /** Drops the current interval: for some of it, nothing was sampled. */
  startAgain(): void {
    this.#has_begun = false;
  }

  #countsUntil({ run_ns, histogram }: Snapshot): LatencyCounts {
    const counts = occupiedBuckets(histogramDelta(this.#began.histogram, histogram));
    return { from_s: this.#began.run_ns / 1e9, to_s: run_ns / 1e9, counts };
  }

  #begin(reading: Snapshot): void {
    copySnapshot(reading, this.#began);
    this.#has_begun = true;
  }
}
