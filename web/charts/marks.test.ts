import { scaleLinear } from 'd3-scale';
import { describe, expect, test } from 'vitest';

import type { ChartMark } from './chart';
import { markAt, placeLabels } from './marks';
import type { Plot } from './chart';

test('labels stand beside their lines while there is room', () => {
  expect(placeLabels([0, 100], [80, 80], 300)).toEqual([
    { lane: 1, isLeft: false },
    { lane: 1, isLeft: false },
  ]);
});

test('a label that would cover another goes one lane up, and is left out when all are taken', () => {
  expect(placeLabels([0, 20, 40, 60], [90, 90, 90, 90], 300)).toEqual([
    null,
    null,
    { lane: 0, isLeft: false },
    { lane: 1, isLeft: false },
  ]);
});

test('a label at the right edge stands left of its line', () => {
  expect(placeLabels([280], [80], 300)).toEqual([{ lane: 0, isLeft: true }]);
});

test('no line of a mark runs through the label of another', () => {
  // Both are left of their lines. The older label is lower, so that its line begins below the newer
  // one.
  expect(placeLabels([250, 280], [80, 80], 300)).toEqual([
    { lane: 1, isLeft: true },
    { lane: 0, isLeft: true },
  ]);
  // To the right of its line, the older label would block the newer line.
  expect(placeLabels([230, 280], [60, 80], 300)).toEqual([null, { lane: 0, isLeft: true }]);
});

describe('the mark under a place', () => {
  // A letter and a second are 10 px wide each. Two lanes of 9.5 px are above the plot.
  const context = { measureText: (text: string) => ({ width: 10 * text.length }) };
  const x = scaleLinear().domain([10, 40]).range([0, 300]);
  const plot = { context, x, width: 300, height: 100, remPx: 10, style: {} } as unknown as Plot;
  const mark = (tS: number, label: string): ChartMark => ({ tS, kind: 'knob', label });
  const marks = [mark(5, 'beyond'), mark(20, 'first'), mark(20.8, 'second')];
  const labelAt = (left: number, top: number, hasLabels = true) =>
    markAt(plot, marks, hasLabels, { left, top })?.label ?? null;

  test('is the one whose line is nearest, if one is near', () => {
    expect([labelAt(103, 50), labelAt(105, 50), labelAt(115, 50), labelAt(92, 50)]).toEqual([
      'first',
      'second',
      null,
      null,
    ]);
  });

  test('is the one whose label is there, where labels are drawn', () => {
    expect([labelAt(150, -17), labelAt(130, -8), labelAt(150, -17, false)]).toEqual([
      'first',
      'second',
      null,
    ]);
  });

  test('is told in full as far as there is room on the roomier side of its line', () => {
    const long = [mark(20, 'a title of more than twenty letters')];
    expect(markAt(plot, long, true, { left: 110, top: -5 })?.label).toBe('a title of more th…');
  });

  test('is cut to the room, even if its first letters are wide', () => {
    const widthOf = (text: string) => 5 * text.length + 15 * (text.match(/W/g) ?? []).length;
    const measured = { ...plot, context: { measureText: (text: string) => ({ width: widthOf(text) }) } };
    const wide = [mark(20, 'W'.repeat(10) + 'i'.repeat(20))];
    const shown = markAt(measured as unknown as Plot, wide, true, { left: 110, top: -5 });
    expect(shown?.label).toBe('WWWWWWWWW…');
  });
});
