import { describe, expect, test } from 'vitest';

import { TelemetryReader } from '../engine-client/telemetry-reader';
import { TelemetryBlock } from '../engine-client/test-fixtures/telemetry-block';
import { History } from '../recording/history';
import { Sampler } from './sampler';
import { timeScaleOf } from '../recording/time-scale';

/** A client with 1,000 transactions per second; the page samples it 60 times per second. */
function runningClient() {
  const block = new TelemetryBlock();
  block.setThread(0, 'running', 0, [1, 2]);
  block.setHeader('client_threads', 1);
  const history = new History();
  const telemetry = new TelemetryReader(block.place());
  const timeScale = timeScaleOf({ platform: 'threads', duration_s: null });
  const operationCounter = 'block_reads';
  let markNs = 0;
  let speed = 1;
  let transactions = 0;
  const sampler = new Sampler({
    telemetry,
    history,
    operationCounter,
    timeScale,
    lastMarkNs: () => markNs,
  });
  let nowMs = 5_000;
  let runMs = 0;
  const passTime = (stepMs: number) => {
    nowMs += stepMs;
    runMs += stepMs;
    block.setHeader('run_ns', runMs * 1e6);
    transactions += stepMs * speed;
    block.setCounter(0, 'transactions', transactions);
  };
  const runFor = (durationMs: number) => {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 16) {
      passTime(16);
      sampler.onFrame(nowMs);
    }
  };
  const look = () => sampler.onFrame(nowMs);
  const mark = () => {
    markNs = runMs * 1e6;
  };
  const setSpeed = (transactionsPerMs: number) => {
    speed = transactionsPerMs;
  };
  return { block, history, sampler, passTime, look, runFor, mark, setSpeed };
}

const knownValues = (values: Float64Array) => [...values].filter((value) => !Number.isNaN(value));

test('samples about ten times a second, and gets the rate right', () => {
  const { history, runFor } = runningClient();
  runFor(2_000);
  expect(history.length).toBeGreaterThan(14);
  expect(history.length).toBeLessThan(21);
  for (const rate of history.column('transactions_per_s')) expect(rate).toBeCloseTo(1000);
  for (const share of history.column('running')) expect(share).toBe(1);
});

test('totals are read in one frame and worked out in the next, or at once when no frame will follow', () => {
  const { history, sampler, passTime, look } = runningClient();
  look();
  look();
  passTime(200);
  expect(look()).toBe(true);
  expect(history.length).toBe(0);
  expect(look()).toBe(true);
  expect(history.length).toBe(1);
  expect(look()).toBe(false);
  passTime(200);
  look();
  sampler.appendDueRow();
  sampler.appendDueRow();
  expect(history.length).toBe(2);
});

test('no point stands for a time across a mark: a step is drawn as a step', () => {
  const { history, runFor, mark, setSpeed } = runningClient();
  runFor(1_000);
  const before = history.length;
  mark();
  setSpeed(10);
  runFor(1_000);
  const rates = history.column('transactions_per_s');
  expect(rates.length).toBeGreaterThan(before);
  for (const rate of rates.subarray(0, before)) expect(rate).toBeCloseTo(1000);
  for (const rate of rates.subarray(before)) expect(rate).toBeCloseTo(10_000);
  expect(history.column('transactions').at(-1)).toBeGreaterThan(10_000);
});

describe('after a time in which nobody looked', () => {
  test.each([
    ['the page says that it was hidden', true],
    ['the frames stood still', false],
  ])('there is a gap and no wrong rate: %s', (_, isTold) => {
    const { history, sampler, passTime, runFor } = runningClient();
    runFor(1_000);
    if (isTold) sampler.breakLines();
    passTime(20_000);
    runFor(1_000);
    const rates = history.column('transactions_per_s');
    expect([...rates].filter(Number.isNaN)).toHaveLength(1);
    for (const rate of knownValues(rates)) expect(rate).toBeCloseTo(1000);
    expect(sampler.window(60)!.before.runNs).toBeGreaterThan(20_900e6);
  });
});

test('a window does not reach across a mark', () => {
  const { sampler, runFor } = runningClient();
  runFor(3_000);
  const whole = sampler.window(60)!;
  const sinceMark = sampler.window(60, 2_000e6)!;
  expect(whole.before.runNs).toBeLessThan(200e6);
  expect(sinceMark.before.runNs).toBeGreaterThanOrEqual(2_000e6);
  expect(sinceMark.after).toBe(whole.after);
});

