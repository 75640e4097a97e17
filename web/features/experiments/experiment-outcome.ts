// Computes the outcome of a batch, for the views and as files.
import { mean, sum } from 'd3-array';
import { csvFormatRows } from 'd3-dsv';

import type {
  ComparisonOutcome,
  ExperimentOutcome,
  ExperimentRun,
  RunPoint,
  SweepCurve,
  SweepOutcome,
  SweepPoint,
  UslOutcome,
  UslPoint,
} from '../../contract/experiment-outcome';
import {
  EQUIVALENCE_MARGIN,
  ratioOfPairs,
  verdictOf,
  verdictSentence,
} from '../../analysis/statistics/verdict';
import type { Plan } from '../../contract/experiment-plan';

const OUTCOME_VERSION = 1;

/** The runs of one repeat, one per design. */
export interface Repeat {
  repeat: number;
  seed: number;
  /** By design; null if the run is not over yet. */
  runs: readonly (ExperimentRun | null)[];
}

export function repeatsOf(plan: Plan, finished: readonly ExperimentRun[]): Repeat[] {
  const repeats = [...new Set(finished.map(({ repeat }) => repeat))].sort((a, b) => a - b);
  return repeats.map((repeat) => ({
    repeat,
    seed: plan.runs.find((run) => run.repeat === repeat)!.spec.seed,
    runs: plan.designs.map(
      (_, design) => finished.find((run) => run.repeat === repeat && run.design === design) ?? null,
    ),
  }));
}

/** Returns the runs that were still changing at their end and should have been longer. */
export const unsteadyOf = (runs: readonly ExperimentRun[]) =>
  runs.filter((run) => measuredOf(run)?.is_steady === false);

export const measuredOf = (run: ExperimentRun | null) =>
  run?.outcome.ok === true ? run.outcome.measured : null;

export function comparisonOutcome(plan: Plan, runs: readonly ExperimentRun[]): ComparisonOutcome {
  const measuredPairs = repeatsOf(plan, runs).flatMap((repeat) => {
    const [a, b] = repeat.runs.map(measuredOf);
    return a != null && b != null ? [[a, b] as const] : [];
  });
  const throughput = ratioOfPairs(measuredPairs.map(([a, b]) => [a.tps, b.tps] as const));
  const p99 = ratioOfPairs(measuredPairs.map(([a, b]) => [a.p99_ms ?? 0, b.p99_ms ?? 0] as const));
  const [a, b] = plan.designs;
  return {
    version: OUTCOME_VERSION,
    kind: 'comparison',
    plan,
    runs,
    throughput,
    p99,
    margin: EQUIVALENCE_MARGIN,
    verdict: verdictOf(throughput),
    sentence: verdictSentence({
      a: a!.title,
      b: b!.title,
      estimate: throughput,
      repeatsAre: plan.platform === 'virtual' ? 'seeds' : 'pairs of runs',
    }),
  };
}

export function sweepOutcome(
  plan: Plan,
  runs: readonly ExperimentRun[],
  fitUsl: (points: readonly UslPoint[]) => UslOutcome,
): SweepOutcome {
  const curves = plan.designs.map((_, design): SweepCurve => {
    const points = sweepPoints(plan, runs, design);
    const means = points.map(({ threads, mean_tps }) => ({ threads, throughput: mean_tps }));
    return { design, points, usl: fitUsl(means) };
  });
  return { version: OUTCOME_VERSION, kind: 'sweep', plan, runs, curves };
}

function sweepPoints(plan: Plan, runs: readonly ExperimentRun[], design: number): SweepPoint[] {
  return plan.counts.flatMap((threads) => {
    const measured = runs
      .filter((run) => run.design === design && run.spec.threads === threads)
      .flatMap((run) => measuredOf(run) ?? []);
    if (measured.length === 0) return [];
    const tps = measured.map((run) => run.tps);
    const p99Ms = measured.flatMap((run) => run.p99_ms ?? []);
    return [{ threads, tps, mean_tps: mean(tps)!, mean_p99_ms: mean(p99Ms) ?? null }];
  });
}

export async function outcomeOf(plan: Plan, runs: readonly ExperimentRun[]): Promise<ExperimentOutcome> {
  if (plan.kind === 'comparison') return comparisonOutcome(plan, runs);
  const { fitUsl } = await import('../../analysis/statistics/usl-fit');
  return sweepOutcome(plan, runs, fitUsl);
}

export const outcomeAsJson = (outcome: ExperimentOutcome) => `${JSON.stringify(outcome, null, 2)}\n`;

/** Returns one row per run. */
export function outcomeAsCsv({ plan, runs }: ExperimentOutcome): string {
  const knobs = Object.keys(plan.designs[0]?.design ?? {});
  const header = [
    'scenario',
    'platform',
    'design',
    ...knobs,
    'threads',
    'repeat',
    'seed',
    'measured_from_s',
    'measured_s',
    'is_steady',
    'transactions',
    'tps',
    'p99_ms',
    'failure',
  ];
  const rows = runs.map((run) => {
    const measured = measuredOf(run);
    const figures = measured && [
      measured.from_s,
      measured.seconds,
      measured.is_steady,
      measured.transactions,
      measured.tps,
      measured.p99_ms ?? '',
    ];
    return [
      plan.scenario,
      plan.platform,
      plan.designs[run.design]!.title,
      ...knobs.map((knob) => run.spec.design[knob] ?? ''),
      run.spec.threads,
      run.repeat + 1,
      run.spec.seed,
      ...(figures ?? ['', '', '', '', '', '']),
      run.outcome.ok ? '' : run.outcome.reason,
    ].map(String);
  });
  return `${csvFormatRows([header, ...rows])}\n`;
}

/**
 * Groups the intervals of a run into steps for drawing, so that each step has a few transactions
 * per client. Each step has `intervalsOfAStep` intervals. The last one also takes the remainder if that is
 * less than half a step.
 */
export function drawnSteps(points: readonly RunPoint[], intervalsOfAStep: number): RunPoint[] {
  const count = Math.max(1, Math.round(points.length / intervalsOfAStep));
  if (intervalsOfAStep === 1 || points.length === 0) return [...points];
  return Array.from({ length: count }, (_, step) => {
    const first = step * intervalsOfAStep;
    const end = step === count - 1 ? points.length : first + intervalsOfAStep;
    return oneStep(points.slice(first, end), points[first - 1]?.t_s ?? 0);
  });
}

/** Averages the throughput, and the 99th percentiles weighted by transactions. */
function oneStep(points: readonly RunPoint[], beganS: number): RunPoint {
  const parts = points.map(({ t_s, tps, p99_ms }, i) => ({
    transactions: tps * (t_s - (points[i - 1]?.t_s ?? beganS)),
    p99Ms: p99_ms ?? 0,
  }));
  const { t_s } = points.at(-1)!;
  const transactions = sum(parts, (part) => part.transactions);
  const weightedMs = sum(parts, (part) => part.transactions * part.p99Ms);
  return {
    t_s,
    tps: transactions / (t_s - beganS),
    p99_ms: transactions > 0 ? weightedMs / transactions : null,
  };
}
