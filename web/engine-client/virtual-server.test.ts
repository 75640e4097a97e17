import { expect, test } from 'vitest';

import type { CommandName } from './engine-calls';
import type { VirtualModule } from './engine-module';
import { abi_hash, outcomes } from '../contract/gen/engine-abi';
import {
  lane_segment,
  lane_totals,
  latch_event,
  layout,
  watched_latch,
} from '../contract/gen/telemetry-layout';
import type { WatchedLatch } from './engine-host';
import { writeField } from './plain-field';
import type { RunState } from '../contract/telemetry-states';
import { TelemetryReader } from './telemetry-reader';
import { TelemetryBlock } from './test-fixtures/telemetry-block';
import type { Report, Request } from './virtual-protocol';
import { VirtualServer } from './virtual-server';

const NS_PER_EVENT = 10;
const LANE_SEGMENTS_ADDRESS = layout.bytes + lane_totals.bytes * layout.threads.count;
const LATCH_EVENTS_ADDRESS = LANE_SEGMENTS_ADDRESS + lane_segment.bytes;
const LATCH_EVENTS = 8_192;
const WATCHED_LATCHES_ADDRESS = LATCH_EVENTS_ADDRESS + LATCH_EVENTS * latch_event.bytes;
const WATCHED_LATCHES = 3;

/**
 * A server whose events take 10 virtual ns and 1 µs of host time each. Commands complete with the
 * next event.
 */
function scriptedServer() {
  const memory = new ArrayBuffer(WATCHED_LATCHES_ADDRESS + WATCHED_LATCHES * watched_latch.bytes);
  let watch_hottest = 0;
  let latch_events_written = 0;
  const block = new TelemetryBlock(memory);
  block.setThread(layout.threads.count - 1, 'sleeping', 1);
  let clock_ns = 0;
  let host_ms = 0;
  let state_after: RunState | null = null;
  let events_done = 0;
  let nothing_until_ns = 0;
  const runSlice = (events_max: number, until_ns: number) => {
    if (clock_ns < nothing_until_ns) {
      clock_ns = Math.min(until_ns, nothing_until_ns);
      host_ms += 0.001;
      return;
    }
    // The host gets control where clients start.
    const is_start = state_after === 'running' && block.header('commands_posted') === 1;
    const events = is_start ? 1 : Math.min(events_max, Math.ceil((until_ns - clock_ns) / NS_PER_EVENT));
    events_done += events;
    clock_ns = Math.min(until_ns, clock_ns + events * NS_PER_EVENT);
    host_ms += events / 1000;
    if (is_start) block.setHeader('clock_ns', clock_ns);
    if (state_after !== null) block.setRunState(state_after);
    state_after = null;
    block.setHeader('commands_done', block.header('commands_posted'));
  };
  const post = (state: RunState) => {
    state_after = state;
    block.setHeader('commands_posted', block.header('commands_posted') + 1);
    return outcomes.indexOf('accepted');
  };
  const calls: Record<string, (...values: number[]) => string | number | undefined> = {
    latchscope_version: () => JSON.stringify({ abi_hash }),
    latchscope_lane_segments: () => LANE_SEGMENTS_ADDRESS,
    latchscope_lane_segments_max: () => 1,
    latchscope_lane_totals: () => layout.bytes,
    latchscope_latch_events: () => LATCH_EVENTS_ADDRESS,
    latchscope_latch_events_max: () => LATCH_EVENTS,
    latchscope_latch_events_written: () => latch_events_written,
    latchscope_watched_latches: () => WATCHED_LATCHES_ADDRESS,
    latchscope_watched_latches_max: () => WATCHED_LATCHES,
    latchscope_watch_hottest: (latches) => {
      watch_hottest = latches;
      return undefined;
    },
    latchscope_clock_ns: () => clock_ns,
    latchscope_events: () => events_done,
    latchscope_run_slice: (events, until_ns) => {
      runSlice(events, until_ns);
      return undefined;
    },
    latchscope_create: () => {
      block.setHeader('run_generation', block.header('run_generation') + 1);
      return post('ready');
    },
    latchscope_start: () => post('running'),
    latchscope_stop: () => post('finished'),
    latchscope_set_knob: () => post('running'),
    // Completes when posted, like a knob that already has this variant.
    latchscope_fire: () => {
      const outcome = post('running');
      block.setHeader('commands_done', block.header('commands_posted'));
      return outcome;
    },
  };
  const module: VirtualModule = {
    ccall: (name, _returns, _types, values) => calls[name]?.(...(values as number[])) ?? 0,
    wasmMemory: { buffer: memory } as WebAssembly.Memory,
  };
  const reports: Report[] = [];
  let turn: (() => void) | null = null;
  const server = new VirtualServer(module, {
    report: (report) => reports.push(report),
    schedule: (next, when) => {
      turn = next;
      if (when === 'next_frame') host_ms += 16;
    },
    now_ms: () => host_ms,
  });
  block.setRunState('ready');
  let id = 0;
  const tell = (request: Request extends infer R ? (R extends unknown ? Omit<R, 'id'> : never) : never) => {
    id += 1;
    server.handle({ ...request, id });
  };
  let receipts = 0;
  const dealWithReadings = () => {
    for (; receipts < readings_ns().length; receipts += 1) server.handle({ kind: 'receipt', rewinds: 0 });
  };
  const passTurns = (count: number, { page_is_busy = false } = {}) => {
    for (let i = 0; i < count && turn !== null; i += 1) {
      const due = turn;
      turn = null;
      due();
      if (!page_is_busy) dealWithReadings();
    }
  };
  const seen = () => {
    const newest = reports.findLast((report) => report.kind === 'snapshot');
    if (newest?.kind !== 'snapshot') throw new Error('There is no snapshot yet.');
    const { buffer, state_times } = newest.snapshot.block;
    return new TelemetryReader({ buffer, address: 0, bytes: buffer.byteLength, state_times }).header();
  };
  const readings_ns = () =>
    reports.flatMap((report) =>
      report.kind === 'snapshot' && report.reading !== null ? [report.snapshot.readings.run_ns] : [],
    );
  const newestLatchEvents = () => {
    const newest = reports.findLast((report) => report.kind === 'snapshot');
    return newest!.snapshot.latch_events;
  };
  const watch = (latches: readonly WatchedLatch[]) => {
    const view = new DataView(memory, WATCHED_LATCHES_ADDRESS);
    for (const [place, { latch, since_event }] of latches.entries()) {
      writeField(view, place * watched_latch.bytes, watched_latch.fields.latch, latch);
      writeField(view, place * watched_latch.bytes, watched_latch.fields.since_event, since_event);
    }
  };
  const post_command = (command: CommandName) => {
    tell({ kind: 'post', command, values: [] });
  };
  /** Writes this many events at watched latches; each event's time is its number. */
  const writeLatchEvents = (count: number) => {
    const ring = new DataView(memory, LATCH_EVENTS_ADDRESS);
    for (let i = 0; i < count; i += 1, latch_events_written += 1)
      ring.setBigUint64(
        (latch_events_written % LATCH_EVENTS) * latch_event.bytes,
        BigInt(latch_events_written),
        true,
      );
  };
  /** Returns the numbers of the newest snapshot's first and last event, or null if it has none. */
  const latchEventsSeen = () => {
    const { first, events } = newestLatchEvents();
    const numbers = new BigUint64Array(events).filter((_, i) => i % (latch_event.bytes / 8) === 0);
    expect([...numbers]).toEqual(Array.from(numbers, (_, i) => BigInt(first + i)));
    return numbers.length === 0 ? null : [first, first + numbers.length - 1];
  };
  return {
    watch,
    watched: () => newestLatchEvents().watched,
    isWholeRing: () => newestLatchEvents().is_whole_ring,
    watchHottest: () => watch_hottest,
    writeLatchEvents,
    latchEventsSeen,
    tell,
    post: post_command,
    passTurns,
    seen,
    readings_ns,
    dealWithReadings,
    leapTo: (ns: number) => (nothing_until_ns = ns),
    clock_ns: () => clock_ns,
    host_ms: () => host_ms,
    isBusy: () => turn !== null,
  };
}

