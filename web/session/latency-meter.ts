import type { LatencyCounts } from '../analysis/exports/hdr-log';
import { histogramDelta, occupiedBuckets } from '../analysis/histogram';
import type { Snapshot } from '../engine-client/snapshot';
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
  /** null between intervals. */
  #began: Snapshot | null = null;
  #intervals: readonly LatencyCounts[] = [];

  constructor(length_s = 1) {
    this.#length_ns = length_s * 1e9;
  }

  /** Oldest first; another array whenever one was added. */
  get intervals(): readonly LatencyCounts[] {
    return this.#intervals;
  }

  /** The reading is kept as it is: nobody may change it. */
  onReading(reading: Snapshot): void {
    if (this.#began === null) {
      this.#began = reading;
      return;
    }
    const ends_at_ns = (Math.round(this.#began.run_ns / this.#length_ns) + 1) * this.#length_ns;
    if (reading.run_ns < ends_at_ns) return;
    this.#intervals = [...this.#intervals, countsBetween(this.#began, reading)].slice(-INTERVALS_KEPT);
    this.#began = reading;
  }

  /** What it takes to come back to this moment. */
  checkpoint(): LatencyMeterCheckpoint {
    return { began: this.#began, intervals: this.#intervals };
  }

  restore({ began, intervals }: LatencyMeterCheckpoint): void {
    this.#began = began;
    this.#intervals = intervals;
  }

  /** Drops the current interval: for some of it, nothing was sampled. */
  startAgain(): void {
    this.#began = null;
  }
}

function countsBetween(began: Snapshot, { run_ns, histogram }: Snapshot): LatencyCounts {
  const counts = occupiedBuckets(histogramDelta(began.histogram, histogram));
  return { from_s: began.run_ns / 1e9, to_s: run_ns / 1e9, counts };
}
