// A run in sysbench 1.0's words, each line as the engine has printed it (wasm-engine/api/sysbench_report.cc), in the order in
// which sysbench prints them and the command line of the engine does. Read by whatever reads sysbench's output.
import type { RunInterval } from '../../contract/run-result';

export interface SysbenchRun {
  header: readonly string[];
  intervals: readonly Pick<RunInterval, 'sysbench_line'>[];
  /** Nothing while the run goes on. */
  report: readonly string[];
}

export function sysbenchText({ header, intervals, report }: SysbenchRun): string {
  const lines = [...header, ...intervals.flatMap(({ sysbench_line }) => sysbench_line ?? []), ...report];
  return lines.map((line) => `${line}\n`).join('');
}
