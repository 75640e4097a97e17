import { expect, test } from 'vitest';

import type { CommandName, VirtualModule } from './engine-calls';
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
  let watchHottest = 0;
  let latchEventsWritten = 0;
  const block = new TelemetryBlock(memory);
  block.setThread(layout.threads.count - 1, 'sleeping', 1);
  let clockNs = 0;
  let hostMs = 0;
  let stateAfter: RunState | null = null;
  let eventsDone = 0;
  let nothingUntilNs = 0;
  const runSlice = (eventsMax: number, untilNs: number) => {
    if (clockNs < nothingUntilNs) {
      clockNs = Math.min(untilNs, nothingUntilNs);
      hostMs += 0.001;
      return;
    }
    // The host gets control where clients start.
    const isStart = stateAfter === 'running' && block.header('commands_posted') === 1;
    const events = isStart ? 1 : Math.min(eventsMax, Math.ceil((untilNs - clockNs) / NS_PER_EVENT));
    eventsDone += events;
    clockNs = Math.min(untilNs, clockNs + events * NS_PER_EVENT);
    hostMs += events / 1000;
    if (isStart) block.setHeader('clock_ns', clockNs);
    if (stateAfter !== null) block.setRunState(stateAfter);
    stateAfter = null;
    block.setHeader('commands_done', block.header('commands_posted'));
  };
  const post = (state: RunState) => {
    stateAfter = state;
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
    latchscope_latch_events_written: () => latchEventsWritten,
    latchscope_watched_latches: () => WATCHED_LATCHES_ADDRESS,
    latchscope_watched_latches_max: () => WATCHED_LATCHES,
    latchscope_watch_hottest: (latches) => {
      watchHottest = latches;
      return undefined;
    },
    latchscope_clock_ns: () => clockNs,
    latchscope_events: () => eventsDone,
    latchscope_run_slice: (events, untilNs) => {
      runSlice(events, untilNs);
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
      if (when === 'next_frame') hostMs += 16;
    },
    nowMs: () => hostMs,
  });
  block.setRunState('ready');
  let id = 0;
  const tell = (request: Request extends infer R ? (R extends unknown ? Omit<R, 'id'> : never) : never) => {
    id += 1;
    server.handle({ ...request, id });
  };
  let receipts = 0;
  const dealWithReadings = () => {
    for (; receipts < readingsNs().length; receipts += 1) server.handle({ kind: 'receipt', rewinds: 0 });
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
    const { buffer, stateTimes } = newest.snapshot.block;
    return new TelemetryReader({ buffer, address: 0, bytes: buffer.byteLength, stateTimes }).header();
  };
  const readingsNs = () =>
    reports.flatMap((report) =>
      report.kind === 'snapshot' && report.reading !== null ? [report.snapshot.readings.run_ns] : [],
    );
  const newestLatchEvents = () => {
    const newest = reports.findLast((report) => report.kind === 'snapshot');
    return newest!.snapshot.latchEvents;
  };
  const watch = (latches: readonly WatchedLatch[]) => {
    const view = new DataView(memory, WATCHED_LATCHES_ADDRESS);
    for (const [place, { latch, sinceEvent }] of latches.entries()) {
      writeField(view, place * watched_latch.bytes, watched_latch.fields.latch, latch);
      writeField(view, place * watched_latch.bytes, watched_latch.fields.since_event, sinceEvent);
    }
  };
  const postCommand = (command: CommandName) => {
    tell({ kind: 'post', command, values: [] });
  };
  /** Writes this many events at watched latches; each event's time is its number. */
  const writeLatchEvents = (count: number) => {
    const ring = new DataView(memory, LATCH_EVENTS_ADDRESS);
    for (let i = 0; i < count; i += 1, latchEventsWritten += 1)
      ring.setBigUint64(
        (latchEventsWritten % LATCH_EVENTS) * latch_event.bytes,
        BigInt(latchEventsWritten),
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
    isWholeRing: () => newestLatchEvents().isWholeRing,
    watchHottest: () => watchHottest,
    writeLatchEvents,
    latchEventsSeen,
    tell,
    post: postCommand,
    passTurns,
    seen,
    readingsNs,
    dealWithReadings,
    leapTo: (ns: number) => (nothingUntilNs = ns),
    clockNs: () => clockNs,
    hostMs: () => hostMs,
    isBusy: () => turn !== null,
  };
}

test('time advances while clients run, in slices of about one turn, and stops when the run is over', () => {
  const { post, passTurns, seen, clockNs, hostMs, isBusy } = scriptedServer();
  expect(isBusy()).toBe(false);
  post('start');
  passTurns(20);
  const [fromNs, fromMs] = [clockNs(), hostMs()];
  passTurns(10);
  expect((hostMs() - fromMs) / 10).toBeCloseTo(18, 0);
  expect(clockNs()).toBeGreaterThan(fromNs);
  expect(seen().runState).toBe('running');
  post('stop');
  passTurns(10);
  expect(isBusy()).toBe(false);
  expect(seen().runState).toBe('finished');
});

