// Texts as clients of MySQL and MariaDB print them, with figures made up here.
import { TextImport } from './text-import';
import type { ReportedRun } from '../../contract/import-report';
import type { Imported, WaitCounters } from './reader';

const columns = [
  'EVENT_NAME',
  'COUNT_STAR',
  'SUM_TIMER_WAIT',
  'MIN_TIMER_WAIT',
  'AVG_TIMER_WAIT',
  'MAX_TIMER_WAIT',
];

export type EventRow = readonly [event: string, count: number | bigint, sumPs: number | bigint];

/** Rows of a server that mostly waits for the log. */
export const someRows: readonly EventRow[] = [
  ['idle', 1000, 90_000_000_000_000],
  ['wait/io/table/sql/handler', 50_000, 8_000_000_000_000],
  ['wait/synch/mutex/sql/MYSQL_BIN_LOG::LOCK_log', 4000, 6_000_000_000_000],
  ['wait/synch/cond/sql/COND_manager', 2, 20_000_000_000_000],
  ['wait/synch/mutex/innodb/trx_sys_mutex', 9000, 2_000_000_000_000],
];

const cellsOf = ([event, count, sum]: EventRow) => {
  const mean = BigInt(sum) / (BigInt(count) === 0n ? 1n : BigInt(count));
  return [
    event,
    `${count}`,
    `${sum}`,
    `${mean / 2n}`,
    `${mean}`,
    `${BigInt(count) === 0n ? 0n : mean * 2n > BigInt(sum) ? sum : mean * 2n}`,
  ];
};

export const separatedText = (rows: readonly EventRow[], separator = '\t', quote = '') =>
  [columns, ...rows.map(cellsOf)]
    .map((cells) => `${cells.map((cell) => `${quote}${cell}${quote}`).join(separator)}\n`)
    .join('');

export function tableText(rows: readonly EventRow[], status: Record<string, string | number> = {}): string {
  const events = drawn([columns, ...rows.map(cellsOf)]);
  const variables = Object.entries(status).map(([name, value]) => [name, String(value)]);
  return variables.length === 0 ? events : events + drawn([['Variable_name', 'Value'], ...variables]);
}

export const verticalText = (rows: readonly EventRow[]) =>
  rows
    .map((row, i) => {
      const fields = cellsOf(row).map((cell, column) => `${columns[column]!.padStart(14)}: ${cell}\n`);
      return `*************************** ${i + 1}. row ***************************\n${fields.join('')}`;
    })
    .join('');

function drawn(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const border = `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+\n`;
  const [header, ...others] = rows.map(
    (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |\n`,
  );
  return border + header! + border + others.join('') + border;
}

export function contentsOf(text: string): Imported[] {
  const reading = new TextImport();
  reading.write(new TextEncoder().encode(text));
  return reading.end().contents;
}

export const snapshotsOf = (...texts: readonly string[]) =>
  texts.flatMap((text, i) =>
    contentsOf(text).map((one) => ({ ...(one as WaitCounters), source: `${'ab'[i] ?? i}.txt` })),
  );

/** Runs of a benchmark: threads, transactions per second, and the 95th percentile of latency. */
export const runsOf = (
  ...runs: readonly (readonly [threads: number, tps: number, p95Ms?: number | null])[]
): ReportedRun[] =>
  runs.map(([threads, tps, p95Ms = null], i) => ({
    ...{ file: 'a.log', line: 1 + 40 * i, threads, tps, qps: null, mean_ms: 1, p95_ms: p95Ms },
  }));

/** A log of sysbench 1.x with one run. */
export const sysbenchText = (threads: number, tps: number, p95Ms: number) =>
  [
    'sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)',
    'Running the test with following options:',
    `Number of threads: ${threads}`,
    'SQL statistics:',
    `    transactions:                        ${Math.round(tps * 10)}   (${tps.toFixed(2)} per sec.)`,
    `    queries:                             ${Math.round(tps * 200)}   (${(tps * 20).toFixed(2)} per sec.)`,
    'Latency (ms):',
    '         min:                                    0.50',
    '         avg:                                    1.50',
    `         95th percentile:                        ${p95Ms.toFixed(2)}`,
    'Threads fairness:',
    '    execution time (avg/stddev):   9.9/0.01',
    '',
  ].join('\n');
