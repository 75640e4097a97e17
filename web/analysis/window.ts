// Computes growth, rates and latencies between two readings of a run.
import { counterIndex, type Snapshot } from '../engine-client/snapshot';
import { histogramDelta, largestNs, percentilesNs } from './histogram';
import { thread_states } from '../contract/gen/telemetry-layout';
import { busy_states, timeSharesOf, type BusyState, type TimeShares } from '../contract/time-shares';

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
  return growthOfCounterAt(window, counterIndex(counter));
}

function growthOfCounterAt({ before, after }: Window, index: number): number | null {
  return before.runGeneration === after.runGeneration
    ? after.counters[index]! - before.counters[index]!
    : null;
}

/** Returns null if the rate is unknown. */
export const perSecond = (growth: number | null, seconds: number): number | null =>
  growth === null || seconds <= 0 ? null : growth / seconds;

/** Returns the growth of a counter per second of run time; null if it is unknown. */
export const ratePerSecond = (window: Window, counter: string): number | null =>
  perSecond(counterGrowth(window, counter), windowSeconds(window));

/** Returns the same for a counter by its place in a reading. */
export const ratePerSecondAt = (window: Window, index: number): number | null =>
  perSecond(growthOfCounterAt(window, index), windowSeconds(window));

interface WindowLatencies {
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

/** Returns the share of samples, or of time, in each thread state; null if there are none. */
export function timeShares(
  { before, after }: Window,
  of: 'clientStates' | 'serverStates' = 'clientStates',
): TimeShares | null {
  const growth = (state: BusyState) => {
    const index = thread_states.indexOf(state);
    return after[of][index]! - before[of][index]!;
  };
  const known = busy_states.filter((state) => !Number.isNaN(growth(state)));
  const total = known.reduce((sum, state) => sum + growth(state), 0);
  if (total <= 0) return null;
  return timeSharesOf(Object.fromEntries(known.map((state) => [state, growth(state) / total])));
}
