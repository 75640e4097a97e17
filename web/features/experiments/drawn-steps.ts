// Groups the intervals of a run into steps for drawing, so that each step has a few transactions
// per client.
import { sum } from 'd3-array';

import type { RunPoint } from '../../contract/experiment-outcome';

/**
 * Each step has `intervalsOfAStep` intervals. The last one also takes the remainder if that is
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
