import { describe, expect, test } from 'vitest';

import { counterIndex, emptySnapshot, latch_site_fields } from './snapshot';
import { LayoutMismatch, TelemetryReader } from './telemetry-reader';
import { TelemetryBlock } from './test-fixtures/telemetry-block';

function blockAndReader() {
  const block = new TelemetryBlock();
  return { block, reader: new TelemetryReader(block.place()) };
}

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
  block.setErrorText('pool is empty: µs');
  expect(reader.header()).toMatchObject({ run_state: 'paused', run_ns: 5_000_000_000 });
  expect(reader.errorText()).toBe('pool is empty: µs');
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
  expect(snapshot.latch_sites[latch_site_fields.indexOf('acquisitions')]).toBe(2 ** 32 + 7);
});

test('sums histograms modulo 2^32', () => {
  const { block, reader } = blockAndReader();
  block.setThread(0, 'running');
  block.setThread(1, 'running');
  block.setBucket(0, 3, 2 ** 32 - 1);
  block.setBucket(1, 3, 3);
  const snapshot = emptySnapshot();
  reader.read(snapshot, 0);
  expect(snapshot.histogram[3]).toBe(2);
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

test('hands out the stacks of clients that do something', () => {
  const { block, reader } = blockAndReader();
  block.setThread(0, 'running', 0, [4, 5, 6]);
  block.setThread(1, 'parked', 0, [4]);
  block.setThread(2, 'running', 1, [9]);
  const stacks: number[][] = [];
  reader.visitClientStacks((frames, depth) => stacks.push([...frames.subarray(0, depth)]));
  expect(stacks).toEqual([[4, 5, 6]]);
});

test('hands out each mark once, as far as the ring still holds them', () => {
  const { block, reader } = blockAndReader();
  const mark = { run_ns: 1_500_000_000, kind: 'knob', subject: 0, value: 4, stopped_us: 812 } as const;
  block.addMark(mark);
  expect(reader.marksFrom(0)).toEqual([{ number: 0, ...mark }]);
  for (let i = 1; i < 300; i += 1) block.addMark({ ...mark, run_ns: i });
  const kept = reader.marksFrom(1);
  expect([kept.length, kept[0]?.number, kept[0]?.run_ns, kept.at(-1)?.number]).toEqual([256, 44, 44, 299]);
});

test('reads the names of functions, latches and sites', () => {
  const { block, reader } = blockAndReader();
  block.setNames(['fil_io', 'buf_read_page'], ['fil_system->mutex'], [[0, 1]]);
  expect(reader.names()).toEqual({
    functions: ['fil_io', 'buf_read_page'],
    latches: ['fil_system->mutex'],
    latch_sites: [{ latch: 0, function: 1 }],
  });
});

test('counts what clients are seen doing, anew for each run', () => {
  const { block, reader } = blockAndReader();
  const snapshot = emptySnapshot();
  block.setThread(0, 'waiting');
  block.setThread(1, 'waiting', 3);
  reader.sampleClientStates();
  reader.sampleClientStates();
  reader.read(snapshot, 0);
  expect(snapshot.client_states.reduce((sum, seen) => sum + seen)).toBe(2);
  block.setHeader('run_generation', 1);
  reader.read(snapshot, 0);
  expect(snapshot.client_states.reduce((sum, seen) => sum + seen)).toBe(0);
});
