import { expect, test } from 'vitest';

import { phasesOf, type PhaseMark } from './phases';
import type { Totals } from './rate-window';

const original: PhaseMark = { tS: 0, kind: 'design', label: 'original' };
const mark = (tS: number, kind: PhaseMark['kind'], label: string): PhaseMark => ({ tS, kind, label });

/** Readings every 10 ms; `ended` is the number of transactions that end before each. */
function totalsOf(...ended: number[]): Totals {
  let sum = 0;
  return {
    tS: Float64Array.from(ended, (_, i) => (i + 1) / 100),
    transactions: Float64Array.from(ended, (count) => (sum += count)),
  };
}

const steadily = (count: number, readings: number) => Array<number>(readings).fill(count);

const phasesIn = (totals: Totals, marks: PhaseMark[] = [], clients = 1) =>
  phasesOf({ totals, marks, first: original, clients, shortestS: 0.02 });

test('a run without marks is one phase, of the run so far', () => {
  const [phase, ...others] = phasesIn(totalsOf(...steadily(5, 10)));
  expect(others).toEqual([]);
  expect(phase).toMatchObject({ label: 'original', fromS: 0, toS: 0.1, ratio: null, isSettled: true });
  expect(phase!.tps).toBeCloseTo(500);
});

test('each phase has its mean, and the ratio to the one before', () => {
  const totals = totalsOf(...steadily(100, 10), ...steadily(2, 10), ...steadily(6, 10));
  const phases = phasesIn(totals, [mark(0.1, 'action', 'update'), mark(0.2, 'design', 'cached')]);
  expect(phases.map(({ label, fromS, toS }) => [label, fromS, toS])).toEqual([
    ['original', 0, 0.1],
    ['update', 0.1, 0.2],
    ['cached', 0.2, 0.3],
  ]);
  expect(phases.map(({ tps }) => Math.round(tps!))).toEqual([10_000, 200, 600]);
  expect(phases[1]!.ratio).toBeCloseTo(0.02);
  expect(phases[2]!.ratio).toBeCloseTo(3);
});

test('transactions that had begun before the mark are left out: one for each client', () => {
  const totals = totalsOf(...steadily(100, 10), 7, 1, ...steadily(2, 12));
  const [, phase] = phasesIn(totals, [mark(0.1, 'action', 'update')], 8);
  expect(phase!.measuredFromS).toBeCloseTo(0.12);
  expect(phase!.tps).toBeCloseTo(200);
  expect(phase!.isSettled).toBe(true);
});

test('a phase in which each client has ended less than a few transactions since then has not settled', () => {
  const totals = totalsOf(...steadily(100, 10), 7, 1, ...steadily(2, 11));
  const [, phase] = phasesIn(totals, [mark(0.1, 'action', 'update')], 8);
  // Two transactions per client, 40 ms each.
  expect(phase!.measuredFromS).toBeCloseTo(0.15);
  expect(phase!.isSettled).toBe(false);
});

test('if they take more than half of the phase, they count too, and the phase has not settled', () => {
  const totals = totalsOf(...steadily(100, 10), ...steadily(1, 10));
  const [, phase] = phasesIn(totals, [mark(0.1, 'action', 'update')], 8);
  expect(phase!.isSettled).toBe(false);
  // One transaction per client, 80 ms each.
  expect(phase!.measuredFromS).toBeCloseTo(0.12);
  expect(phase!.tps).toBeCloseTo(100);
});

test('a phase in which everything stands has 0 transactions a second; to that there is no ratio', () => {
  const totals = totalsOf(...steadily(10, 10), ...steadily(0, 10), ...steadily(10, 10));
  const phases = phasesIn(totals, [mark(0.1, 'action', 'stop'), mark(0.2, 'action', 'go')]);
  expect(phases.map(({ tps }) => Math.round(tps!))).toEqual([1000, 0, 1000]);
  expect(phases.map(({ ratio }) => ratio)).toEqual([null, 0, null]);
});

test('what began a phase too short to be measured is said of the next one too, of designs the last', () => {
  const marks = [
    mark(0.1, 'design', 'cached'),
    mark(0.105, 'action', 'update'),
    mark(0.11, 'design', 'fixed'),
  ];
  const phases = phasesIn(totalsOf(...steadily(1, 30)), marks);
  expect(phases.map(({ label, fromS }) => [label, fromS])).toEqual([
    ['original', 0],
    ['update, fixed', 0.1],
  ]);
});

test('of a phase that has only begun nothing is told yet', () => {
  const totals = totalsOf(...steadily(10, 11));
  const [, phase] = phasesIn(totals, [mark(0.1, 'action', 'update')]);
  expect(phase).toMatchObject({ label: 'update', tps: null, ratio: null });
});

test('what was done several times in turn is said once', () => {
  const marks = [
    mark(0.1, 'action', 'double'),
    mark(0.11, 'action', 'double'),
    mark(0.12, 'action', 'update'),
  ];
  expect(phasesIn(totalsOf(...steadily(1, 30)), marks)[1]!.label).toBe('2 × double, update');
});

test('before the first reading nothing is known', () => {
  expect(phasesIn(totalsOf())).toMatchObject([{ label: 'original', tps: null }]);
});
