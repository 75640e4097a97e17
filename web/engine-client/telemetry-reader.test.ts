import { afterEach, describe, expect, test, vi } from 'vitest';

import { histogram, layout, thread_histogram, thread_states } from '../contract/gen/telemetry-layout';
import { LogLinearBuckets } from './log-linear-buckets';
import { counterIndex, emptySnapshot, latchSiteFields, type Snapshot } from './snapshot';
import { LayoutMismatch, TelemetryReader } from './telemetry-reader';
import { pauseMark } from './test-fixtures/pause-mark';
import { TelemetryBlock } from './test-fixtures/telemetry-block';

function blockAndReader() {
  const block = new TelemetryBlock();
  return { block, reader: new TelemetryReader(block.place()) };
}

const occupiedIn = ({ histogram: counts }: Snapshot) =>
  [...counts.keys()].filter((bucket) => counts[bucket]! > 0);

describe('attaching', () => {
  test.each([
    ['magic', 'magic is 7'],
    ['layout_hash', 'layout_hash is 7'],
  ] as const)('refuses a block whose %s differs', (field, message) => {
    const block = new TelemetryBlock();
    block.setHeader(field, 7);
    expect(() => new TelemetryReader(block.place())).toThrow(message);
  });

  test('refuses a block of another size', () => {
    const place = new TelemetryBlock().place();
    expect(() => new TelemetryReader({ ...place, bytes: 64 })).toThrow(LayoutMismatch);
  });
});

test('reads the header', () => {
  const { block, reader } = blockAndReader();
  block.setRunState('paused');
  block.setHeader('run_ns', 5_000_000_000);
  block.setOutcome('refused_by_server', 'pool is empty: µs');
  block.setFailureText('out of memory');
  expect(reader.header()).toMatchObject({ runState: 'paused', runNs: 5_000_000_000 });
  expect(reader.commandOutcome()).toEqual({ outcome: 'refused_by_server', why: 'pool is empty: µs' });
  expect(reader.failureText()).toBe('out of memory');
});

test('sums counters and latch sites over threads, beyond 32 bits', () => {
  const { block, reader } = blockAndReader();
  block.setNames(['fil_io'], ['fil_system->mutex'], [[0, 0]]);
  block.setThread(0, 'running');
  block.setThread(1, 'sleeping', 2);
  block.setCounter(0, 'transactions', 2 ** 33);
  block.setCounter(1, 'transactions', 5);
  block.setLatchSite(0, 0, 'acquisitions', 7);
  block.setLatchSite(1, 0, 'acquisitions', 2 ** 32);
  const snapshot = emptySnapshot();
  reader.read(snapshot, 0);
  expect(snapshot.counters[counterIndex('transactions')]).toBe(2 ** 33 + 5);
  expect(snapshot.latchSites[latchSiteFields.indexOf('acquisitions')]).toBe(2 ** 32 + 7);
});

test('sums histograms modulo 2^32', () => {
  const { block, reader } = blockAndReader();
  block.setThread(0, 'running');
  block.setThread(1, 'running');
  block.setBucket(0, 3, 2 ** 32 - 1);
  block.setBucket(1, 3, 3);
  const snapshot = emptySnapshot();
  reader.read(snapshot, 0);
  const [bucket] = occupiedIn(snapshot);
  expect(snapshot.histogram[bucket!]).toBe(2);
});

test('a latency of a real thread counts as the middle of its bucket', () => {
  const { block, reader } = blockAndReader();
  const ownBuckets = new LogLinearBuckets(thread_histogram);
  block.setThread(0, 'running');
  block.setBucket(0, ownBuckets.of(178_300_000), 1);
  const snapshot = emptySnapshot();
  reader.read(snapshot, 0);
  const [bucket] = occupiedIn(snapshot);
  const middleNs = ownBuckets.middleNs(ownBuckets.of(178_300_000));
  expect(Math.abs(new LogLinearBuckets(histogram).middleNs(bucket!) / middleNs - 1)).toBeLessThan(1e-3);
});

test('latencies of a modeled server are read where they are kept, to three digits', () => {
  const { block } = blockAndReader();
  const buckets = new LogLinearBuckets(histogram);
  block.setThread(0, 'running');
  block.setBucket(0, 3, 1);
  block.setModeledLatency(buckets.of(178_300_000), 7);
  const none = new Float64Array(thread_states.length);
  const stateTimes = { clients: none, servers: none, now: new Uint8Array(2) };
  const reader = new TelemetryReader({ ...block.place(), stateTimes });
  const snapshot = emptySnapshot();
  reader.read(snapshot, 0);
  expect(occupiedIn(snapshot)).toEqual([buckets.of(178_300_000)]);
  expect(snapshot.histogram[buckets.of(178_300_000)]).toBe(7);
  expect(buckets.middleNs(buckets.of(178_300_000)) / 1e6).toBeCloseTo(178.3, 0);
});

