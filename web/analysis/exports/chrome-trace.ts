// Writes a run in the Trace Event Format
// (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU), the JSON that
// Perfetto, chrome://tracing, speedscope and the Firefox Profiler read. Times are microseconds of
// run time.
//
//    process 1  the run: counters, a slice per sysbench interval, marks as global instants
//    process 2  clients: a slice per state of each thread, where thread lanes are known
//    process 3  the server's own threads, likewise
import { thread_states } from '../../contract/gen/telemetry-layout';
import type { Names, RunThread } from '../../engine-client/snapshot';
import type { LaneSegment, Mark } from '../../contract/telemetry-states';
import { threadName } from '../lane-words';
import type { IntervalFigures } from './interval-csv';

interface TraceMark extends Pick<Mark, 'run_ns' | 'stopped_us'> {
  kind: string;
  label: string;
}

/** Rates and percentiles at one moment; NaN: unknown. */
export interface TraceSample {
  tS: number;
  transactionsPerS: number;
  p50Ns: number;
  p95Ns: number;
  p99Ns: number;
}

export interface TraceInput {
  /** Threads that have segments. */
  threads: readonly RunThread[];
  /** Oldest first; empty on real threads. */
  segments: readonly Readonly<LaneSegment>[];
  names: Names;
  samples: readonly TraceSample[];
  intervals: readonly IntervalFigures[];
  marks: readonly TraceMark[];
  /** Identifies the run, and describes the part of it that the file covers. */
  metadata: Record<string, unknown>;
}

interface TraceEvent {
  name: string;
  /** Phase: M metadata, X complete, C counter, i instant. */
  ph: 'M' | 'X' | 'C' | 'i';
  pid: number;
  tid?: number;
  ts?: number;
  dur?: number;
  cat?: string;
  s?: 'g';
  args?: Record<string, unknown>;
}

const THE_RUN = 1;
const CLIENTS = 2;
const SERVER_THREADS = 3;
/** Readers take a thread with the number of its process for the main thread. */
const FIRST_TID = 10;
const EVENTS_IN_PART = 4096;

/** Returns the file's text in parts, to be concatenated: a long run has tens of megabytes. */
export function chromeTrace(input: TraceInput): string[] {
  const events = [...metadataEvents(input), ...runEvents(input), ...segmentEvents(input)];
  const head = `{"displayTimeUnit":"ns","otherData":${JSON.stringify(input.metadata)},"traceEvents":[\n`;
  const parts: string[] = [head];
  for (let first = 0; first < events.length; first += EVENTS_IN_PART) {
    const part = events.slice(first, first + EVENTS_IN_PART).map((event) => JSON.stringify(event));
    parts.push(part.join(',\n'), first + EVENTS_IN_PART < events.length ? ',\n' : '');
  }
  return [...parts, '\n]}\n'];
}

function metadataEvents({ threads, names }: TraceInput): TraceEvent[] {
  return [
    ...processEvents(THE_RUN, 'the run'),
    ...(threads.some(({ isClient }) => isClient) ? processEvents(CLIENTS, 'clients') : []),
    ...(threads.some(({ isClient }) => !isClient) ? processEvents(SERVER_THREADS, 'server threads') : []),
    { name: 'thread_name', ph: 'M', pid: THE_RUN, tid: FIRST_TID, args: { name: 'intervals' } },
    ...threads.flatMap((thread): TraceEvent[] => [
      { name: 'thread_name', ph: 'M', ...idsOf(thread), args: { name: threadName(thread, names) } },
      { name: 'thread_sort_index', ph: 'M', ...idsOf(thread), args: { sort_index: thread.slot } },
    ]),
  ];
}

const processEvents = (pid: number, name: string): TraceEvent[] => [
  { name: 'process_name', ph: 'M', pid, args: { name } },
  { name: 'process_sort_index', ph: 'M', pid, args: { sort_index: pid } },
];

const idsOf = ({ slot, isClient }: RunThread) => ({
  pid: isClient ? CLIENTS : SERVER_THREADS,
  tid: FIRST_TID + 1 + slot,
});

function runEvents({ samples, intervals, marks }: TraceInput): TraceEvent[] {
  const events = [
    ...samples.flatMap(counterEvents),
    ...intervals.map((interval, index) => intervalEvent(interval, intervals[index - 1]?.t_s ?? 0)),
    ...marks.map(markEvent),
  ];
  return events.sort((a, b) => a.ts! - b.ts!);
}

function counterEvents({ tS, transactionsPerS, p50Ns, p95Ns, p99Ns }: TraceSample): TraceEvent[] {
  const counter = (name: string, value: number): TraceEvent[] =>
    Number.isNaN(value) ? [] : [{ name, ph: 'C', pid: THE_RUN, ts: us(tS * 1e9), args: { value } }];
  return [
    ...counter('transactions per second', transactionsPerS),
    ...counter('latency p50 (ms)', p50Ns / 1e6),
    ...counter('latency p95 (ms)', p95Ns / 1e6),
    ...counter('latency p99 (ms)', p99Ns / 1e6),
  ];
}

function intervalEvent(
  { t_s, tps, qps, latency_ms, errors_per_s }: IntervalFigures,
  fromS: number,
): TraceEvent {
  const ts = us(fromS * 1e9);
  return {
    name: 'interval',
    cat: 'interval',
    ph: 'X',
    pid: THE_RUN,
    tid: FIRST_TID,
    ts,
    dur: us(t_s * 1e9) - ts,
    args: { transactions_per_s: tps, queries_per_s: qps, errors_per_s, latency_ms },
  };
}

function markEvent({ run_ns, kind, label, stopped_us }: TraceMark): TraceEvent {
  return {
    name: label,
    cat: 'mark',
    ph: 'i',
    s: 'g',
    pid: THE_RUN,
    tid: FIRST_TID,
    ts: us(run_ns),
    args: { kind, stopped_us },
  };
}

function segmentEvents({ segments, threads, names }: TraceInput): TraceEvent[] {
  const known = new Map(
    threads.map((thread) => [thread.slot, { ids: idsOf(thread), name: threadName(thread, names) }]),
  );
  return segments.flatMap(
    ({ from_ns, to_ns, slot, state, site, latch, holder, holder_site }): TraceEvent[] => {
      const thread = known.get(slot);
      if (thread === undefined) return [];
      const stateName = thread_states[state] ?? 'absent';
      const ts = us(from_ns);
      const event = { cat: stateName, ph: 'X' as const, ...thread.ids, ts, dur: us(to_ns) - ts };
      const ofLatch = latchName(site, names);
      if (ofLatch === undefined) return [{ name: stateName, ...event }];
      const heldBy = known.get(holder)?.name;
      const args = {
        latch: ofLatch,
        latch_number: latch,
        in: functionName(site, names),
        ...(heldBy === undefined ? {} : { held_by: heldBy, taken_in: functionName(holder_site, names) }),
      };
      return [{ name: `${stateName}: ${ofLatch}`, ...event, args }];
    },
  );
}

const latchName = (site: number, { latchSites, latches }: Names) => latches[latchSites[site]?.latch ?? -1];

const functionName = (site: number, { latchSites, functions }: Names) =>
  functions[latchSites[site]?.function ?? -1];

/**
 * Converts to microseconds in steps of 1/1024. Their sums and differences are exact, so rounding
 * cannot make slices overlap in any reader. Rounds up, so that a reader that truncates gets the
 * exact nanosecond.
 */
const us = (ns: number) => Math.ceil((Math.round(ns) * 1024) / 1000) / 1024;
