// The output of sysbench 1.0, as wasm-engine/api/sysbench_report.cc prints it on the command line.
import type { SysbenchPercentile } from '../contract/manifest';
import { DASH } from './format';
import { ratePerSecond, windowPercentiles_ns, windowSeconds, type Window } from './window';

/** One interval of a run. Null is a number that is not known. */
export interface SysbenchInterval {
  /** End of the interval, in run time. */
  t_s: number;
  seconds: number;
  threads: number;
  tps: number | null;
  reads_per_s: number | null;
  writes_per_s: number | null;
  others_per_s: number | null;
  /** Of all statements, where they are not known apart. */
  statements_per_s?: number;
  errors_per_s: number | null;
  percentile: SysbenchPercentile;
  latency_ms: number | null;
}

export function sysbenchInterval(window: Window, percentile: SysbenchPercentile): SysbenchInterval {
  const [latency_ns = null] = windowPercentiles_ns(window, [percentile]);
  return {
    t_s: window.after.run_ns / 1e9,
    seconds: windowSeconds(window),
    threads: window.after.client_threads,
    tps: ratePerSecond(window, 'transactions'),
    reads_per_s: ratePerSecond(window, 'queries_read'),
    writes_per_s: ratePerSecond(window, 'queries_write'),
    others_per_s: ratePerSecond(window, 'queries_other'),
    errors_per_s: ratePerSecond(window, 'errors'),
    percentile,
    latency_ms: latency_ns === null ? null : latency_ns / 1e6,
  };
}

/** `[ 2s ] thds: 8 tps: 123.45 qps: 2469.00 (r/w/o: 1728.30/493.80/246.90) lat (ms,95%): 70.55 err/s: ...` */
export function sysbenchIntervalLine(interval: SysbenchInterval): string {
  const { t_s, threads, tps, reads_per_s, writes_per_s, others_per_s, percentile } = interval;
  const qps =
    reads_per_s === null || writes_per_s === null || others_per_s === null
      ? (interval.statements_per_s ?? null)
      : reads_per_s + writes_per_s + others_per_s;
  const statements = [reads_per_s, writes_per_s, others_per_s].map(twoDecimals).join('/');
  return (
    `[ ${t_s.toFixed(interval.seconds < 0.95 ? 3 : 0)}s ] thds: ${threads} tps: ${twoDecimals(tps)} qps: ${twoDecimals(qps)} ` +
    `(r/w/o: ${statements}) lat (ms,${percentile}%): ${twoDecimals(interval.latency_ms)} ` +
    `err/s: ${twoDecimals(interval.errors_per_s)} reconn/s: 0.00`
  );
}

/** What a run result and the clients' counters say at the end of a run. */
export interface SysbenchTotals {
  seconds: number;
  transactions: number;
  reads: number;
  writes: number;
  others: number;
  errors: number;
  percentile: SysbenchPercentile;
  /** Null if no transaction was timed. */
  latency_ms: { min: number; mean: number; max: number; percentile: number } | null;
  /** Null where it is not known. */
  transactions_by_client: readonly number[] | null;
}

export function sysbenchFinalReport(totals: SysbenchTotals): string {
  return [
    ...statisticsLines(totals),
    'Throughput:',
    `    events/s (eps):                      ${(totals.transactions / totals.seconds).toFixed(4)}`,
    `    time elapsed:                        ${totals.seconds.toFixed(4)}s`,
    `    total number of events:              ${totals.transactions}`,
    '',
    ...latencyLines(totals),
    ...fairnessLines(totals),
  ].join('\n');
}

function statisticsLines({ seconds, transactions, reads, writes, others, errors }: SysbenchTotals): string[] {
  const queries = reads + writes + others;
  const total = (count: number) => `${String(count).padEnd(6)} (${(count / seconds).toFixed(2)} per sec.)`;
  return [
    'SQL statistics:',
    '    queries performed:',
    `        read:                            ${reads}`,
    `        write:                           ${writes}`,
    `        other:                           ${others}`,
    `        total:                           ${queries}`,
    `    transactions:                        ${total(transactions)}`,
    `    queries:                             ${total(queries)}`,
    `    ignored errors:                      ${total(errors)}`,
    `    reconnects:                          ${total(0)}`,
    '',
  ];
}

function latencyLines({ latency_ms, percentile, transactions }: SysbenchTotals): string[] {
  const figure = (value: number | undefined) => twoDecimals(value ?? null).padStart(10);
  const sum_ms = latency_ms === null ? undefined : latency_ms.mean * transactions;
  return [
    'Latency (ms):',
    `         min:                            ${figure(latency_ms?.min)}`,
    `         avg:                            ${figure(latency_ms?.mean)}`,
    `         max:                            ${figure(latency_ms?.max)}`,
    `         ${percentile}th percentile:                ${figure(latency_ms?.percentile)}`,
    `         sum:                            ${figure(sum_ms)}`,
    '',
  ];
}

/** sysbench adds up how long each thread's events took; here only a sample of them is timed, so that is a dash. */
function fairnessLines({ transactions_by_client }: SysbenchTotals): string[] {
  return [
    'Threads fairness:',
    `    events (avg/stddev):           ${transactions_by_client === null ? `${DASH}/${DASH}` : spread(transactions_by_client)}`,
    `    execution time (avg/stddev):   ${DASH}/${DASH}`,
  ];
}

/** Mean and standard deviation. */
function spread(values: readonly number[]): string {
  const sum = values.reduce((total, value) => total + value, 0);
  const mean = sum / values.length;
  const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
  return `${mean.toFixed(4)}/${Math.sqrt(squares / values.length).toFixed(2)}`;
}

const twoDecimals = (value: number | null) => (value === null ? DASH : value.toFixed(2));
