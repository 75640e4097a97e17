// Tests the chart of a stage with a course that is drawn here.
import { expect, test } from 'vitest';

import { rateScale } from '../../charts/rate-scales';
import { stageChart } from './stage-chart';
import { course, historyOf, story } from './test-fixtures';
import type { StagePicture } from './stage-picture';

const numbers = [{ title: 'scans/s', figure: 'rate', value: 90, ratio: null }] as const;
const picture = (change: Partial<StagePicture>): StagePicture => ({
  ...{ playS: 0, points: [], toCome: [], steps: [], queue: null },
  ...{ phase: 0, isFixed: false, recorded: null, ...change },
});

test('the axis stays as it is while the course is drawn, above its numbers as well', () => {
  const higher = { ...course, history: historyOf([20, 70, 190, 190]) };
  const topWith = (most: number) =>
    rateScale(stageChart({ story, course: higher, numbers }, picture({})).rates, most, [100, 0]).y(190);
  expect(topWith(0)).toBe(topWith(190));
  expect(topWith(0)).toBeGreaterThanOrEqual(0);
});

test('a run beyond the course has room at its right', () => {
  const endOf = (playS: number) => stageChart({ story, course, numbers }, picture({ playS })).endS;
  expect(endOf(3)).toBe(10);
  expect(endOf(20)).toBeGreaterThan(20);
});
