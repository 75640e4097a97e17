import { describe, expect, test } from 'vitest';

import { BlockCopier, stateTimes } from './block-copy';
import { lane_totals, layout, thread_states } from '../contract/gen/telemetry-layout';
import { writeField } from './plain-field';
import { counterIndex, emptySnapshot } from './snapshot';
import { TelemetryReader } from './telemetry-reader';
import { TelemetryBlock } from './test-fixtures/telemetry-block';

const coordinatorSlot = layout.threads.count - 1;

function virtualBlock() {
  const block = new TelemetryBlock(new ArrayBuffer(layout.bytes));
  block.setThread(coordinatorSlot, 'sleeping', 1);
  const memory = block.buffer as ArrayBuffer;
  const copier = new BlockCopier();
  const copy = () => copier.copy(memory, 0, { runNs: 1234, runState: 'paused' });
  return { block, memory, copier, copy };
}

const readerOf = (buffer: ArrayBuffer) =>
  new TelemetryReader({ buffer, address: 0, bytes: buffer.byteLength });

describe('a copy of a telemetry block', () => {
  test('is read as the block is, with the run time and the state that it was given', () => {
    const { block, copy } = virtualBlock();
    block.setNames(['fil_io'], ['fil_system->mutex'], [[0, 0]]);
    block.setHeader('client_threads', 2);
    block.setThread(0, 'running');
    block.setThread(1, 'waiting');
    block.setThread(2, 'sleeping', 3);
    block.setCounter(1, 'transactions', 5);
    block.setCounter(coordinatorSlot, 'transactions', 2);
    const reader = readerOf(copy());
    const snapshot = emptySnapshot();
    reader.read(snapshot, 0);
    expect(reader.header()).toMatchObject({ runNs: 1234, runState: 'paused', clientThreads: 2 });
    expect(snapshot.counters[counterIndex('transactions')]).toBe(7);
    expect(reader.clientCounters('transactions')).toEqual([0, 5]);
    const clients = reader.threadsOfRun().filter(({ isClient }) => isClient);
    expect(clients.map(({ state }) => thread_states[state])).toEqual(['running', 'waiting']);
    expect(reader.names().functions).toEqual(['fil_io']);
  });

  test('has only the used slots and the coordinator’s', () => {
    const { block, copy } = virtualBlock();
    const slots = (buffer: ArrayBuffer) =>
      (buffer.byteLength - layout.threads.offset) / layout.threads.stride;
    expect(slots(copy())).toBe(1);
    block.setThread(2, 'running');
    expect(slots(copy())).toBe(4);
    // The totals of an ended thread remain until the next run.
    block.setThread(2, 'absent');
    expect(slots(copy())).toBe(4);
    block.setHeader('run_generation', 1);
    expect(slots(copy())).toBe(1);
  });

  test('is made in the room of one that nobody reads any more, if it is as large', () => {
    const { block, copier, copy } = virtualBlock();
    block.setHeader('client_threads', 2);
    const first = copy();
    copier.reuse(first);
    block.setHeader('client_threads', 3);
    const second = copy();
    expect(second).toBe(first);
    expect(readerOf(second).header().clientThreads).toBe(3);

    copier.reuse(second);
    block.setThread(2, 'running');
    expect(copy().byteLength).toBeGreaterThan(second.byteLength);
  });

  test('can follow another copy in the same reader, and totals cover both', () => {
    const { block, copy } = virtualBlock();
    block.setThread(0, 'running');
    block.setCounter(0, 'transactions', 1);
    const reader = readerOf(copy());
    const snapshot = emptySnapshot();
    reader.read(snapshot, 0);
    block.setCounter(0, 'transactions', 9);
    block.setThread(0, 'absent');
    const buffer = copy();
    reader.attach({ buffer, address: 0, bytes: buffer.byteLength });
    reader.read(snapshot, 0);
    expect(snapshot.counters[counterIndex('transactions')]).toBe(9);
  });
});

test('time by state is that of finished segments and of the one that goes on, by kind of thread', () => {
  const { block, memory, copy } = virtualBlock();
  block.setThread(0, 'running');
  block.setThread(1, 'waiting', 4);
  block.setThread(2, 'running');
  block.setHeader('client_threads', 3);
  const lanes = new ArrayBuffer(layout.threads.count * lane_totals.bytes);
  const view = new DataView(lanes);
  const running = thread_states.indexOf('running');
  const waiting = thread_states.indexOf('waiting');
  const stalled = thread_states.indexOf('stalled');
  const { since_ps, before, state, state_ps } = lane_totals.fields;
  const setLane = (slot: number, sinceNs: number, states: [number, number], timesNs: [number, number][]) => {
    const lane = slot * lane_totals.bytes;
    writeField(view, lane, since_ps, sinceNs * 1000);
    writeField(view, lane, before, states[0]);
    writeField(view, lane, state, states[1]);
    for (const [ofState, timeNs] of timesNs) writeField(view, lane, state_ps, timeNs * 1000, ofState);
  };
  setLane(
    0,
    900,
    [waiting, running],
    [
      [running, 300],
      [waiting, 600],
    ],
  );
  setLane(1, 950, [running, waiting], []);
  // The thread stalls from 990 to 1040; the totals already include all of it.
  setLane(
    2,
    1040,
    [stalled, running],
    [
      [running, 990],
      [stalled, 50],
    ],
  );
  expect(memory.byteLength).toBe(layout.bytes);
  const times = stateTimes(copy(), lanes, 0, 1000);
  expect([times.clients[running], times.clients[waiting], times.clients[stalled]]).toEqual([1390, 600, 10]);
  expect(times.servers[waiting]).toBe(50);
  expect([...times.now.subarray(0, 3)]).toEqual([running, waiting, stalled]);
  const buffer = copy();
  const reader = new TelemetryReader({ buffer, address: 0, bytes: buffer.byteLength, stateTimes: times });
  const snapshot = emptySnapshot();
  reader.sampleStates();
  reader.read(snapshot, 0);
  expect(snapshot.clientStates[running]).toBe(1390);
  const threads = reader.threadsOfRun().map(({ slot, state }) => [slot, thread_states[state]]);
  expect(threads).toContainEqual([2, 'stalled']);
});
