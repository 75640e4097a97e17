import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { scheduleInFrame, takeFrame, unschedule } from './frame-scheduler';

let waiting: FrameRequestCallback[] = [];
let now_ms = 0;

/** All callbacks of a frame are told the same time. */
function passFrame(first: (now_ms: number) => void = () => undefined): void {
  const callbacks = waiting.splice(0);
  now_ms += 16;
  first(now_ms);
  for (const callback of callbacks) callback(now_ms);
}

beforeEach(() => {
  waiting = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => waiting.push(callback));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('each frame does one work, in the order in which they were asked for, however often', () => {
  const done: string[] = [];
  const [axis, line] = [() => done.push('axis'), () => done.push('line')];
  for (const work of [axis, line, axis]) scheduleInFrame(work);
  passFrame();
  expect(done).toEqual(['axis']);
  passFrame();
  expect(done).toEqual(['axis', 'line']);
  passFrame();
  expect(done).toEqual(['axis', 'line']);
});

test('what is taken back is not done', () => {
  const done: string[] = [];
  const work = () => done.push('work');
  scheduleInFrame(work);
  unschedule(work);
  passFrame();
  expect(done).toEqual([]);
});

test('a frame that is taken does nothing that is scheduled; the next one does', () => {
  const done: string[] = [];
  scheduleInFrame(() => done.push('line'));
  passFrame(takeFrame);
  expect(done).toEqual([]);
  passFrame();
  expect(done).toEqual(['line']);
});
