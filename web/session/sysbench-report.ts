import { sysbenchFinalReport } from '../analysis/sysbench';
import type { Manifest } from '../contract/manifest';
import type { RunResult } from '../contract/run-result';

/** sysbench's final report of a run that is over. */
export function sysbenchReport(
  { totals, counters }: RunResult,
  { sysbench_percentile: percentile }: Manifest,
  transactions_by_client: readonly number[] | null,
): string {
  const { min, mean, max, [`p${percentile}` as const]: at_percentile } = totals.latency_ms;
  const was_timed = (counters.latency_samples ?? 0) > 0;
  return sysbenchFinalReport({
    seconds: totals.seconds,
    transactions: totals.transactions,
    reads: counters.queries_read!,
    writes: counters.queries_write!,
    others: counters.queries_other!,
    errors: counters.errors!,
    percentile,
    latency_ms: was_timed ? { min, mean, max, percentile: at_percentile } : null,
    transactions_by_client,
  });
}
