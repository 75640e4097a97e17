import { expect, test } from 'vitest';

import { defaultRunSpec, type WhatIf } from '../contract/run-spec';
import { fil_mutex, machine } from '../contract/test-fixtures';
import type { Mark } from '../contract/telemetry-states';
import { pauseMark } from '../engine-client/test-fixtures/pause-mark';
import { History, historyColumns, type HistoryRow } from '../recording/history';
import { runMark } from '../recording/run-marks';
import { designRatios } from './design-ratios';
import { measuredPhases } from './measured-phases';

const { manifest } = fil_mutex;
const nothing = Object.fromEntries(historyColumns.map((name) => [name, null])) as HistoryRow;
const ATOMIC_WORD = 4;
const YOURS = 5;

/**
 * A run in which each part of 0.1 s completes this many transactions, all within a hundredth of it.
 */
function runOf(
  ended: readonly number[],
  marks: Partial<Mark>[],
  design = manifest.designs.original!,
  whatIf?: WhatIf,
) {
  const history = new History();
  let transactions = 0;
  for (const [part, count] of ended.entries())
    for (let reading = 1; reading <= 100; reading += 1) {
      transactions += count;
      history.append({ ...nothing, t_s: part / 10 + reading / 1000, transactions });
    }
  const spec = {
    ...defaultRunSpec(manifest, machine, 'virtual'),
    ...{ design, threads: 1, interval_s: 0.02 },
    ...(whatIf && { what_if: whatIf }),
  };
  const all = marks.map((mark, number) =>
    runMark({ ...pauseMark, number, run_ns: (number + 1) * 1e8, kind: 'knob', ...mark }, manifest),
  );
  return measuredPhases({ marks: all, history, spec }, manifest);
}

test('phases are named by what was chosen or done; refused actions and pauses begin none', () => {
  const phases = runOf(
    [10, 20, 40, 40, 40],
    [{ value: ATOMIC_WORD }, { kind: 'action', subject: 2 }, { kind: 'pause' }, { kind: 'action', value: 1 }],
  );
  expect(phases.map(({ label }) => label)).toEqual([
    'MySQL 5.6 (the bug)',
    'One atomic word (the fix)',
    'Read one table only',
  ]);
  expect(phases.map(({ tps }) => Math.round(tps!))).toEqual([10_000, 20_000, 40_000]);
});

test('a variant is held against the original design, whichever came first', () => {
  const healed = designRatios(runOf([10, 25], [{ value: ATOMIC_WORD }]), manifest);
  expect(healed['tablespace_lookup.atomic_word']).toBeCloseTo(2.5);
  expect(healed.fixed).toBeCloseTo(2.5);
  expect(healed.original).toBe(1);
  expect(healed['tablespace_lookup.global_mutex']).toBe(1);
  expect(healed['buffer_pool_mutex.one_mutex']).toBe(1);
  expect(healed['tablespace_lookup.sharded_mutex']).toBeUndefined();

  const broken = designRatios(runOf([25, 10], [{ value: 0 }], manifest.designs.fixed), manifest);
  expect(broken['tablespace_lookup.atomic_word']).toBeCloseTo(2.5);
  expect(broken['tablespace_lookup.global_mutex']).toBe(1);
});

test('what is supposed from a moment on is a phase of its own, and no design is held against one without', () => {
  const whatIf = { latches: [{ latch: 'fil_system->mutex', section_percent: 80 }], from_s: 0.1 };
  const phases = runOf([10, 25, 50], [{ kind: 'what_if' }, { value: ATOMIC_WORD }], undefined, whatIf);
  expect(phases.map(({ label }) => label)).toEqual([
    'MySQL 5.6 (the bug)',
    'fil_system->mutex: critical section 80 %',
    'One atomic word (the fix)',
  ]);
  expect(designRatios(phases, manifest)['tablespace_lookup.atomic_word']).toBeCloseTo(2);
});

test('where something else had been done, there is nothing to compare with', () => {
  const action = { kind: 'action', subject: 2, value: 0 } as const;
  const same = runOf([10, 10, 25], [action, { value: ATOMIC_WORD }]);
  expect(designRatios(same, manifest)['tablespace_lookup.atomic_word']).toBeCloseTo(2.5);
  const alsoSame = runOf([99, 25, 10], [action, { value: 0 }], manifest.designs.fixed);
  expect(designRatios(alsoSame, manifest)['tablespace_lookup.atomic_word']).toBeCloseTo(2.5);
  const [before, , after] = runOf([10, 10, 25], [action, { value: ATOMIC_WORD }]);
  expect(designRatios([before!, after!], manifest)['tablespace_lookup.atomic_word']).toBeUndefined();
});

test('a variant that was tried twice shows the last time', () => {
  const marks = [{ value: ATOMIC_WORD }, { value: 0 }, { value: ATOMIC_WORD }];
  expect(designRatios(runOf([10, 20, 10, 30], marks), manifest)['tablespace_lookup.atomic_word']).toBeCloseTo(
    3,
  );
});

test('a phase begins where the reader’s latch was stopped; what the engine’s own does then is not the latch’s', () => {
  const stopped = runOf([10, 25, 40], [{ value: YOURS }, { kind: 'latch_stopped' }]);
  expect(stopped.map(({ label }) => label)).toEqual([
    'MySQL 5.6 (the bug)',
    'Your latch',
    'Your latch was stopped',
  ]);
  expect(designRatios(stopped, manifest)['tablespace_lookup.yours']).toBeCloseTo(2.5);
  const atOnce = runOf([10, 40], [{ kind: 'latch_stopped' }]);
  expect(designRatios(atOnce, manifest).original).toBe(4 / 4);
});
