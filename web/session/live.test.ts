import { expect, test } from 'vitest';

import { fil_mutex } from '../contract/test-fixtures';
import type { Manifest } from '../contract/manifest';
import { grant_program } from '../contract/workload-fixture';
import { manifestOfWorkload } from '../contract/workload-manifest';
import { TelemetryReader } from '../engine-client/telemetry-reader';
import { TelemetryBlock } from '../engine-client/test-fixtures/telemetry-block';
import { History } from '../recording/history';
import { timeScaleOf } from '../recording/time-scale';
import { liveView, measuredFigures, tableWindow, type LiveContext } from './live';
import { Sampler } from './sampler';

const { manifest } = fil_mutex;
const original = { design: 'original', actions: [], supposes: false };

/** A run with 1,000 transactions per second, and more after a mark. */
function runWithMark(clients: number, ofRun: Manifest = manifest) {
  const block = new TelemetryBlock();
  block.setThread(0, 'running');
  block.setHeader('client_threads', clients);
  const telemetry = new TelemetryReader(block.place());
  const timeScale = timeScaleOf({ platform: 'threads', duration_s: null });
  let lastMarkNs = 0;
  let runMs = 0;
  let transactions = 0;
  const sampler = new Sampler({
    telemetry,
    history: new History(),
    operationCounter: manifest.unit_of_work.operation_counter,
    timeScale,
    lastMarkNs: () => lastMarkNs,
  });
  const runFor = (durationMs: number, transactionsPerMs = 1) => {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 16) {
      runMs += 16;
      transactions += 16 * transactionsPerMs;
      block.setHeader('run_ns', runMs * 1e6);
      block.setCounter(0, 'transactions', transactions);
      block.setCounter(0, 'block_reads', 6 * transactions);
      block.setCounter(0, 'misses', 3 * transactions, ['hits', 'misses']);
      sampler.onFrame(runMs);
    }
  };
  const mark = () => {
    lastMarkNs = runMs * 1e6;
  };
  const context = (): LiveContext => ({
    names: telemetry.names(),
    manifest: ofRun,
    platform: 'threads',
    timeScale,
    lastMarkNs,
  });
  return { sampler, runFor, mark, context };
}

test('tiles, tables and reported figures tell of the time since the last mark only', () => {
  const { sampler, runFor, mark, context } = runWithMark(1);
  runFor(3_000);
  mark();
  runFor(480, 10);
  const tables = tableWindow(sampler, context())!;
  const measured = measuredFigures({}, manifest, original, tables);
  const live = liveView(sampler, context(), tables, measured)!;
  expect(live.transactions_per_s).toBeCloseTo(10_000);
  expect(live.rate_window_s).toBeLessThanOrEqual(0.48);
  expect(live.counts.transactions!.per_s).toBeCloseTo(10_000);
  expect(live.table_window_s).toBeLessThanOrEqual(0.48);
  expect(live.measured.block_reads_per_second!.here).toBeCloseTo(60_000);
});

test('counters of a workload file come after those of the engine', () => {
  const ofWorkload = manifestOfWorkload({ ...grant_program, counters: ['hits', 'misses'] });
  const { sampler, runFor, context } = runWithMark(1, ofWorkload);
  runFor(3_000);
  const live = liveView(sampler, context(), tableWindow(sampler, context())!, {})!;
  expect(live.counters.map(({ name }) => name)).toEqual(['transactions', 'hits', 'misses']);
  expect(live.counters[1]!.total).toBe(0);
  expect(live.counters[2]!.per_s).toBeCloseTo(3_000);
});

test('a reported figure keeps what it had where there is not enough to tell, or under other conditions', () => {
  const [figure] = manifest.reported;
  const here = { kind: 'transactions_per_second', of: 'transactions', when: { design: 'original' } } as const;
  const reporting = { ...manifest, reported: [{ ...figure!, value: 500, here }] };
  const before = { [figure!.id]: { here: 7, ratio: 0.014 } };
  const { sampler, runFor, context } = runWithMark(400);
  const measured = (conditions = original) =>
    measuredFigures(before, reporting, conditions, tableWindow(sampler, context())!);
  runFor(480);
  expect(measured()).toEqual(before);
  runFor(3_000);
  expect(measured({ ...original, design: 'fixed' })).toEqual(before);
  const { here: rate, ratio } = measured()[figure!.id]!;
  expect(rate).toBeCloseTo(1000);
  expect(ratio).toBeCloseTo(2);
});
