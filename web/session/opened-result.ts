// Converts a run result to the state that the page shows. Everything shown comes from the result.
import type { LatchFigures, LatchRow, LiveView, MeasuredFigures } from '../contract/live-view';
import { timeSharesOf } from '../contract/time-shares';
import { contendedShare } from '../analysis/latch-table';
import { sumIfKnown } from '../analysis/reported';
import { perSecond } from '../analysis/window';
import { type HistoryRow, historyColumns, History } from '../recording/history';
import { intervalsOf } from './intervals';
import { conditionsOf } from './designs';
import { besideTps, figuresOfResult, STACKS_SHOWN } from './live';
import { describeMark, type LogEntry } from './log';
import type { DrawnInterval, Manifest } from '../contract/manifest';
import type { RunResult } from '../contract/run-result';
import { runMark, type RunMark } from '../recording/run-marks';
import { extendServerLog, emptyServerLog } from '../recording/server-log';
import type { ExplorerState, OpenedFile } from './store';
import { previousRunOf, type PreviousRun } from './previous-run';

type ShownOfRun = Pick<ExplorerState, 'result' | 'intervals' | 'sysbenchHeader' | 'sysbenchReport'>;

type Shown = ShownOfRun & Pick<ExplorerState, 'spec' | 'live' | 'marks' | 'log' | 'server_log' | 'run_state'>;

/** Applies to results of this page's runs and of files. Older files lack sysbench's output. */
export function shownOfRun(result: RunResult): ShownOfRun {
  const { header = null, report = null } = result.sysbench ?? {};
  return { result, intervals: intervalsOf(result), sysbenchHeader: header, sysbenchReport: report };
}

/** Returns the page's state for a result opened from a file. */
export function shownOfResult(result: RunResult, manifest: Manifest, file: OpenedFile): Shown {
  const marks = marksOf(result, manifest);
  return {
    spec: result.spec,
    run_state: 'finished',
    ...shownOfRun(result),
    live: liveViewOf(result, manifest),
    marks,
    log: [openedEntry(file), ...marks.map(describeMark), finishedEntry(result)],
    server_log: extendServerLog(emptyServerLog, { lines: result.log, missed: 0, next: 0 }),
  };
}

export const historyRowsOf = ({ intervals, counters }: RunResult): HistoryRow[] =>
  stepsOf(intervals, wasTimed(counters));

/** Draws each interval as a step: its averages from its begin to its end. */
export function stepsOf(intervals: readonly DrawnInterval[], wasTimed = true): HistoryRow[] {
  const nothing = Object.fromEntries(historyColumns.map((name) => [name, null])) as HistoryRow;
  const toNs = (ms: number) => (wasTimed && ms > 0 ? ms * 1e6 : null);
  let transactions = 0;
  return intervals.flatMap(({ t_s, tps, latency_ms }, index) => {
    const fromS = intervals[index - 1]?.t_s ?? 0;
    const before = transactions;
    transactions += tps * (t_s - fromS);
    const row = {
      ...nothing,
      transactions_per_s: tps,
      p50_ns: toNs(latency_ms.p50),
      p95_ns: toNs(latency_ms.p95),
      p99_ns: toNs(latency_ms.p99),
      max_ns: toNs(latency_ms.max),
    };
    return [
      { ...row, t_s: fromS, transactions: before },
      { ...row, t_s, from_s: fromS, transactions },
    ];
  });
}

const wasTimed = (counters: Record<string, number>) => (counters.latency_samples ?? 0) > 0;

const openedEntry = ({ name }: OpenedFile): LogEntry => ({ tS: null, text: `opened from ${name}` });

function finishedEntry({ totals, stopped_early }: RunResult): LogEntry {
  const early = stopped_early === undefined ? '' : ` early: ${stopped_early}`;
  return { tS: totals.seconds, text: `finished${early}` };
}

/**
 * Derives marks from the run spec of the result, up to the end of the run. The spec includes
 * interactive changes.
 */
export function marksOf({ spec, totals, latches_stopped = [] }: RunResult, manifest: Manifest): RunMark[] {
  const { from_s = 0 } = spec.what_if ?? {};
  const supposed = from_s > 0 && from_s <= totals.seconds ? [{ at_s: from_s, kind: 'what_if' as const }] : [];
  const stopped = latches_stopped.map((stop) => ({ ...stop, kind: 'latch_stopped' as const }));
  return [...supposed, ...spec.actions, ...stopped]
    .filter(({ at_s }) => at_s <= totals.seconds)
    .sort((a, b) => a.at_s - b.at_s)
    .map((timed, number) => {
      const runNs = timed.at_s * 1e9;
      const mark = { number, run_ns: runNs, stopped_us: 0, step_ns: runNs, is_by_hand: false };
      if ('kind' in timed) {
        const subject = 'knob' in timed ? manifest.knobs.findIndex(({ id }) => id === timed.knob) : 0;
        return runMark({ ...mark, kind: timed.kind, subject, value: 0 }, manifest);
      }
      if ('action' in timed) {
        const subject = manifest.actions.findIndex(({ id }) => id === timed.action);
        return runMark({ ...mark, kind: 'action', subject, value: 0 }, manifest);
      }
      const subject = manifest.knobs.findIndex(({ id }) => id === timed.knob);
      const value = manifest.knobs[subject]!.variants.findIndex(({ id }) => id === timed.variant);
      return runMark({ ...mark, kind: 'knob', subject, value }, manifest);
    });
}

