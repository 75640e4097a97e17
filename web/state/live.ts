import { latchRows, type LatchRow } from '../analysis/latch-table';
import { measuredHere, ratioToReported } from '../analysis/reported';
import { foldStacks, type FoldedStack } from '../analysis/stacks';
import { timeShares, type BusyState } from '../analysis/time-shares';
import {
  counterGrowth,
  ratePerSecond,
  windowPercentiles_ns,
  windowSeconds,
  type Window,
} from '../analysis/window';
import { counterIndex, type Names } from '../engine-client/snapshot';
import type { Manifest } from './manifest';
import type { Sampler } from './sampler';

const NOW_WINDOW_S = 1;
const TABLE_WINDOW_S = 5;
const STACKS_SHOWN = 8;

/** What the tiles and tables show, worked out about twice a second. Null is a number that is not known. */
export interface LiveView {
  run_s: number;
  transactions_per_s: number | null;
  operations_per_s: number | null;
  p50_ns: number | null;
  p95_ns: number | null;
  p99_ns: number | null;
  time_shares: Record<BusyState, number> | null;
  /** Run time that the tables look back on: since the last mark, at most TABLE_WINDOW_S. */
  table_window_s: number;
  latch_rows: LatchRow[];
  counters: { name: string; total: number; per_s: number | null }[];
  stacks: FoldedStack[];
  stacks_seen: number;
  /** Measured counterparts of the manifest's reported figures, by their id. */
  measured: Record<string, { here: number | null; ratio: number | null }>;
}

/** Null until there are two readings to compare. */
export function liveView(
  sampler: Sampler,
  names: Names,
  manifest: Manifest,
  last_mark_ns: number,
): LiveView | null {
  const now = sampler.window(NOW_WINDOW_S, last_mark_ns);
  const table = sampler.window(TABLE_WINDOW_S, last_mark_ns);
  if (now === null || table === null) return null;
  const [p50_ns = null, p95_ns = null, p99_ns = null] = windowPercentiles_ns(now, [50, 95, 99]);
  const latch_rows = latchRows(table, names, manifest.unit_of_work.operation_counter);
  return {
    run_s: now.after.run_ns / 1e9,
    transactions_per_s: ratePerSecond(now, 'transactions'),
    operations_per_s: ratePerSecond(now, manifest.unit_of_work.operation_counter),
    p50_ns,
    p95_ns,
    p99_ns,
    time_shares: timeShares(now),
    table_window_s: windowSeconds(table),
    latch_rows,
    counters: manifest.shown_counters.map((name) => ({
      name,
      total: table.after.counters[counterIndex(name)]!,
      per_s: counterGrowth(table, name) === null ? null : ratePerSecond(table, name),
    })),
    stacks: foldStacks(sampler.stack_samples, sampler.stack_table, names.functions, STACKS_SHOWN),
    stacks_seen: sampler.stack_samples.reduce((sum, stacks) => sum + stacks.length, 0),
    measured: measuredFigures(manifest, table, latch_rows),
  };
}

function measuredFigures(manifest: Manifest, window: Window, rows: LatchRow[]) {
  const entries = manifest.reported.flatMap(({ id, value, here }) => {
    if (here === undefined) return [];
    const measured = measuredHere(here, window, rows);
    const ratio = measured === null ? null : ratioToReported(measured, value);
    return [[id, { here: measured, ratio }] as const];
  });
  return Object.fromEntries(entries);
}
