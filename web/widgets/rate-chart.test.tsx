import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { RateChart, type RateMark, type RatePoint } from './rate-chart';

const point = (tS: number, rate: number | null, isRecorded = false): RatePoint => ({ tS, rate, isRecorded });

interface Drawn {
  rates?: number[];
  points?: RatePoint[];
  marks?: RateMark[];
}

function shown({ rates = [100, 5, 60], points = [], marks = [] }: Drawn) {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  render(<RateChart unit="scans/s" endS={10} {...{ rates, points, marks }} />);
  return screen.getByRole('img');
}

const ticks = (chart: HTMLElement) =>
  [...chart.querySelectorAll('g .rate-tick')].map((tick) => tick.textContent);
const path = (chart: HTMLElement, name: string) => chart.querySelector(`.${name}`)!.getAttribute('d')!;

test('rates that are far apart have an axis of decades, others an axis from 0', () => {
  expect(ticks(shown({ rates: [14_400, 183, 2130] }))).toEqual(['100', '1K', '10K']);
});

test('rates that are close have an axis from 0', () => {
  expect(ticks(shown({ rates: [450, 263, 450] }))[0]).toBe('0');
});

test('the run and the recording are two lines that meet, and a gap interrupts a line', () => {
  const points = [point(0, 100), point(1, null), point(2, 5), point(3, 60, true), point(4, 60, true)];
  const chart = shown({ points });
  expect(path(chart, 'rate-line').match(/M/g)).toHaveLength(2);
  const recorded = path(chart, 'rate-line-recorded');
  expect(recorded.match(/[ML]/g)).toEqual(['M', 'L', 'L']);
  expect(recorded.split('L')[0]).toBe(`M${path(chart, 'rate-line').split('M').at(-1)}`);
});

test('names each step at its time, for eyes and for screen readers', () => {
  const marks = [
    { label: 'Break', atS: 2 },
    { label: 'Fixed', atS: 6 },
  ];
  const chart = shown({ marks, points: [point(3, 5)] });
  expect([...chart.querySelectorAll('.rate-mark')].map(({ textContent }) => textContent)).toEqual([
    'Break',
    'Fixed',
  ]);
  expect(chart).toHaveAccessibleName(
    'scans/s over virtual time, now 5. Steps: Break at 2.00 s, Fixed at 6.00 s.',
  );
});

test('without a point, there is no value yet', () => {
  expect(shown({})).toHaveAccessibleName('scans/s over virtual time, none yet. Steps: none.');
});

test('a label is at the right of its mark, unless it has no room there', () => {
  const marks = [
    { label: 'Fixed', atS: 8 },
    { label: 'A long name of a step', atS: 9 },
  ];
  const chart = shown({ marks });
  const anchors = [...chart.querySelectorAll('.rate-mark text')].map((text) =>
    text.getAttribute('text-anchor'),
  );
  expect(anchors).toEqual(['start', 'end']);
});

test('a label that has no room is hidden, but its mark stays', () => {
  const marks = [1, 1.1, 1.2].map((atS) => ({ label: 'A long name of a step', atS }));
  const chart = shown({ marks });
  expect(chart.querySelectorAll('.rate-mark')).toHaveLength(3);
  expect(chart.querySelectorAll('.rate-mark text')).toHaveLength(2);
});