test('time advances while clients run, in slices of about one turn, and stops when the run is over', () => {
  const { post, passTurns, seen, clock_ns, host_ms, isBusy } = scriptedServer();
  expect(isBusy()).toBe(false);
  post('start');
  passTurns(20);
  const [from_ns, from_ms] = [clock_ns(), host_ms()];
  passTurns(10);
  expect((host_ms() - from_ms) / 10).toBeCloseTo(18, 0);
  expect(clock_ns()).toBeGreaterThan(from_ns);
  expect(seen().run_state).toBe('running');
  post('stop');
  passTurns(10);
  expect(isBusy()).toBe(false);
  expect(seen().run_state).toBe('finished');
});

test('frozen time advances only by steps, or for as long as a command takes', () => {
  const { tell, post, passTurns, seen, clock_ns, isBusy } = scriptedServer();
  post('start');
  passTurns(5);
  tell({ kind: 'freeze', is_frozen: true });
  passTurns(5);
  expect([isBusy(), seen().run_state]).toEqual([false, 'paused']);
  const frozen_at_ns = clock_ns();
  tell({ kind: 'step', step: { events: 1 } });
  expect(clock_ns()).toBe(frozen_at_ns + NS_PER_EVENT);
  tell({ kind: 'step', step: { until_next_multiple_of_ns: 10_000 } });
  expect(seen().run_ns % 10_000).toBe(0);
  expect(clock_ns() - frozen_at_ns).toBeLessThanOrEqual(10_000 + NS_PER_EVENT);
  post('set_knob');
  passTurns(5);
  expect([isBusy(), seen().run_state, seen().commands_done]).toEqual([false, 'paused', 2]);
  tell({ kind: 'freeze', is_frozen: false });
  passTurns(5);
  expect([isBusy(), seen().run_state]).toEqual([true, 'running']);
});

