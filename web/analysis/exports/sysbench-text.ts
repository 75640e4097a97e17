// A run in sysbench 1.0's words: options, interval lines, final report, in the order in which sysbench prints them and the
// command line of the engine does (wasm-engine/api/sysbench_report.cc). Read by whatever reads sysbench's output.
import { sysbenchIntervalLine, type SysbenchInterval } from '../sysbench';

export interface SysbenchRun {
  threads: number;
  interval_s: number;
  seed: number;
  intervals: readonly SysbenchInterval[];
  /** Null while the run goes on. */
  report: string | null;
}

export function sysbenchText({ threads, interval_s, seed, intervals, report }: SysbenchRun): string {
  const lines = [
    'Running the test with following options:',
    `Number of threads: ${threads}`,
    `Report intermediate results every ${interval_s} second(s)`,
    `Initializing random number generator from seed (${seed}).`,
    '',
    '',
    'Initializing worker threads...',
    '',
    'Threads started!',
    '',
    ...intervals.map(sysbenchIntervalLine),
    ...(report === null ? [] : [report]),
  ];
  return `${lines.join('\n')}\n`;
}
