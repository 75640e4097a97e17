// Writes the intervals of a run as CSV (RFC 4180) with a header line, for spreadsheets, pandas, R
// and DuckDB. Column names end with their units.
import { csvFormatRows } from 'd3-dsv';

import type { RunInterval } from '../../contract/run-result';

/** One interval of a run result. */
export type IntervalFigures = Pick<RunInterval, 't_s' | 'tps' | 'qps' | 'latency_ms' | 'errors_per_s'>;

export const intervalColumns = [
  't_s',
  'transactions_per_s',
  'queries_per_s',
  'errors_per_s',
  'latency_mean_ms',
  'latency_p50_ms',
  'latency_p95_ms',
  'latency_p99_ms',
  'latency_max_ms',
] as const;

export function intervalCsv(intervals: readonly IntervalFigures[]): string {
  const rows = intervals.map(({ t_s, tps, qps, errors_per_s, latency_ms }) => {
    const { mean, p50, p95, p99, max } = latency_ms;
    return [t_s, tps, qps, errors_per_s, mean, p50, p95, p99, max].map(String);
  });
  return `${csvFormatRows([[...intervalColumns], ...rows])}\n`;
}

interface SysbenchRun {
  header: readonly string[];
  intervals: readonly Pick<RunInterval, 'sysbench_line'>[];
  /** Empty until the run ends. */
  report: readonly string[];
}

/**
 * Writes a run as sysbench 1.0 prints it. The engine formats each line
 * (wasm-engine/run/sysbench_report.cc). Their order is that of sysbench and of the engine's command
 * line.
 */
export function sysbenchText({ header, intervals, report }: SysbenchRun): string {
  const lines = [...header, ...intervals.flatMap(({ sysbench_line }) => sysbench_line ?? []), ...report];
  return lines.map((line) => `${line}\n`).join('');
}
