// Measures a run in the terms of the report's figures, and compares the two.
import type { LatchRow } from '../contract/live-view';
import { acquisitionsPerOperation } from './latch-table';
import type { MeasuredHere, ReportedFigure } from '../contract/manifest';
import type { RunResult } from '../contract/run-result';
import { ratePerSecond, windowLatencies, type Window } from './window';

/** The current conditions of a run. */
export interface RunConditions {
  /** The preset in force; null if the design matches none. */
  design: string | null;
  /** Actions so far, oldest first. */
  actions: readonly string[];
  /** The run assumes a different server, so no reported figure applies to it. */
  supposes: boolean;
}

export function isComparable({ when }: MeasuredHere, { design, actions, supposes }: RunConditions): boolean {
  if (supposes) return false;
  if (when?.design !== undefined && when.design !== design) return false;
  if (when?.before !== undefined && actions.includes(when.before)) return false;
  return when?.after === undefined || when.after === actions.at(-1);
}

export function measuredHere(here: MeasuredHere, window: Window, latchRows: LatchRow[]): number | null {
  switch (here.kind) {
    case 'counter_per_second':
      return ratePerSecond(window, here.of);
    case 'transactions_per_second':
      return ratePerSecond(window, 'transactions');
    case 'read_write_requests_per_second':
      return sumIfKnown(['queries_read', 'queries_write'].map((counter) => ratePerSecond(window, counter)));
    case 'latch_acquisitions_per_operation':
      return acquisitionsPerOperation(latchRows, here.of);
    case 'latency_ms_p95':
      return windowPercentileMs(window, 95);
    case 'latency_ms_p99':
      return windowPercentileMs(window, 99);
    // Only a run's result has it.
    case 'futex_bucket_spin_percent':
      return null;
  }
}

/** Returns figures that only exist for a whole run. */
export function measuredInResult(here: MeasuredHere, { model }: RunResult): number | null {
  if (here.kind !== 'futex_bucket_spin_percent' || model === undefined || model.busy_ps === 0) return null;
  return (100 * model.bucket_spin_ps) / model.busy_ps;
}

/**
 * Returns the value to compare a design with. For a range between two designs, it is the end of
 * this design; null if it is neither.
 */
export function reportedUnder(
  { value, ends }: ReportedFigure,
  design: string | null,
): ReportedFigure['value'] | null {
  if (ends === undefined || typeof value === 'number') return value;
  const end = ends.findIndex((preset) => preset === design);
  return value[end] ?? null;
}

/**
 * Returns the measured value as a multiple of the reported one. For a range, the nearer end counts;
 * inside, the result is 1.
 */
export function ratioToReported(here: number, reported: number | readonly [number, number]): number | null {
  const [low, high] = typeof reported === 'number' ? [reported, reported] : reported;
  const nearest = Math.min(Math.max(here, low), high);
  return nearest === 0 ? null : here / nearest;
}

export const sumIfKnown = (values: readonly (number | null)[]) =>
  values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);

function windowPercentileMs(window: Window, percentile: number): number | null {
  const [latencyNs] = windowLatencies(window, [percentile]).percentilesNs;
  return latencyNs == null ? null : latencyNs / 1e6;
}
