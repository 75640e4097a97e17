import { expect, test } from 'vitest';

import { stateBands } from './chart-series';
import { stackedOn } from './share-chart';

const columns = (isModeled: boolean) => stateBands(isModeled).map(({ column }) => column);

test('on real threads there is no band for what nobody can tell, and none looks as if all of it ran', () => {
  expect(columns(true)).toContain('stalled');
  expect(columns(false)).not.toContain('stalled');
  expect(columns(false)).not.toContain('ready');
  const colorOfRunning = (isModeled: boolean) =>
    stateBands(isModeled).find(({ column }) => column === 'running')!.color;
  expect(colorOfRunning(true)).toBe('--state-running');
  expect(colorOfRunning(false)).toBe('--state-undivided');
});

test('a share that is not known takes up no room, and where nothing is known there is a gap', () => {
  const running = Float64Array.of(0.4, Number.NaN);
  const stalled = Float64Array.of(Number.NaN, Number.NaN);
  expect([...stackedOn(running, stalled, running)]).toEqual([0.4, Number.NaN]);
});
