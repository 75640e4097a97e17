import type { LatencyCounts } from '../analysis/exports/hdr-log';
import { histogramDelta } from '../analysis/histogram';
import { sysbenchInterval, type SysbenchInterval } from '../analysis/sysbench';
import type { SysbenchPercentile } from '../contract/manifest';
import { copySnapshot, emptySnapshot, type Snapshot } from '../engine-client/snapshot';

/** Ten minutes; of a longer run the oldest are dropped. */
export const INTERVALS_KEPT = 600;

/**
 * Cuts a run into sysbench's intervals, out of readings that come about ten times in each. An interval ends with the
 * first reading after its full length, and its rates are those of the time that it really took.
 */
export class IntervalMeter {
  readonly #percentile: SysbenchPercentile;
  readonly #length_ns: number;
  readonly #began = emptySnapshot();
  #has_begun = false;
  #intervals: readonly SysbenchInterval[] = [];
  #latencies: readonly LatencyCounts[] = [];

  constructor(percentile: SysbenchPercentile, length_s = 1) {
    this.#percentile = percentile;
    this.#length_ns = length_s * 1e9;
  }

  /** Oldest first; another array whenever one was added. */
  get intervals(): readonly SysbenchInterval[] {
    return this.#intervals;
  }

  /** Of the same intervals. */
  get latencies(): readonly LatencyCounts[] {
    return this.#latencies;
  }

  onReading(reading: Snapshot): void {
    if (!this.#has_begun) {
      this.#begin(reading);
      return;
    }
    const ends_at_ns = (Math.round(this.#began.run_ns / this.#length_ns) + 1) * this.#length_ns;
    if (reading.run_ns < ends_at_ns) return;
    const interval = sysbenchInterval({ before: this.#began, after: reading }, this.#percentile);
    this.#intervals = [...this.#intervals, interval].slice(-INTERVALS_KEPT);
    this.#latencies = [...this.#latencies, this.#latenciesUntil(reading)].slice(-INTERVALS_KEPT);
    this.#begin(reading);
  }

  /** Drops the interval under way: there was a time in which nobody looked. */
  startAgain(): void {
    this.#has_begun = false;
  }

  #latenciesUntil({ run_ns, histogram }: Snapshot): LatencyCounts {
    const counts = histogramDelta(this.#began.histogram, histogram);
    return { from_s: this.#began.run_ns / 1e9, to_s: run_ns / 1e9, counts };
  }

  #begin(reading: Snapshot): void {
    copySnapshot(reading, this.#began);
    this.#has_begun = true;
  }
}
