import { acquisitionsPerOperation, type LatchRow } from './latch-table';
import type { MeasuredHere } from '../contract/manifest';
import { ratePerSecond, windowPercentiles_ns, type Window } from './window';

/** What a run has come to. */
export interface RunConditions {
  /** The preset that is in force; null if the design is none. */
  design: string | null;
  /** Actions that were done so far, oldest first. */
  actions: readonly string[];
}

export function isComparable({ when }: MeasuredHere, { design, actions }: RunConditions): boolean {
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
      return sumIfKnown(ratePerSecond(window, 'queries_read'), ratePerSecond(window, 'queries_write'));
    case 'latch_acquisitions_per_operation':
      return acquisitionsPerOperation(latch_rows, here.of);
    case 'latency_ms_p95':
      return windowPercentile_ms(window, 95);
    case 'latency_ms_p99':
      return windowPercentile_ms(window, 99);
  }
}

/** How many times the reported figure is measured here; for a reported range, its nearer end counts, 1 inside. */
export function ratioToReported(here: number, reported: number | readonly [number, number]): number | null {
  const [low, high] = typeof reported === 'number' ? [reported, reported] : reported;
  const nearest = Math.min(Math.max(here, low), high);
  return nearest === 0 ? null : here / nearest;
}

const sumIfKnown = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

function windowPercentile_ms(window: Window, percentile: number): number | null {
  const [latency_ns] = windowPercentiles_ns(window, [percentile]);
  return latency_ns == null ? null : latency_ns / 1e6;
}