test('there is no window before there are two readings', () => {
  const { sampler, runFor } = runningClient();
  expect(sampler.window(1)).toBeNull();
  runFor(16);
  expect(sampler.window(1)).toBeNull();
});

test('a new run is not compared with the one before', () => {
  const { block, history, sampler, runFor } = runningClient();
  runFor(1_000);
  block.setHeader('run_generation', 2);
  sampler.onFrame(6_100);
  sampler.appendDueRow();
  expect(history.column('transactions_per_s').at(-1)).toBeNaN();
});

test('keeps what threads were seen doing', () => {
  const { sampler, runFor } = runningClient();
  runFor(300);
  const [first] = sampler.threadSamples;
  expect(first).toMatchObject([{ isClient: true, state: 'running', waitsFor: null, holds: [] }]);
  expect(first?.map(({ stack }) => sampler.stackTable.frames(stack))).toEqual([[2, 1]]);
});

test('counts latencies by interval, but none across a silence', () => {
  const { sampler, passTime, runFor } = runningClient();
  runFor(2_300);
  passTime(20_000);
  runFor(2_300);
  const { intervals } = sampler.latencies;
  expect(intervals.map(({ toS }) => Math.round(toS))).toEqual([1, 2, 23, 24]);
});

describe('on a virtual server', () => {
  function virtualServer() {
    const block = new TelemetryBlock();
    block.setThread(0, 'running');
    block.setHeader('client_threads', 1);
    const history = new History();
    const telemetry = new TelemetryReader(block.place());
    const timeScale = timeScaleOf({ platform: 'virtual', duration_s: null, interval_s: 0.02 });
    const operationCounter = 'block_reads';
    const sampler = new Sampler({ telemetry, history, operationCounter, timeScale, lastMarkNs: () => 0 });
    let nowMs = 5_000;
    const at = (runMs: number) => {
      block.setHeader('run_ns', Math.round(runMs * 1e6));
      block.setCounter(0, 'transactions', Math.round(runMs * 1000));
    };
    const frame = (runMs: number, passedMs = 16) => {
      nowMs += passedMs;
      at(runMs);
      sampler.onFrame(nowMs);
    };
    return { sampler, history, at, frame };
  }

  test('a reading is a row whatever the time of this machine; one that says nothing new is none', () => {
    const { sampler, history, at } = virtualServer();
    for (let runMs = 0; runMs <= 10; runMs += 0.5) {
      at(runMs);
      sampler.onReading(5_000);
      sampler.onReading(5_000);
    }
    expect(Array.from(history.column('t_s'), (tS) => Math.round(tS * 1e4))).toEqual(
      Array.from({ length: 20 }, (_, row) => 5 * (row + 1)),
    );
    for (const rate of history.column('transactions_per_s')) expect(rate).toBeCloseTo(1e6);
  });

  test('rows come by virtual time, however long it takes', () => {
    const { history, frame } = virtualServer();
    for (let runMs = 0; runMs <= 10; runMs += 0.05) frame(runMs);
    expect(history.length).toBeGreaterThan(17);
    expect(history.length).toBeLessThan(21);
    for (const rate of history.column('transactions_per_s')) expect(rate).toBeCloseTo(1e6);
  });

  test('a slow server is read once a second, too, but nothing is said about too short a time', () => {
    const { sampler, history, frame } = virtualServer();
    frame(1);
    frame(1.1, 100);
    expect(sampler.window(1)).toBeNull();
    frame(1.11, 1_000);
    expect(sampler.window(1)).not.toBeNull();
    expect(history.length).toBe(0);
  });

  test('a leap of virtual time is averaged over, and no silence breaks the lines', () => {
    const { sampler, history, frame } = virtualServer();
    for (let runMs = 0; runMs <= 5; runMs += 0.5) frame(runMs);
    frame(905, 60_000);
    sampler.breakLines();
    expect(sampler.window(0.02)!.before.runNs).toBe(5e6);
    expect(history.column('transactions_per_s').at(-1)).toBeCloseTo(1e6);
    expect(sampler.window(0.02, 900e6)).toBeNull();
  });
});
