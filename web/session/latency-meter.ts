// Counts latencies per interval for exports.
import type { LatencyCounts } from '../analysis/exports/hdr-log';
import { histogramDelta, occupiedBuckets } from '../analysis/histogram';
import type { Snapshot } from '../engine-client/snapshot';
import { INTERVALS_KEPT } from './intervals';

/** Never changes. */
export interface LatencyMeterCheckpoint {
  /** null between intervals. */
  began: Snapshot | null;
  intervals: readonly LatencyCounts[];
}

/**
 * Counts latencies per interval, from about ten readings each. Only one export needs these
 * histograms; other figures come from the engine's intervals. An interval ends with the first
 * reading after its full length.
 */
export class LatencyMeter {
  readonly #lengthNs: number;
  #now: LatencyMeterCheckpoint = { began: null, intervals: [] };

  constructor(lengthS = 1) {
    this.#lengthNs = lengthS * 1e9;
  }

  /** Oldest first. Each added interval creates a new array. */
  get intervals(): readonly LatencyCounts[] {
    return this.#now.intervals;
  }

  /** REQUIRES: no one changes the reading afterwards, because it is stored without a copy. */
  onReading(reading: Snapshot): void {
    const { began, intervals } = this.#now;
    if (began === null) {
      this.#now = { began: reading, intervals };
      return;
    }
    const endsAtNs = (Math.round(began.runNs / this.#lengthNs) + 1) * this.#lengthNs;
    if (reading.runNs < endsAtNs) return;
    const longer = [...intervals, countsBetween(began, reading)].slice(-INTERVALS_KEPT);
    this.#now = { began: reading, intervals: longer };
  }

  /** Returns the state to restore when the run returns to this moment. */
  checkpoint(): LatencyMeterCheckpoint {
    return this.#now;
  }

  restore(checkpoint: LatencyMeterCheckpoint): void {
    this.#now = checkpoint;
  }

  /** Drops the current interval, because part of it was not sampled. */
  startAgain(): void {
    this.#now = { ...this.#now, began: null };
  }
}

function countsBetween(began: Snapshot, { runNs, histogram }: Snapshot): LatencyCounts {
  const counts = occupiedBuckets(histogramDelta(began.histogram, histogram));
  return { fromS: began.runNs / 1e9, toS: runNs / 1e9, counts };
}