test('of a command that takes no time the page is told although time stands', () => {
  const { tell, post, passTurns, seen, clock_ns } = scriptedServer();
  post('start');
  passTurns(5);
  tell({ kind: 'freeze', is_frozen: true });
  const frozen_at_ns = clock_ns();
  post('fire');
  passTurns(5);
  expect([seen().commands_done, clock_ns()]).toEqual([2, frozen_at_ns]);
});

test('a run is read at its start and at each multiple of the requested time, and does not slow down', () => {
  const { tell, post, passTurns, readings_ns, host_ms } = scriptedServer();
  tell({ kind: 'read_every', run_ns: 70_003 });
  post('start');
  passTurns(20);
  const [from_ms, turns] = [host_ms(), 10];
  passTurns(turns);
  expect((host_ms() - from_ms) / turns).toBeGreaterThan(9);
  expect((host_ms() - from_ms) / turns).toBeLessThan(36);
  const read_ns = readings_ns();
  expect(read_ns.length).toBeGreaterThan(10);
  expect(read_ns).toEqual(read_ns.map((_, index) => index * 70_003));
  post('stop');
  passTurns(5);
  const { length } = readings_ns();
  passTurns(5);
  expect(readings_ns().length).toBe(length);
});

test('time waits until the page has processed its readings', () => {
  const { tell, post, passTurns, readings_ns, dealWithReadings, clock_ns, isBusy } = scriptedServer();
  tell({ kind: 'read_every', run_ns: 1_000 });
  post('start');
  passTurns(100, { page_is_busy: true });
  expect([isBusy(), readings_ns().length]).toEqual([false, 8]);
  post('set_knob');
  passTurns(5, { page_is_busy: true });
  expect(isBusy()).toBe(false);
  const waited_at_ns = clock_ns();
  dealWithReadings();
  passTurns(5);
  expect(clock_ns()).toBeGreaterThan(waited_at_ns);
  expect(readings_ns()).toEqual(readings_ns().map((_, index) => index * 1_000));
});

test('when virtual time leaps, nothing is read until something happens', () => {
  const { tell, post, passTurns, readings_ns, leapTo, clock_ns } = scriptedServer();
  tell({ kind: 'read_every', run_ns: 1_000 });
  post('start');
  passTurns(3);
  const [from_ns, before] = [clock_ns(), readings_ns().length];
  leapTo(from_ns + 1e6);
  while (clock_ns() < from_ns + 1e6) passTurns(1);
  passTurns(1);
  const [last_ns = 0, next_ns = 0] = readings_ns().slice(before - 1);
  expect(next_ns % 1_000).toBe(0);
  expect(next_ns - last_ns).toBeGreaterThan(0.99e6);
});

test('a slowed-down server keeps its pace', () => {
  const { tell, post, passTurns, clock_ns, host_ms } = scriptedServer();
  post('start');
  passTurns(2);
  tell({ kind: 'pace', ns_per_s: 1e6 });
  passTurns(2);
  const [from_ns, from_ms] = [clock_ns(), host_ms()];
  passTurns(100);
  const ns_per_s = ((clock_ns() - from_ns) / (host_ms() - from_ms)) * 1000;
  expect(ns_per_s / 1e6).toBeGreaterThan(0.95);
  expect(ns_per_s / 1e6).toBeLessThan(1.05);
});

test('the page is told which latches the engine watches, and since which event', () => {
  const { tell, post, passTurns, watch, watched, watchHottest } = scriptedServer();
  tell({ kind: 'watch_hottest', latches: 2 });
  expect(watchHottest()).toBe(2);
  post('start');
  passTurns(5);
  expect(watched()).toEqual([]);
  watch([
    { latch: 9, since_event: 0 },
    { latch: 7, since_event: 2 ** 33 + 1 },
  ]);
  tell({ kind: 'freeze', is_frozen: true });
  expect(watched()).toEqual([
    { latch: 9, since_event: 0 },
    { latch: 7, since_event: 2 ** 33 + 1 },
  ]);
});

test('while time runs the page gets the newest latch events, and once it stops all that the ring holds', () => {
  const { tell, post, passTurns, writeLatchEvents, latchEventsSeen, isWholeRing } = scriptedServer();
  post('start');
  passTurns(5);
  writeLatchEvents(100);
  passTurns(5);
  writeLatchEvents(5_000);
  passTurns(5);
  writeLatchEvents(4_000);
  tell({ kind: 'freeze', is_frozen: true });
  expect(latchEventsSeen()).toEqual([908, 9_099]);
  expect(isWholeRing()).toBe(true);
  writeLatchEvents(10);
  tell({ kind: 'step', step: { events: 1 } });
  expect(latchEventsSeen()).toEqual([9_100, 9_109]);
  expect(isWholeRing()).toBe(false);
  tell({ kind: 'step', step: { events: 1 } });
  expect(latchEventsSeen()).toBeNull();
});
