// Groups runs of a benchmark by thread count, and fits the Universal Scalability Law to them.
import { group, mean } from 'd3-array';

import type { UslOutcome } from '../../contract/experiment-outcome';
import type { ReportedRun } from '../../contract/import-report';
import { fitUsl } from '../statistics/usl-fit';

/** Runs with one thread count; several are repeats. */
export interface BenchmarkPoint {
  threads: number;
  /** For each run, in the order of the texts. */
  tps: readonly number[];
  meanTps: number;
  /** For each run whose log has the 95th percentile of latency. */
  p95Ms: readonly number[];
}

/** Returns the fewest threads first. */
export const benchmarkPoints = (runs: readonly ReportedRun[]): BenchmarkPoint[] =>
  [...group(runs, ({ threads }) => threads)]
    .sort(([a], [b]) => a - b)
    .map(([threads, repeats]) => {
      const tps = repeats.map((run) => run.tps);
      return { threads, tps, meanTps: mean(tps)!, p95Ms: repeats.flatMap(({ p95_ms: ms }) => ms ?? []) };
    });

/** Returns null without runs. */
export function uslOfRuns(runs: readonly ReportedRun[]): UslOutcome | null {
  const points = benchmarkPoints(runs);
  if (points.length === 0) return null;
  return fitUsl(points.map(({ threads, meanTps }) => ({ threads, throughput: meanTps })));
}
