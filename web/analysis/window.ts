// Computes growth, rates and latencies between two readings of a run.
import { counterIndex, type Snapshot } from '../engine-client/snapshot';
import { histogramDelta, largestNs, percentilesNs } from './histogram';

/**
 * Two readings of one run, the earlier first. Every figure of the page is a difference between
 * them.
 */
export interface Window {
  before: Snapshot;
  after: Snapshot;
}

export function windowSeconds({ before, after }: Window): number {
  return (after.runNs - before.runNs) / 1e9;
}

/** Returns how much a counter grew; null if the readings belong to different runs. */
export function counterGrowth(window: Window, counter: string): number | null {
  if (window.before.runGeneration !== window.after.runGeneration) return null;
  const index = counterIndex(counter);
  return window.after.counters[index]! - window.before.counters[index]!;
}

/** Returns null if the rate is unknown. */
export const perSecond = (growth: number | null, seconds: number): number | null =>
  growth === null || seconds <= 0 ? null : growth / seconds;

/** Returns the growth of a counter per second of run time; null if it is unknown. */
export const ratePerSecond = (window: Window, counter: string): number | null =>
  perSecond(counterGrowth(window, counter), windowSeconds(window));

export interface WindowLatencies {
  percentilesNs: (number | null)[];
  /** null if no transaction was timed. */
  maxNs: number | null;
}

/** Computes latencies of the transactions that were timed within the window. */
export function windowLatencies(window: Window, percentiles: readonly number[]): WindowLatencies {
  const timed = counterGrowth(window, 'latency_samples') ?? 0;
  const counts = histogramDelta(window.before.histogram, window.after.histogram);
  return {
    percentilesNs: percentilesNs(counts, percentiles, timed),
    maxNs: timed === 0 ? null : largestNs(counts),
  };
}