test('keeps the totals of a thread that has ended, until the next run', () => {
  const { block, reader } = blockAndReader();
  const snapshot = emptySnapshot();
  const transactions = () => {
    reader.read(snapshot, 0);
    return snapshot.counters[counterIndex('transactions')];
  };
  block.setThread(0, 'running');
  block.setCounter(0, 'transactions', 9);
  expect(transactions()).toBe(9);
  block.setThread(0, 'absent');
  expect(transactions()).toBe(9);
  block.setHeader('run_generation', 1);
  expect(transactions()).toBe(0);
});

test('samples active threads, with the latches that they wait for and hold', () => {
  const { block, reader } = blockAndReader();
  const coordinatorKind = 1;
  block.setThread(0, 'waiting', 0, [4, 5, 6]);
  block.setLatchUse(0, { site: 2, latch: 70 }, [{ site: 0, latch: 71 }]);
  block.setThread(1, 'parked', 0, [4]);
  block.setThread(2, 'io', 2, [9]);
  block.setThread(3, 'running', coordinatorKind, [8]);
  const seen: unknown[] = [];
  reader.visitThreads((look, frames, depth) => seen.push([look, [...frames.subarray(0, depth)]]));
  const client = { isClient: true, ordinal: 0, state: 'waiting', waitsFor: { site: 2, latch: 70 } };
  expect(seen).toEqual([
    [{ ...client, holds: [{ site: 0, latch: 71 }] }, [4, 5, 6]],
    [{ isClient: false, ordinal: 0, state: 'io', waitsFor: null, holds: [] }, [9]],
  ]);
});

/** Returns the sampled frames of thread 0, or null if it is not sampled. */
function framesOf(reader: TelemetryReader): number[] | null {
  let copy: number[] | null = null;
  reader.visitThreads((_sample, frames, depth) => (copy ??= [...frames.subarray(0, depth)]));
  return copy;
}

test('returns no stack whose frames were not there together', () => {
  const { block, reader } = blockAndReader();
  block.setThread(0, 'running');
  const outer = { functionIndex: 4, pushedBy: 1 };
  block.setStack(0, [outer, { functionIndex: 5, pushedBy: 7 }]);
  expect(framesOf(reader)).toEqual([4, 5]);
  block.setStack(0, [
    { ...outer, pushedBy: 3 },
    { functionIndex: 5, pushedBy: 7, caller: 1 },
  ]);
  expect(framesOf(reader)).toEqual([]);
  block.setStack(0, [{ functionIndex: 0, pushedBy: 0 }]); // no frame has arrived there yet
  expect(framesOf(reader)).toEqual([]);
});

describe('while the engine writes', () => {
  /** Calls `write` once, right after the reader has loaded the word or byte at this index. */
  function afterLoadOf(index: number, write: () => void): void {
    const load = Atomics.load.bind(Atomics);
    let hasWritten = false;
    vi.spyOn(Atomics, 'load').mockImplementation(((words: Uint32Array, at: number) => {
      const value = load(words, at);
      if (at === index && !hasWritten) {
        hasWritten = true;
        write();
      }
      return value;
    }) as typeof Atomics.load);
  }
  afterEach(() => vi.restoreAllMocks());

  test('a mark that is overwritten is left out', () => {
    const { block, reader } = blockAndReader();
    for (let i = 0; i < layout.marks.count; i += 1) block.addMark({ ...pauseMark, value: i });
    const secondMark = layout.marks.offset + layout.marks.stride + layout.marks.fields.kind.offset;
    afterLoadOf(secondMark / 4, () => {
      block.addMark({ ...pauseMark, value: 1_000 });
      block.addMark({ ...pauseMark, value: 1_001 });
    });
    const marks = reader.marksFrom(0);
    expect(marks.map(({ value }) => value)).toEqual(marks.map(({ number }) => number));
    expect(marks[0]?.number).toBe(3);
  });

  test('a log line that is overwritten is left out', () => {
    const { block, reader } = blockAndReader();
    for (let i = 0; i < layout.log_lines.count; i += 1) block.addLogLine(`line ${i}`);
    afterLoadOf(layout.log_lines.offset + layout.log_lines.fields.text.offset, () =>
      block.addLogLine('the line that takes its place'),
    );
    const { lines, missed } = reader.logLinesFrom(0);
    expect([lines[0], missed]).toEqual(['line 1', 1]);
  });

  test('a stack that changes is read again', () => {
    const { block, reader } = blockAndReader();
    block.setThread(0, 'running', 0, [4, 5]);
    const { frames } = layout.threads.fields;
    afterLoadOf((layout.threads.offset + frames.offset) / 4, () =>
      block.setStack(0, [{ functionIndex: 8, pushedBy: 9 }]),
    );
    expect(framesOf(reader)).toEqual([8]);
  });

  test('both halves of a total are from the same value', () => {
    const { block, reader } = blockAndReader();
    block.setHeader('run_ns', 2 ** 32 - 1);
    const upperHalf = layout.header.fields.run_ns.offset / 4 + 1;
    afterLoadOf(upperHalf, () => block.setHeader('run_ns', 2 ** 32));
    expect(reader.header().runNs).toBe(2 ** 32);
  });
});

