import { expect, test } from 'vitest';

import type { VirtualModule } from './engine-module';
import { layout } from './gen/telemetry-layout';
import type { RunState } from './snapshot';
import { TelemetryReader } from './telemetry-reader';
import { TelemetryBlock } from './test-fixtures/telemetry-block';
import type { Report, Request } from './virtual-protocol';
import { VirtualServer } from './virtual-server';

const NS_PER_EVENT = 10;

/** A server on which each event takes 10 virtual ns and 1 µs of the host's time, and commands are done with the next one. */
function scriptedServer() {
  const memory = new ArrayBuffer(layout.bytes + 64 * layout.threads.count + 32);
  const block = new TelemetryBlock(memory);
  block.setThread(layout.threads.count - 1, 'sleeping', 1);
  let clock_ns = 0;
  let host_ms = 0;
  let state_after: RunState | null = null;
  const runSlice = (events: number) => {
    clock_ns += events * NS_PER_EVENT;
    host_ms += events / 1000;
    if (state_after !== null) block.setRunState(state_after);
    state_after = null;
    block.setHeader('commands_done', block.header('commands_posted'));
  };
  const post = (state: RunState) => {
    state_after = state;
    block.setHeader('commands_posted', block.header('commands_posted') + 1);
    return 1;
  };
  const calls: Record<string, (value: number) => string | number | undefined> = {
    latchscope_version: () => '{}',
    latchscope_lane_segments: () => layout.bytes + 64 * layout.threads.count,
    latchscope_lane_segments_max: () => 1,
    latchscope_lane_totals: () => layout.bytes,
    latchscope_clock_ns: () => clock_ns,
    latchscope_run_slice: (events) => {
      runSlice(events);
      return undefined;
    },
    latchscope_start: () => post('running'),
    latchscope_stop: () => post('finished'),
    latchscope_set_knob: () => post('running'),
  };
  const module = {
    ccall: ((name: string, ...[, , [value]]: [unknown, unknown, number[]]) =>
      calls[name]?.(value!) ?? 0) as unknown as VirtualModule['ccall'],
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
  const passTurns = (count: number) => {
    for (let i = 0; i < count && turn !== null; i += 1) {
      const due = turn;
      turn = null;
      due();
    }
  };
  const seen = () => {
    const newest = reports.findLast((report) => report.kind === 'snapshot');
    if (newest?.kind !== 'snapshot') throw new Error('There is no snapshot yet.');
    const { buffer, state_times } = newest.snapshot.block;
    return new TelemetryReader({ buffer, address: 0, bytes: buffer.byteLength, state_times }).header();
  };
  const post_command = (command: string) => {
    tell({ kind: 'post', command, values: [] });
  };
  return {
    tell,
    post: post_command,
    passTurns,
    seen,
    clock_ns: () => clock_ns,
    host_ms: () => host_ms,
    isBusy: () => turn !== null,
  };
}

test('time goes on while clients run, in slices of about one turn, and stands when the run is over', () => {
  const { post, passTurns, seen, clock_ns, host_ms, isBusy } = scriptedServer();
  expect(isBusy()).toBe(false);
  post('latchscope_start');
  passTurns(20);
  const [from_ns, from_ms] = [clock_ns(), host_ms()];
  passTurns(10);
  expect((host_ms() - from_ms) / 10).toBeCloseTo(18, 0);
  expect(clock_ns()).toBeGreaterThan(from_ns);
  expect(seen().run_state).toBe('running');
  post('latchscope_stop');
  passTurns(10);
  expect(isBusy()).toBe(false);
  expect(seen().run_state).toBe('finished');
});

test('frozen time stands, goes on by steps, and for as long as a command takes', () => {
  const { tell, post, passTurns, seen, clock_ns, isBusy } = scriptedServer();
  post('latchscope_start');
  passTurns(5);
  tell({ kind: 'freeze', is_frozen: true });
  passTurns(5);
  expect([isBusy(), seen().run_state]).toEqual([false, 'paused']);
  const frozen_at_ns = clock_ns();
  tell({ kind: 'step', step: { events: 1 } });
  expect(clock_ns()).toBe(frozen_at_ns + NS_PER_EVENT);
  tell({ kind: 'step', step: { until_next_multiple_of_ns: 10_000 } });
  expect(clock_ns() % 10_000).toBe(0);
  expect(clock_ns() - frozen_at_ns).toBeLessThanOrEqual(10_000 + NS_PER_EVENT);
  post('latchscope_set_knob');
  passTurns(5);
  expect([isBusy(), seen().run_state, seen().commands_done]).toEqual([false, 'paused', 2]);
  tell({ kind: 'freeze', is_frozen: false });
  passTurns(5);
  expect([isBusy(), seen().run_state]).toEqual([true, 'running']);
});

test('a slowed-down server keeps its pace', () => {
  const { tell, post, passTurns, clock_ns, host_ms } = scriptedServer();
  post('latchscope_start');
  passTurns(2);
  tell({ kind: 'pace', ns_per_s: 1e6 });
  passTurns(2);
  const [from_ns, from_ms] = [clock_ns(), host_ms()];
  passTurns(100);
  const ns_per_s = ((clock_ns() - from_ns) / (host_ms() - from_ms)) * 1000;
  expect(ns_per_s / 1e6).toBeGreaterThan(0.95);
  expect(ns_per_s / 1e6).toBeLessThan(1.05);
});
