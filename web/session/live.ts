// Computes the figures of tiles and tables during a run.
import type { CounterFigures, LatchRow, LiveView, MeasuredFigures } from '../contract/live-view';
import { blockedStacks, latchesNow } from '../analysis/blocked-stacks';
import { cpuProfile, flameStacks } from '../analysis/flame';
import { latchRows } from '../analysis/latch-table';
import {
  isComparable,
  measuredHere,
  measuredInResult,
  ratioToReported,
  reportedUnder,
  sumIfKnown,
  type RunConditions,
} from '../analysis/reported';
import { foldStacks } from '../analysis/thread-sample';
import {
  ratePerSecond,
  ratePerSecondAt,
  timeShares,
  windowLatencies,
  windowSeconds,
  type Window,
} from '../analysis/window';
import { counters } from '../contract/gen/telemetry-layout';
import type { Platform } from '../contract/platforms';
import { counterIndex, type Names } from '../engine-client/snapshot';
import type { Manifest, ReportedFigure } from '../contract/manifest';
import type { RunResult } from '../contract/run-result';
import type { SampledWindow, Sampler } from './sampler';
import type { TimeScale } from '../recording/time-scale';

export const STACKS_SHOWN = 8;
const SYMBOLS_SHOWN = 24;

/** The inputs of a view in addition to the samples. */
export interface LiveContext {
  names: Names;
  manifest: Manifest;
  platform: Platform;
  timeScale: TimeScale;
  lastMarkNs: number;
}

/** The window that tables show. */
export interface TableWindow {
  table: SampledWindow;
  latchRows: LatchRow[];
}

/** Returns null until there are two readings to compare. */
export function tableWindow(sampler: Sampler, context: LiveContext): TableWindow | null {
  const { names, manifest, platform, timeScale, lastMarkNs } = context;
  const table = sampler.window(timeScale.tableWindowS, lastMarkNs);
  if (table === null) return null;
  const { operation_counter } = manifest.unit_of_work;
  const isModeled = platform === 'virtual';
  return {
    table,
    latchRows: latchRows(table, names, { operationCounter: operation_counter, isModeled }),
  };
}

/** Returns null until there are two readings to compare. */
export function liveView(
  sampler: Sampler,
  { names, manifest, timeScale, lastMarkNs }: LiveContext,
  { table, latchRows }: TableWindow,
  measured: MeasuredFigures,
): LiveView | null {
  const now = sampler.window(timeScale.nowWindowS, lastMarkNs);
  if (now === null) return null;
  const [p50Ns = null, p95Ns = null, p99Ns = null] = windowLatencies(now, [50, 95, 99]).percentilesNs;
  const { threadSamples, stackTable, census } = sampler;
  const samples = { byMoment: threadSamples.slice(), stackTable, names };
  const latches = once(() => latchesNow(samples));
  const stacks = once(() => foldStacks(samples, STACKS_SHOWN));
  const flame = once(() => ({ recent: flameStacks(samples), run: census.stacks(samples) }));
  const blocked = once(() => blockedStacks(samples));
  const figuresOf = (name: string) => counterFigures(table, name, manifest.workload?.program.counters);
  const profile = once(() => cpuProfile(samples, SYMBOLS_SHOWN));
  return {
    run_s: now.after.runNs / 1e9,
    rate_window_s: windowSeconds(now),
    is_settled: now.isSettled,
    transactions_per_s: ratePerSecond(now, 'transactions'),
    operations_per_s: ratePerSecond(now, manifest.unit_of_work.operation_counter),
    beside_tps_per_s: sumIfKnown(
      (besideTps(manifest)?.counters ?? []).map((name) => ratePerSecond(now, name)),
    ),
    p50_ns: p50Ns,
    p95_ns: p95Ns,
    p99_ns: p99Ns,
    time_shares: timeShares(now),
    table_window_s: windowSeconds(table),
    latch_rows: latchRows,
    get latches_now() {
      return latches();
    },
    counters: manifest.shown_counters.map((name) => ({ name, ...figuresOf(name) })),
    counts: Object.fromEntries(counters.map(({ name }) => [name, figuresOf(name)])),
    get stacks() {
      return stacks();
    },
    stacks_seen: samples.byMoment.flat().filter(({ isClient }) => isClient).length,
    samples_s: sampler.samplesS,
    get flame() {
      return flame();
    },
    get blocked() {
      return blocked();
    },
    get profile() {
      return profile();
    },
    cpu: { clients: timeShares(table), server: timeShares(table, 'serverStates') },
    measured,
  };
}

/** Computes a value on first use, because most of a view is not on the screen. */
function once<Value>(workOut: () => Value): () => Value {
  let workedOut: { value: Value } | null = null;
  return () => (workedOut ??= { value: workOut() }).value;
}

/**
 * Returns the content of the second tile: operations, or other counters if the first tile's
 * transactions are the same. null: there is nothing else to show.
 */
export function besideTps({ unit_of_work }: Manifest): { title: string; counters: readonly string[] } | null {
  const { operation, operation_counter, beside_tps } = unit_of_work;
  if (operation_counter === TRANSACTIONS && beside_tps === undefined) return null;
  return beside_tps ?? { title: `${capitalized(operation)}s`, counters: [operation_counter] };
}

const TRANSACTIONS = 'transactions';

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function counterFigures(window: Window, name: string, ofWorkload?: readonly string[]): CounterFigures {
  const index = counterIndex(name, ofWorkload);
  return {
    total: window.after.counters[index]!,
    per_s: name.endsWith('_max') ? null : ratePerSecondAt(window, index),
  };
}

/**
 * Updates the figures measured so far. A figure keeps its value while there is nothing to measure,
 * or while the new value has not settled.
 */
export function measuredFigures(
  before: MeasuredFigures,
  { reported = [] }: Manifest,
  conditions: RunConditions,
  { table, latchRows }: TableWindow,
): MeasuredFigures {
  const entries = reported.flatMap((figure) => {
    const { id, here } = figure;
    if (here === undefined || !isComparable(here, conditions)) return [];
    if (!table.isSettled && here.kind !== 'latch_acquisitions_per_operation') return [];
    const measured = measuredHere(here, table, latchRows);
    return [[id, besideReported(measured, figure, conditions)] as const];
  });
  return { ...before, ...Object.fromEntries(entries) };
}

/**
 * Returns figures that only a run result contains. They cover the whole run, so they apply only to
 * a run under one design.
 */
export function figuresOfResult(
  { reported = [] }: Manifest,
  conditions: RunConditions,
  result: RunResult,
): MeasuredFigures {
  const entries = reported.flatMap((figure) => {
    const { id, here } = figure;
    if (here === undefined || !isComparable(here, conditions)) return [];
    const measured = measuredInResult(here, result);
    return measured === null ? [] : [[id, besideReported(measured, figure, conditions)] as const];
  });
  return Object.fromEntries(entries);
}

function besideReported(here: number | null, figure: ReportedFigure, { design }: RunConditions) {
  const reported = reportedUnder(figure, design);
  return { here, ratio: here === null || reported === null ? null : ratioToReported(here, reported) };
}
