import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type * as FrameScheduler from './frame-scheduler';

let scheduler: typeof FrameScheduler;
let waiting: FrameRequestCallback[] = [];

function passFrame(before: () => void = () => undefined): void {
  const callbacks = waiting.splice(0);
  before();
  for (const callback of callbacks) callback(0);
}

beforeEach(async () => {
  waiting = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => waiting.push(callback));
  // A scheduler of its own, without the work that other tests scheduled.
  vi.resetModules();
  scheduler = await import('./frame-scheduler');
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('each frame does one work, in the order in which they were asked for, however often', () => {
  const done: string[] = [];
  const [axis, line] = [() => done.push('axis'), () => done.push('line')];
  for (const work of [axis, line, axis]) scheduler.scheduleInFrame(work);
  passFrame();
  expect(done).toEqual(['axis']);
  passFrame();
  expect(done).toEqual(['axis', 'line']);
  passFrame();
  expect(done).toEqual(['axis', 'line']);
});

test('what is to be next comes before what else is due', () => {
  const done: string[] = [];
  const [axis, line, text] = ['axis', 'line', 'text'].map((name) => () => done.push(name));
  for (const work of [axis!, line!, text!]) scheduler.scheduleInFrame(work);
  scheduler.scheduleNext(text!);
  for (let frames = 0; frames < 4; frames += 1) passFrame();
  expect(done).toEqual(['text', 'axis', 'line']);
});

test('what is taken back is not done', () => {
  const done: string[] = [];
  const work = () => done.push('work');
  scheduler.scheduleInFrame(work);
  scheduler.unschedule(work);
  passFrame();
  expect(done).toEqual([]);
});

test('a frame that is taken does nothing that is scheduled; the next one does', () => {
  const done: string[] = [];
  scheduler.scheduleInFrame(() => done.push('line'));
  passFrame(scheduler.takeFrame);
  expect(done).toEqual([]);
  passFrame();
  expect(done).toEqual(['line']);
});

test('whoever takes each frame keeps nothing waiting for ever', () => {
  const done: string[] = [];
  scheduler.scheduleInFrame(() => done.push('line'));
  for (let frames = 0; frames < 3; frames += 1) passFrame(scheduler.takeFrame);
  expect(done).toEqual(['line']);
});

test('who looks at a run does so before all else, at the time of the frame, and may take it', () => {
  const done: string[] = [];
  scheduler.scheduleInFrame(() => done.push('line'));
  scheduler.scheduleSample((nowMs) => {
    done.push(`look at ${nowMs}`);
    scheduler.takeFrame();
    scheduler.scheduleSample(() => {
      done.push('look again');
      throw new Error('what is seen cannot be shown');
    });
  });
  passFrame();
  expect(done).toEqual(['look at 0']);
  const told = vi.spyOn(console, 'error').mockReturnValue();
  passFrame();
  expect(told).toHaveBeenCalledOnce();
  expect(done).toEqual(['look at 0', 'look again', 'line']);
  told.mockRestore();
});

test('a message is taken in by the next frame, which then draws nothing', () => {
  const done: string[] = [];
  scheduler.scheduleInFrame(() => done.push('line'));
  scheduler.scheduleForHand(() => done.push('point'));
  scheduler.scheduleMessage(() => {
    done.push('message');
    scheduler.scheduleMessage(() => done.push('the next message'));
  });
  passFrame();
  expect(done).toEqual(['message']);
  passFrame();
  expect(done).toEqual(['message', 'the next message']);
  passFrame();
  passFrame();
  expect(done).toEqual(['message', 'the next message', 'point', 'line']);
});

test('what follows the hand comes first and together, and every second frame while something else is due', () => {
  const done: string[] = [];
  const point = () => {
    for (const chart of ['a', 'b']) scheduler.scheduleForHand(() => done.push(`point at ${chart}`));
  };
  for (const name of ['axis', 'line']) scheduler.scheduleInFrame(() => done.push(name));
  for (let frames = 0; frames < 4; frames += 1) {
    point();
    passFrame();
    done.push('|');
  }
  const pointed = ['point at a', 'point at b'];
  expect(done).toEqual([...pointed, '|', 'axis', '|', ...pointed, ...pointed, '|', 'line', '|']);
});

test('a work that throws is told of in the console, and keeps no other from being done', () => {
  const told = vi.spyOn(console, 'error').mockReturnValue();
  const done: string[] = [];
  scheduler.scheduleForHand(() => {
    throw new Error('broken on purpose');
  });
  scheduler.scheduleForHand(() => done.push('point'));
  scheduler.scheduleInFrame(() => done.push('line'));
  passFrame();
  passFrame();
  expect(done).toEqual(['point', 'line']);
  expect(told).toHaveBeenCalledOnce();
  told.mockRestore();
});