test('knows a counter of each client, whether its thread lives or not', () => {
  const { block, reader } = blockAndReader();
  block.setHeader('client_threads', 2);
  block.setThread(0, 'running');
  block.setCounter(0, 'transactions', 4);
  block.setCounter(1, 'transactions', 6);
  block.setCounter(2, 'transactions', 99);
  expect(reader.clientCounters('transactions')).toEqual([4, 6]);
});

describe('lines of the server log', () => {
  test('are handed out once', () => {
    const { block, reader } = blockAndReader();
    expect(reader.logLinesFrom(0)).toEqual({ lines: [], missed: 0, next: 0 });
    block.addLogLine('# Query_time: 6.317686');
    block.addLogLine('COMMIT;');
    expect(reader.logLinesFrom(0)).toEqual({
      lines: ['# Query_time: 6.317686', 'COMMIT;'],
      missed: 0,
      next: 2,
    });
    expect(reader.logLinesFrom(2)).toEqual({ lines: [], missed: 0, next: 2 });
  });

  test('that the ring no longer holds are counted as missed', () => {
    const { block, reader } = blockAndReader();
    for (let i = 0; i < 300; i += 1) block.addLogLine(`line ${i}`);
    const { lines, missed, next } = reader.logLinesFrom(10);
    expect([lines[0], lines.at(-1), lines.length, missed, next]).toEqual([
      'line 44',
      'line 299',
      256,
      34,
      300,
    ]);
  });
});

test('hands out each mark once, as far as the ring still holds them', () => {
  const { block, reader } = blockAndReader();
  const mark = {
    run_ns: 1_500_000_000,
    kind: 'knob',
    subject: 0,
    value: 4,
    stopped_us: 812,
    step_ns: 1_400_000_000,
    is_by_hand: true,
  } as const;
  block.addMark(mark);
  expect(reader.marksFrom(0)).toEqual([{ number: 0, ...mark }]);
  for (let i = 1; i < 300; i += 1) block.addMark({ ...mark, run_ns: i });
  const kept = reader.marksFrom(1);
  expect([kept.length, kept[0]?.number, kept[0]?.run_ns, kept.at(-1)?.number]).toEqual([255, 45, 45, 299]);
});

test('reads the names of functions, latches and sites', () => {
  const { block, reader } = blockAndReader();
  block.setNames(['fil_io', 'buf_read_page'], ['fil_system->mutex'], [[0, 1]]);
  expect(reader.names()).toEqual({
    functions: ['fil_io', 'buf_read_page'],
    latches: ['fil_system->mutex'],
    latchSites: [{ latch: 0, function: 1 }],
  });
});

test('names are one object until there are more, or the engine is at another moment', () => {
  const { block, reader } = blockAndReader();
  block.setNames(['fil_io'], ['fil_system->mutex'], [[0, 0]]);
  const first = reader.names();
  expect(reader.names()).toBe(first);
  block.setNames(['fil_io', 'buf_read_page'], ['fil_system->mutex'], [[0, 0]]);
  expect(reader.names().functions).toEqual(['fil_io', 'buf_read_page']);
  // On another branch of the run, the same indices may have other names.
  block.setNames(['fil_io', 'trx_commit'], ['fil_system->mutex'], [[0, 0]]);
  reader.forgetNames();
  expect(reader.names().functions).toEqual(['fil_io', 'trx_commit']);
});

test('counts what clients and server threads are seen doing, anew for each run', () => {
  const { block, reader } = blockAndReader();
  const snapshot = emptySnapshot();
  const samples = () => {
    reader.read(snapshot, 0);
    return [snapshot.clientStates, snapshot.serverStates].map((states) =>
      states.filter((seen) => !Number.isNaN(seen)).reduce((sum, seen) => sum + seen),
    );
  };
  block.setThread(0, 'waiting');
  block.setThread(1, 'waiting', 3);
  reader.read(snapshot, 0);
  reader.sampleStates();
  reader.sampleStates();
  expect(samples()).toEqual([2, 2]);
  block.setHeader('run_generation', 1);
  expect(samples()).toEqual([0, 0]);
});
