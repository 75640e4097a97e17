// Selects the data that comparisons and sweeps store of each run.
import type { CountedRun, ExperimentRun, Kept, RunOutcome } from '../../contract/experiment-outcome';
import { LATE_SHARE, measuredPart } from '../../analysis/statistics/measured-part';
import type { Plan, PlannedRun } from '../../contract/experiment-plan';
import type { RunResult } from '../../contract/run-result';
import { Batch, faultOfRun, type BatchPort, type BatchProgress } from '../../session/batch';
import type { SeriesRunReport } from '../../session/run-series';

export type ExperimentProgress = BatchProgress<PlannedRun>;

export const designOf = ({ design }: PlannedRun) => design;

export const batchOf = (
  plan: Plan,
  port: BatchPort,
  onProgress: (progress: ExperimentProgress, finished: readonly ExperimentRun[]) => void,
) =>
  new Batch<PlannedRun, Kept>(
    { runs: plan.runs, judge: (run, report) => outcomeOfRun(plan, run, report), kindOf: designOf },
    port,
    onProgress,
  );

/** Returns the stored data of a run, or why it does not count. */
export function outcomeOfRun(
  { from_s, duration_s, interval_s }: Plan,
  { spec }: PlannedRun,
  report: SeriesRunReport,
): RunOutcome<Kept> {
  const { result } = report;
  const endedS = result.intervals.at(-1)?.t_s ?? 0;
  if (result.stopped_early === undefined && endedS < duration_s - interval_s) {
    return { ok: false, reason: `stopped after ${round(endedS)} s of ${duration_s} s` };
  }
  const fault = faultOfRun(spec, report);
  if (fault !== null) return { ok: false, reason: fault };
  const measured = measuredPart(result.intervals, {
    fromS: from_s,
    earliestS: Math.max(0, ...spec.actions.map(({ at_s }) => at_s)),
    toS: duration_s,
    intervalS: interval_s,
    clients: spec.threads,
  });
  if (measured.seconds === 0)
    return { ok: false, reason: 'no interval in the measured part; use a longer run' };
  const points = result.intervals
    .filter(({ t_s }) => t_s <= duration_s + interval_s * LATE_SHARE)
    .map(({ t_s, tps, latency_ms }) => ({ t_s, tps, p99_ms: tps > 0 ? latency_ms.p99 : null }));
  return { ok: true, measured, points, counted: countedOf(result) };
}

function countedOf({ latches, counters }: RunResult): CountedRun {
  const acquisitions: Record<string, number> = {};
  for (const { latch, acquisitions: taken } of latches)
    acquisitions[latch] = (acquisitions[latch] ?? 0) + taken;
  return { acquisitions, counters };
}

const round = (value: number) => Number(value.toPrecision(3));
