// Reads logs of sysbench 0.4, 0.5 and 1.x, one or several in one text. Only final statistics count:
// interval lines describe a part of a run, and the numbers of a run that failed mean nothing.
import { plainCount, plainNumber } from './plain-number';
import {
  ImportRefused,
  type BenchmarkRun,
  type Imported,
  type ImportForm,
  type ImportReader,
} from './reader';

const THREADS = 'Number of threads:';
const VERSION = /^sysbench \d/;
const HEADINGS = ['Running the test with following options:', 'OLTP test statistics:', 'SQL statistics:'];

export const sysbench: ImportForm = {
  id: 'sysbench',
  title: 'log of sysbench',
  recognizes: (head) =>
    head.some((text) => {
      const line = text.trim();
      return VERSION.test(line) || HEADINGS.includes(line);
    }),
  open: () => new SysbenchReader(),
};

/** A run whose final statistics are not complete. */
interface OpenRun {
  line: number;
  threads: number;
  transactionsPerS: number | null;
  queriesPerS: number | null;
  /** sysbench 0.4 and 0.5 count BEGIN and COMMIT apart from the other queries. */
  readWritePerS: number | null;
  otherPerS: number | null;
  inLatency: boolean;
  meanMs: number | null;
  p95Ms: number | null;
}

const LAST_LINE = 'execution time (avg/stddev)';
const RATE = /^\d+\s*\(([^()]{1,40}) per sec\.\)$/;
const PERCENTILE = /^(?:approx\.\s{1,8})?(\d{1,3})(?:th)? percentile$/;
const LABEL_MAX = 40;
const STATISTICS_MAX = 200;
/** 0.4.8 prints seconds, later versions milliseconds, 1.x without unit. */
const LATENCY = /^(\S{1,40}?)(ms|s)?$/;

class SysbenchReader implements ImportReader {
  readonly #runs: BenchmarkRun[] = [];
  #run: OpenRun | null = null;

  line(text: string, number: number) {
    const line = text.trim();
    if (line.startsWith(THREADS)) {
      this.#refuseOpenRun(number);
      this.#run = openRun(plainCount(line.slice(THREADS.length).trim(), number), number);
      return;
    }
    if (VERSION.test(line)) {
      this.#refuseOpenRun(number);
      return;
    }
    if (line.endsWith('Checkpoint report:')) {
      throw new ImportRefused(number, line, 'a run without --report-checkpoints');
    }
    const colon = line.slice(0, LABEL_MAX).indexOf(':');
    if (colon > 0) this.#statistic(line.slice(0, colon), line.slice(colon + 1).trim(), number);
  }

  end(lines: number): Imported[] {
    this.#refuseOpenRun(lines);
    if (this.#runs.length === 0) {
      throw new ImportRefused(lines, 'the end of the text', `a run that begins with "${THREADS}"`);
    }
    return [{ kind: 'runs', runs: this.#runs }];
  }

  #statistic(label: string, value: string, number: number) {
    const run = this.#run;
    if (run === null) {
      if (label === 'transactions') {
        throw new ImportRefused(number, 'statistics of an unknown run', `"${THREADS}" before them`);
      }
      return;
    }
    switch (label) {
      case 'FATAL':
        throw new ImportRefused(number, `FATAL: ${value}`, 'a run without fatal errors');
      case 'transactions':
        run.transactionsPerS = onlyRate(run.transactionsPerS, value, number);
        return;
      case 'queries':
        run.queriesPerS = onlyRate(run.queriesPerS, value, number);
        return;
      case 'read/write requests':
        run.readWritePerS = onlyRate(run.readWritePerS, value, number);
        return;
      case 'other operations':
        run.otherPerS = onlyRate(run.otherPerS, value, number);
        return;
      case 'Latency (ms)':
      case 'response time':
      case 'per-request statistics':
        run.inLatency = value === '';
        return;
      case LAST_LINE:
        this.#runs.push(closedRun(run, number));
        this.#run = null;
        return;
      default:
        if (run.inLatency) readLatency(run, label, value, number);
    }
  }

  #refuseOpenRun(number: number) {
    if (this.#run === null) return;
    const { threads, line } = this.#run;
    throw new ImportRefused(
      number,
      `the end of the run with ${threads} threads of line ${line}`,
      `its final statistics up to "${LAST_LINE}"`,
    );
  }
}

const openRun = (threads: number, line: number): OpenRun => {
  if (threads === 0) throw new ImportRefused(line, '0 threads', 'at least one thread');
  return {
    line,
    threads,
    transactionsPerS: null,
    queriesPerS: null,
    readWritePerS: null,
    otherPerS: null,
    inLatency: false,
    meanMs: null,
    p95Ms: null,
  };
};

function onlyRate(before: number | null, value: string, line: number): number {
  const rate = value.length > STATISTICS_MAX ? null : RATE.exec(value);
  if (rate === null)
    throw new ImportRefused(line, value, 'a count and a rate, such as 7178 (1192.70 per sec.)');
  if (before !== null)
    throw new ImportRefused(line, value, `"${THREADS}" before the statistics of the next run`);
  return plainNumber(rate[1]!, line);
}

function readLatency(run: OpenRun, label: string, value: string, line: number) {
  if (label === 'avg') run.meanMs = latencyMs(value, line);
  else if (PERCENTILE.exec(label)?.[1] === '95') run.p95Ms = latencyMs(value, line);
}

function latencyMs(value: string, line: number): number {
  const [, digits, unit] = LATENCY.exec(value) ?? [];
  return plainNumber(digits ?? value, line) * (unit === 's' ? 1000 : 1);
}

function closedRun(run: OpenRun, number: number): BenchmarkRun {
  const { line, threads, transactionsPerS, readWritePerS, otherPerS, meanMs, p95Ms } = run;
  if (transactionsPerS === null) {
    throw new ImportRefused(number, 'the end of a run without transactions', 'a run of an OLTP test');
  }
  if (meanMs === null) {
    throw new ImportRefused(number, 'the end of a run without latency', 'the mean latency as "avg"');
  }
  const bothPerS = readWritePerS === null || otherPerS === null ? null : readWritePerS + otherPerS;
  return { line, threads, transactionsPerS, queriesPerS: run.queriesPerS ?? bothPerS, meanMs, p95Ms };
}
