// Tests what the stage shows at each moment, with a course and a run that are drawn here.
import { expect, test } from 'vitest';

import type { StageStep } from '../../contract/scenario-files/stage';
import { History } from '../../recording/history';
import { course, historyOf, story } from './test-fixtures';
import { StageTimeline } from './timeline';

const TRANSACTION_S = 1.5;
const engineNever = new History();
const timeline = () => new StageTimeline(story, course, TRANSACTION_S);
const ratesOf = (points: readonly { rate: number | null }[]) => points.map(({ rate }) => rate);

test('the recording plays until its next step, and waits there for the reader', () => {
  const stage = timeline();
  stage.advance(1, 0);
  expect(stage.playS).toBe(1);
  stage.advance(5, 0);
  expect(stage.playS).toBe(2);
  expect(stage.canTake('break')).toBe(true);
  expect(stage.canTake('original')).toBe(false);
});

test('a step that comes next is taken at its recorded time, so that the recording is the run', () => {
  const stage = timeline();
  stage.advance(0.5, 0.4);
  expect(stage.take('break', 0.4)).toBe(2);
  stage.advance(2, 0.4);
  expect(stage.playS).toBe(4);
  expect(stage.isAsRecorded).toBe(true);
  expect(stage.recordedPicture()?.tS).toBe(3);
  expect(stage.take('fixed', 1)).toBe(6);
  expect(stage.taken).toEqual([
    { step: 'break', atS: 2 },
    { step: 'fixed', atS: 6 },
  ]);
});

test('a step at another moment shows the recorded course of that step, moved there', () => {
  const stage = timeline();
  stage.advance(5, 4);
  expect(stage.playS).toBe(4);
  expect(stage.take('break', 4)).toBe(4);
  expect(stage.isAsRecorded).toBe(false);
  expect(stage.pointsToCome()).toEqual([]);
  stage.advance(2, 4);
  const points = stage.points(historyOf([100, 100, 100, 100, 100]));
  expect(points.filter(({ isRecorded }) => isRecorded).map(({ tS, rate }) => [tS, rate])).toEqual([
    [5, null],
    [6, 5],
  ]);
});

test('the run replaces the recording as far as the engine has computed it', () => {
  const stage = timeline();
  stage.take('break', 0);
  stage.advance(3, 0);
  const points = stage.points(historyOf([90, 90, 90, 7]));
  expect(points.map(({ tS, isRecorded }) => `${tS} ${isRecorded}`)).toContain('3 false');
  expect(points.at(-1)).toEqual({ tS: 5, rate: 5, isRecorded: true });
});

test('no rate is shown while all clients are inside a transaction', () => {
  const stage = timeline();
  stage.take('break', 0);
  stage.advance(2, 0);
  expect(ratesOf(stage.points(engineNever))).toEqual([100, 100, 100, null, 5]);
});

test('a longer time without a transaction is a standstill, also across a step', () => {
  const standing = { ...course, history: historyOf([100, 100, 5, 5, 0, 0, 0, 0, 60]) };
  const stage = new StageTimeline(story, standing, TRANSACTION_S);
  stage.take('break', 0);
  stage.take('fixed', 0);
  stage.advance(2, 0);
  expect(ratesOf(stage.points(engineNever))).toEqual([100, 100, 5, 5, 0, 0, 0, 0, 60]);
});

test('steps taken elsewhere count, and another run has no recording', () => {
  const stage = timeline();
  stage.followAnotherRun();
  stage.adopt([{ step: 'break' satisfies StageStep, atS: 3 }], 5);
  expect(stage.playS).toBe(5);
  expect(stage.condition).toEqual({ isFixed: false, breaks: 1 });
  expect(stage.canTake('break')).toBe(false);
  expect(stage.points(engineNever)).toEqual([]);
});
