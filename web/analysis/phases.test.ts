import { expect, test } from 'vitest';

import { phasesOf, type PhaseInterval } from './phases';

/** Intervals of 0.1 s, one after the other from time 0. */
const intervals = (...tps: number[]): PhaseInterval[] =>
  tps.map((value, index) => ({
    t_s: (index + 1) / 10,
    seconds: 0.1,
    tps: value,
  }));

test('a run without marks is one phase', () => {
  expect(phasesOf(intervals(100, 200), [], 'original')).toEqual([
    { label: 'original', from_s: 0, to_s: 0.2, tps: 150 },
  ]);
});

test('an interval that contains a change belongs to no phase', () => {
  const phases = phasesOf(
    intervals(100, 70, 10, 10),
    [{ t_s: 0.15, kind: 'action', label: 'update' }],
    'original',
  );
  expect(phases.map(({ label, tps }) => [label, tps])).toEqual([
    ['original', 100],
    ['update', 10],
  ]);
});

test('the change that began a phase too short to measure is shown with the next one; of designs only the last', () => {
  const marks = [
    { t_s: 0.1, kind: 'design', label: 'cached' },
    { t_s: 0.11, kind: 'action', label: 'update' },
    { t_s: 0.12, kind: 'design', label: 'fixed' },
  ] as const;
  const phases = phasesOf(intervals(100, 50, 300), marks, 'original');
  expect(phases.map(({ label, tps }) => [label, tps])).toEqual([
    ['original', 100],
    ['update, fixed', 300],
  ]);
});

test('a phase in which nothing ended has 0 transactions a second', () => {
  const [phase] = phasesOf(intervals(0, 0), [], 'original');
  expect(phase).toMatchObject({ from_s: 0, to_s: 0.2, tps: 0 });
});

test('a repeated change is named once', () => {
  const double = { kind: 'action', label: 'double' } as const;
  const marks = [
    { t_s: 0.1, ...double },
    { t_s: 0.11, ...double },
    { t_s: 0.12, kind: 'action', label: 'update' },
  ] as const;
  expect(phasesOf(intervals(100, 50, 300), marks, 'original')[1]?.label).toBe('2 × double, update');
});

test('intervals are weighted by length', () => {
  const [short, long] = intervals(100, 400);
  const [phase] = phasesOf([short!, { ...long!, t_s: 0.4, seconds: 0.3 }], [], 'original');
  expect(phase!.tps).toBeCloseTo(325);
});

test('nothing was measured before the first interval is over', () => {
  expect(phasesOf([], [{ t_s: 0.1, kind: 'action', label: 'update' }], 'original')).toEqual([]);
});
