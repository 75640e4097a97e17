import type { LatchRow } from '../contract/live-view';
import { acquisitionsPerOperation } from './latch-table';
import type { MeasuredHere, ReportedFigure } from '../contract/manifest';
import type { RunResult } from '../contract/run-result';
import { ratePerSecond, windowLatencies, type Window } from './window';

/** What a run has come to. */
export interface RunConditions {
  /** The preset that is in force; null if the design is none. */
  design: string | null;
  /** Actions that were done so far, oldest first. */
  actions: readonly string[];
  /** Something of the server is supposed to be different, so nothing that was reported is about it. */
  supposes: boolean;
}

export function isComparable({ when }: MeasuredHere, { design, actions, supposes }: RunConditions): boolean {
  if (supposes) return false;
  if (when?.design !== undefined && when.design !== design) return false;
  if (when?.before !== undefined && actions.includes(when.before)) return false;
  return when?.after === undefined || when.after === actions.at(-1);
}

export function measuredHere(here: MeasuredHere, window: Window, latch_rows: LatchRow[]): number | null {
  switch (here.kind) {
    case 'counter_per_second':
      return ratePerSecond(window, here.of);
    case 'transactions_per_second':
      return ratePerSecond(window, 'transactions');
    case 'read_write_requests_per_second':
      return sumIfKnown(['queries_read', 'queries_write'].map((counter) => ratePerSecond(window, counter)));
    case 'latch_acquisitions_per_operation':
      return acquisitionsPerOperation(latch_rows, here.of);
    case 'latency_ms_p95':
      return windowPercentile_ms(window, 95);
    case 'latency_ms_p99':
      return windowPercentile_ms(window, 99);
    // Only the run's result says it.
    case 'futex_bucket_spin_percent':
      return null;
  }
}

/** Of the whole run: what no window tells. */
export function measuredInResult(here: MeasuredHere, { model }: RunResult): number | null {
  if (here.kind !== 'futex_bucket_spin_percent' || model === undefined || model.busy_ps === 0) return null;
  return (100 * model.bucket_spin_ps) / model.busy_ps;
}

/** What a design is held against: of a range that spans two designs its own end; null where it is neither. */
export function reportedUnder(
  { value, ends }: ReportedFigure,
  design: string | null,
): ReportedFigure['value'] | null {
  if (ends === undefined || typeof value === 'number') return value;
  const end = ends.findIndex((preset) => preset === design);
  return value[end] ?? null;
}

/** How many times the reported figure is measured here; for a reported range, its nearer end counts, 1 inside. */
export function ratioToReported(here: number, reported: number | readonly [number, number]): number | null {
  const [low, high] = typeof reported === 'number' ? [reported, reported] : reported;
  const nearest = Math.min(Math.max(here, low), high);
  return nearest === 0 ? null : here / nearest;
}

export const sumIfKnown = (values: readonly (number | null)[]) =>
  values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);

function windowPercentile_ms(window: Window, percentile: number): number | null {
  const [latency_ns] = windowLatencies(window, [percentile]).percentiles_ns;
  return latency_ns == null ? null : latency_ns / 1e6;
}
