// Defines how files and pasted texts of servers are read: line by line, by the reader of their form.
import { printable, type Fault } from '../../contract/fault';
import type { FoldedStack } from '../../contract/live-view';

/** A form of input, such as the output of a tool. */
export interface ImportForm {
  /** For scripts: lower case, with underscores. */
  id: string;
  /** In words, for a message. */
  title: string;
  /** Returns whether a text that begins with these lines has this form. */
  recognizes: (head: readonly string[]) => boolean;
  /** Begins to read such a text from its first line. */
  open: () => ImportReader;
}

/** Reads one text. Both functions throw `ImportRefused` where it is broken. */
export interface ImportReader {
  /** `number` counts from 1. The text has no line end. */
  line: (text: string, number: number) => void;
  /** Returns what the text contains, in its order. `lines` is the number of its lines. */
  end: (lines: number) => Imported[];
}

/** The content of a text. */
export type Imported =
  WaitCounters | WaitingThreads | LatchTimes | SampledStacks | BenchmarkRuns | ServerLine | LatchFigures;

/** One snapshot of counters that a server keeps for each latch. */
export interface WaitCounters {
  kind: 'counters';
  rows: readonly CounterRow[];
  /** Status variables of the same text. */
  status: ReadonlyMap<string, StatusValue>;
}

export interface CounterRow {
  /** Whole name of the event, or the name of the latch. */
  event: string;
  line: number;
  count: bigint;
  /** Total, shortest and longest wait in picoseconds; null where the form has none. */
  waitPs: bigint | null;
  minPs: bigint | null;
  maxPs: bigint | null;
}

export interface StatusValue {
  value: string;
  line: number;
}

/** Threads that waited at one moment. */
export interface WaitingThreads {
  kind: 'waiting';
  threads: readonly {
    line: number;
    latch: string;
    waitedS: number;
  }[];
}

/** Times at latches that a probe has added up, by caller. */
export interface LatchTimes {
  kind: 'times';
  rows: readonly LatchTime[];
}

export interface LatchTime {
  line: number;
  /** Whether the time passed before the latch was acquired, or until it was released. */
  what: 'wait' | 'hold';
  /** The innermost function first. */
  frames: readonly string[];
  count: number;
  totalNs: number;
  maxNs: number | null;
}

/** Stacks of threads, with how many threads or samples had each. */
export interface SampledStacks {
  kind: 'stacks';
  stacks: readonly FoldedStack[];
}

/** Results of a benchmark, in the order of the text. */
export interface BenchmarkRuns {
  kind: 'runs';
  runs: readonly BenchmarkRun[];
}

export interface BenchmarkRun {
  /** The line that names its threads. */
  line: number;
  threads: number;
  transactionsPerS: number;
  queriesPerS: number | null;
  /** Latency in milliseconds. */
  meanMs: number | null;
  p95Ms: number | null;
}

/** What a client says of the server beside its answers. */
export interface ServerLine {
  kind: 'server';
  /** Such as `8.0.36 MySQL Community Server - GPL`. */
  version: string;
}

/** What a file of Latchscope itself says of latches. */
export interface LatchFigures {
  kind: 'figures';
  /** `model`: a run result; `server`: a measured file. */
  of: 'model' | 'server';
  rows: readonly {
    latch: string;
    acquisitions: number;
    /** null: only acquisitions were counted. */
    waitNs: number | null;
    holdNs: number | null;
  }[];
  seconds: number | null;
  /** The server that was measured, as it names its version. */
  version: string | null;
}

/**
 * A text is broken. The fault names the line as its field, such as `line 7`. `value` is a part of the
 * text; it is made printable.
 */
export class ImportRefused extends Error {
  readonly fault: Fault;

  constructor(line: number, value: string, allowed: string) {
    const fault = { field: `line ${line}`, value: printable(value), allowed };
    super(`${fault.field}: ${fault.value}; allowed: ${allowed}`);
    this.fault = fault;
  }
}

/** Far more than profiles of servers have. More would take gigabytes of memory. */
const STACKS_MAX = 250_000;

/** Refuses one more stack if there are as many as fit. */
export function requireFewer(stacks: number, line: number): void {
  if (stacks < STACKS_MAX) return;
  throw new ImportRefused(
    line,
    'one more stack that differs from all before',
    `at most ${STACKS_MAX.toLocaleString('en')} different stacks: sample fewer threads or less time`,
  );
}