test('frozen time advances only by steps, or for as long as a command takes', () => {
  const { tell, post, passTurns, seen, clockNs, isBusy } = scriptedServer();
  post('start');
  passTurns(5);
  tell({ kind: 'freeze', isFrozen: true });
  passTurns(5);
  expect([isBusy(), seen().runState]).toEqual([false, 'paused']);
  const frozenAtNs = clockNs();
  tell({ kind: 'step', step: { events: 1 } });
  expect(clockNs()).toBe(frozenAtNs + NS_PER_EVENT);
  tell({ kind: 'step', step: { untilNextMultipleOfNs: 10_000 } });
  expect(seen().runNs % 10_000).toBe(0);
  expect(clockNs() - frozenAtNs).toBeLessThanOrEqual(10_000 + NS_PER_EVENT);
  post('set_knob');
  passTurns(5);
  expect([isBusy(), seen().runState, seen().commandsDone]).toEqual([false, 'paused', 2]);
  tell({ kind: 'freeze', isFrozen: false });
  passTurns(5);
  expect([isBusy(), seen().runState]).toEqual([true, 'running']);
});

test('of a command that takes no time the page is told although time stands', () => {
  const { tell, post, passTurns, seen, clockNs } = scriptedServer();
  post('start');
  passTurns(5);
  tell({ kind: 'freeze', isFrozen: true });
  const frozenAtNs = clockNs();
  post('fire');
  passTurns(5);
  expect([seen().commandsDone, clockNs()]).toEqual([2, frozenAtNs]);
});

test('a run is read at its start and at each multiple of the requested time, and does not slow down', () => {
  const { tell, post, passTurns, readingsNs, hostMs } = scriptedServer();
  tell({ kind: 'read_every', runNs: 70_003 });
  post('start');
  passTurns(20);
  const [fromMs, turns] = [hostMs(), 10];
  passTurns(turns);
  expect((hostMs() - fromMs) / turns).toBeGreaterThan(9);
  expect((hostMs() - fromMs) / turns).toBeLessThan(36);
  const readNs = readingsNs();
  expect(readNs.length).toBeGreaterThan(10);
  expect(readNs).toEqual(readNs.map((_, index) => index * 70_003));
  post('stop');
  passTurns(5);
  const { length } = readingsNs();
  passTurns(5);
  expect(readingsNs().length).toBe(length);
});

test('time waits until the page has processed its readings', () => {
  const { tell, post, passTurns, readingsNs, dealWithReadings, clockNs, isBusy } = scriptedServer();
  tell({ kind: 'read_every', runNs: 1_000 });
  post('start');
  passTurns(100, { page_is_busy: true });
  expect([isBusy(), readingsNs().length]).toEqual([false, 8]);
  post('set_knob');
  passTurns(5, { page_is_busy: true });
  expect(isBusy()).toBe(false);
  const waitedAtNs = clockNs();
  dealWithReadings();
  passTurns(5);
  expect(clockNs()).toBeGreaterThan(waitedAtNs);
  expect(readingsNs()).toEqual(readingsNs().map((_, index) => index * 1_000));
});

test('when virtual time leaps, nothing is read until something happens', () => {
  const { tell, post, passTurns, readingsNs, leapTo, clockNs } = scriptedServer();
  tell({ kind: 'read_every', runNs: 1_000 });
  post('start');
  passTurns(3);
  const [fromNs, before] = [clockNs(), readingsNs().length];
  leapTo(fromNs + 1e6);
  while (clockNs() < fromNs + 1e6) passTurns(1);
  passTurns(1);
  const [lastNs = 0, nextNs = 0] = readingsNs().slice(before - 1);
  expect(nextNs % 1_000).toBe(0);
  expect(nextNs - lastNs).toBeGreaterThan(0.99e6);
});

test('a slowed-down server keeps its pace', () => {
  const { tell, post, passTurns, clockNs, hostMs } = scriptedServer();
  post('start');
  passTurns(2);
  tell({ kind: 'pace', nsPerS: 1e6 });
  passTurns(2);
  const [fromNs, fromMs] = [clockNs(), hostMs()];
  passTurns(100);
  const nsPerS = ((clockNs() - fromNs) / (hostMs() - fromMs)) * 1000;
  expect(nsPerS / 1e6).toBeGreaterThan(0.95);
  expect(nsPerS / 1e6).toBeLessThan(1.05);
});

test('the page is told which latches the engine watches, and since which event', () => {
  const { tell, post, passTurns, watch, watched, watchHottest } = scriptedServer();
  tell({ kind: 'watch_hottest', latches: 2 });
  expect(watchHottest()).toBe(2);
  post('start');
  passTurns(5);
  expect(watched()).toEqual([]);
  watch([
    { latch: 9, sinceEvent: 0 },
    { latch: 7, sinceEvent: 2 ** 33 + 1 },
  ]);
  tell({ kind: 'freeze', isFrozen: true });
  expect(watched()).toEqual([
    { latch: 9, sinceEvent: 0 },
    { latch: 7, sinceEvent: 2 ** 33 + 1 },
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
  tell({ kind: 'freeze', isFrozen: true });
  expect(latchEventsSeen()).toEqual([908, 9_099]);
  expect(isWholeRing()).toBe(true);
  writeLatchEvents(10);
  tell({ kind: 'step', step: { events: 1 } });
  expect(latchEventsSeen()).toEqual([9_100, 9_109]);
  expect(isWholeRing()).toBe(false);
  tell({ kind: 'step', step: { events: 1 } });
  expect(latchEventsSeen()).toBeNull();
});