function liveViewOf(result: RunResult, manifest: Manifest): LiveView {
  const { totals, counters, cpu, engine_cpu, stacks } = result;
  const { operation_counter } = manifest.unit_of_work;
  const countedS = countedSeconds(result);
  const countPerSecond = (name: string) => perSecond(counters[name] ?? null, countedS);
  const counterFigures = (name: string) => ({
    total: counters[name] ?? Number.NaN,
    per_s: name.endsWith('_max') ? null : countPerSecond(name),
  });
  const onlyStacks = { is_client: null, states: {}, doing: null };
  const flame = stacks.map(({ frames, samples }) => ({ frames, samples, ...onlyStacks }));
  const latencyNs = (ms: number) => (wasTimed(counters) ? ms * 1e6 : null);
  return {
    run_s: totals.seconds,
    rate_window_s: totals.seconds,
    is_settled: true,
    transactions_per_s: totals.tps,
    operations_per_s: countPerSecond(operation_counter),
    beside_tps_per_s: sumIfKnown((besideTps(manifest)?.counters ?? []).map(countPerSecond)),
    p50_ns: latencyNs(totals.latency_ms.p50),
    p95_ns: latencyNs(totals.latency_ms.p95),
    p99_ns: latencyNs(totals.latency_ms.p99),
    time_shares: timeSharesOf(cpu),
    table_window_s: totals.seconds,
    latch_rows: latchRowsOf(result, operation_counter),
    latches_now: {},
    counters: manifest.shown_counters.map((name) => ({ name, ...counterFigures(name) })),
    counts: Object.fromEntries(Object.keys(counters).map((name) => [name, counterFigures(name)])),
    flame: { recent: flame, run: flame },
    stacks: stacks
      .slice(0, STACKS_SHOWN)
      .map(({ frames, samples }) => ({ frames: frames.toReversed(), count: samples })),
    stacks_seen: stacks.reduce((sum, { samples }) => sum + samples, 0),
    samples_s: totals.seconds,
    blocked: { holding_others_up: null, most_frequent: null, cause: null },
    profile: { samples: 0, polling: null, rows: [] },
    cpu: { clients: timeSharesOf(cpu), server: timeSharesOf(engine_cpu) },
    measured: measuredIn(result, manifest),
  };
}

/** Totals of a whole run are meaningless for a design that applied to only part of it. */
export function measuredIn(result: RunResult, manifest: Manifest): MeasuredFigures {
  const marks = marksOf(result, manifest);
  if (marks.some(({ kind }) => kind === 'knob' || kind === 'latch_stopped')) return {};
  return figuresOfResult(manifest, conditionsOf(result.spec, marks, manifest), result);
}

/**
 * Returns the seconds for which counters and latches counted: until clients had ended their last
 * transactions.
 */
export const countedSeconds = ({ totals, drain }: RunResult) => totals.seconds + (drain?.seconds ?? 0);

function latchRowsOf(result: RunResult, operationCounter: string): LatchRow[] {
  const { latches, counters, spec } = result;
  const countedS = countedSeconds(result);
  const clientsNs = spec.threads * countedS * 1e9;
  const figures = (sites: RunResult['latches']): LatchFigures => {
    const sum = (field: LatchCount) => sites.reduce((total, site) => total + (site[field] ?? 0), 0);
    const isKnown = (field: LatchCount) => sites.every((site) => site[field] !== undefined);
    const acquisitions = sum('acquisitions');
    const contended = sum('contended');
    const waits = sum('waits');
    const waitNs = sum('wait_ns');
    return {
      acquisitions,
      acquisitions_per_s: share(acquisitions, countedS),
      per_operation: share(acquisitions, counters[operationCounter] ?? 0),
      contended_share: contendedShare({ acquisitions, contended }),
      waiting_share: share(waitNs, clientsNs),
      // A result counts polls, but not their duration.
      spinning_share: null,
      line_stall_share: isKnown('line_stall_ns') ? share(sum('line_stall_ns'), clientsNs) : null,
      queue_mean: isKnown('queue_ns') ? share(sum('queue_ns'), countedS * 1e9) : null,
      cost_share: isKnown('cost_ns') ? share(sum('cost_ns'), clientsNs) : null,
      mean_wait_ns: share(waitNs, waits),
      mean_hold_ns: share(sum('hold_ns'), acquisitions),
      contended,
      waits,
      wait_ns: waitNs,
    };
  };
  return [...new Set(latches.map(({ latch }) => latch))].map((latch) => {
    const sites = latches.filter((site) => site.latch === latch);
    return {
      latch,
      ...figures(sites),
      sites: sites.map((site) => ({ function: site.site, ...figures([site]) })),
    };
  });
}

type LatchCount = Exclude<keyof RunResult['latches'][number], 'latch' | 'site'>;

const share = (part: number, whole: number) => (whole > 0 ? part / whole : null);

/**
 * Converts the result of a run that was not shown to a run that charts draw behind the present one.
 * Each interval becomes a step.
 */
export function previousRunOfResult(
  result: RunResult,
  manifest: Manifest,
  kind: PreviousRun['kind'],
): PreviousRun {
  const history = new History();
  history.show(historyRowsOf(result));
  return previousRunOf({ history, kind, spec: result.spec, marks: marksOf(result, manifest) }, manifest);
}
