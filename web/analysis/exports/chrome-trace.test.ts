import { describe, expect, test } from 'vitest';

import { thread_states } from '../../contract/gen/telemetry-layout';
import { chromeTrace, type TraceInput } from './chrome-trace';

const state = (name: (typeof thread_states)[number]) => thread_states.indexOf(name);
const nowhere = { core: -1, site: -1, latch: 0, holder: -1, holder_site: -1 };
const heldByCleaner = { core: -1, site: 0, latch: 7, holder: 2, holder_site: 1 };
const latencyMs = { mean: 1, p50: 1, p95: 2, p99: 3, max: 4 };

const input: TraceInput = {
  threads: [
    { slot: 0, isClient: true, state: 0, beganWith: null },
    { slot: 2, isClient: false, state: 0, beganWith: 1 },
  ],
  segments: [
    { from_ns: 0, to_ns: 1501, slot: 0, state: state('running'), ...nowhere },
    { from_ns: 0, to_ns: 4000, slot: 2, state: state('sleeping'), ...nowhere },
    { from_ns: 1501, to_ns: 5000, slot: 0, state: state('waiting'), ...heldByCleaner },
    { from_ns: 0, to_ns: 9000, slot: 9, state: state('running'), ...nowhere },
  ],
  names: {
    functions: ['fil_space_get', 'buf_flush_page_cleaner_thread'],
    latches: ['Fil_shard::m_mutex'],
    latchSites: [
      { latch: 0, function: 0 },
      { latch: 0, function: 1 },
    ],
  },
  samples: [
    { tS: 2e-6, transactionsPerS: 1000, p50Ns: 1e6, p95Ns: 2e6, p99Ns: Number.NaN },
    { tS: 4e-6, transactionsPerS: Number.NaN, p50Ns: 1e6, p95Ns: 2e6, p99Ns: 3e6 },
  ],
  intervals: [
    { t_s: 2e-6, tps: 900, qps: 1800, latency_ms: latencyMs, errors_per_s: 0 },
    { t_s: 5e-6, tps: 950, qps: 1900, latency_ms: latencyMs, errors_per_s: 0 },
  ],
  marks: [{ run_ns: 3000, kind: 'knob', label: 'atomic_word', stopped_us: 12 }],
  metadata: { run_spec: { scenario: 'undo-read-117533', threads: 1 } },
};

interface AnyEvent {
  name: string;
  ph: string;
  pid: number;
  tid?: number;
  ts?: number;
  dur?: number;
  s?: string;
  cat?: string;
  args?: Record<string, unknown>;
}

interface TraceFile {
  displayTimeUnit: string;
  otherData: Record<string, unknown>;
  traceEvents: AnyEvent[];
}

const fileOf = (given: TraceInput) => JSON.parse(chromeTrace(given).join('')) as TraceFile;
const file = fileOf(input);
const events = file.traceEvents;
const ofPhase = (ph: string) => events.filter((event) => event.ph === ph);

describe('the rules of the Trace Event Format', () => {
  test('every event has what its phase needs', () => {
    const metadataNames = ['process_name', 'process_sort_index', 'thread_name', 'thread_sort_index'];
    for (const event of events) {
      expect(event.name, JSON.stringify(event)).not.toBe('');
      expect(Number.isInteger(event.pid)).toBe(true);
      if (event.ph === 'M') {
        expect(metadataNames).toContain(event.name);
        expect(Object.keys(event.args!)).toHaveLength(1);
        continue;
      }
      expect(event.ts).toBeGreaterThanOrEqual(0);
      if (event.ph === 'X') expect([typeof event.tid, typeof event.dur]).toEqual(['number', 'number']);
      if (event.ph === 'C') expect(Object.values(event.args!).every(Number.isFinite)).toBe(true);
      if (event.ph === 'i') expect(event.s).toBe('g');
    }
    expect([...new Set(events.map(({ ph }) => ph))].sort()).toEqual(['C', 'M', 'X', 'i']);
  });

  test('slices of a thread follow each other without overlap', () => {
    const ends = new Map<string, number>();
    // Like speedscope, counts from the thread's first event.
    const begins = new Map<string, number>();
    for (const { pid, tid, ts, dur } of ofPhase('X')) {
      const thread = `${pid} ${tid}`;
      if (!begins.has(thread)) begins.set(thread, ts!);
      const from = ts! - begins.get(thread)!;
      expect(from).toBeGreaterThanOrEqual(ends.get(thread) ?? 0);
      ends.set(thread, from + dur!);
    }
  });

  test('every thread and process that has events has a name', () => {
    const named = (what: string) => ofPhase('M').filter(({ name }) => name === what);
    const threads = new Set(named('thread_name').map(({ pid, tid }) => `${pid} ${tid}`));
    const processes = new Set(named('process_name').map(({ pid }) => pid));
    for (const { pid, tid } of ofPhase('X')) {
      expect(threads).toContain(`${pid} ${tid}`);
      expect(processes).toContain(pid);
    }
  });
});

test('a wait names the latch, the place and the holder', () => {
  const wait = ofPhase('X').find(({ cat }) => cat === 'waiting');
  expect(wait).toMatchObject({
    name: 'waiting: Fil_shard::m_mutex',
    ts: 1.501953125,
    dur: 3.498046875,
    args: {
      latch: 'Fil_shard::m_mutex',
      latch_number: 7,
      in: 'fil_space_get',
      held_by: 'buf_flush_page_cleaner_thread',
      taken_in: 'buf_flush_page_cleaner_thread',
    },
  });
});

test('unknown numbers are left out of the counters', () => {
  const counters = ofPhase('C').map(({ name, ts, args }) => [name, ts, args!.value]);
  expect(counters).toContainEqual(['transactions per second', 2, 1000]);
  expect(counters).toContainEqual(['latency p99 (ms)', 4, 3]);
  expect(counters).toHaveLength(6);
});

test('marks and intervals have their times, and the file names its run', () => {
  expect(ofPhase('i')).toMatchObject([
    { name: 'atomic_word', ts: 3, args: { kind: 'knob', stopped_us: 12 } },
  ]);
  const intervals = ofPhase('X').filter(({ cat }) => cat === 'interval');
  expect(intervals.map(({ ts, dur }) => [ts, dur])).toEqual([
    [0, 2],
    [2, 3],
  ]);
  expect(file.otherData).toEqual(input.metadata);
  expect(file.displayTimeUnit).toBe('ns');
});

test('on real threads there are no lanes, and no process without threads', () => {
  const names = fileOf({ ...input, threads: [], segments: [] })
    .traceEvents.filter(({ name }) => name === 'process_name')
    .map(({ args }) => args!.name);
  expect(names).toEqual(['the run']);
});

test('many events come in parts that join to one text', () => {
  const segments = Array.from({ length: 10_000 }, (_, i) => ({
    ...{ from_ns: i, to_ns: i + 1, slot: 0, state: state('running') },
    ...nowhere,
  }));
  const parts = chromeTrace({ ...input, segments });
  expect(parts.length).toBeGreaterThan(4);
  const all = (JSON.parse(parts.join('')) as TraceFile).traceEvents;
  expect(all.filter(({ name }) => name === 'running')).toHaveLength(10_000);
});
