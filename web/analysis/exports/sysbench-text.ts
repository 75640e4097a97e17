// Writes a run as sysbench 1.0 prints it, for programs that parse sysbench's output. The engine
// formats each line (wasm-engine/api/sysbench_report.cc). Their order is that of sysbench and of
// the engine's command line.
import type { RunInterval } from '../../contract/run-result';

export interface SysbenchRun {
  header: readonly string[];
  intervals: readonly Pick<RunInterval, 'sysbench_line'>[];
  /** Empty until the run ends. */
  report: readonly string[];
}

export function sysbenchText({ header, intervals, report }: SysbenchRun): string {
  const lines = [...header, ...intervals.flatMap(({ sysbench_line }) => sysbench_line ?? []), ...report];
  return lines.map((line) => `${line}\n`).join('');
}
