import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Frames } from './frames';

let frames: Frames;
let waiting: FrameRequestCallback[] = [];

function passFrame(before: () => void = () => undefined): void {
  const callbacks = waiting.splice(0);
  before();
  for (const callback of callbacks) callback(0);
}

const claim = () => {
  frames.claim();
};

beforeEach(() => {
  waiting = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => waiting.push(callback));
  frames = new Frames();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('each frame does one work, in the order in which they were asked for, however often', () => {
  const done: string[] = [];
  const [axis, line] = [() => done.push('axis'), () => done.push('line')];
  for (const work of [axis, line, axis]) frames.schedule('draw', work);
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
  for (const work of [axis!, line!, text!]) frames.schedule('draw', work);
  frames.scheduleFirst(text!);
  for (let frame = 0; frame < 4; frame += 1) passFrame();
  expect(done).toEqual(['text', 'axis', 'line']);
});

test('what is taken back is not done', () => {
  const done: string[] = [];
  const work = () => done.push('work');
  frames.schedule('draw', work);
  frames.cancel(work);
  passFrame();
  expect(done).toEqual([]);
});

test('a frame that is taken does nothing that is scheduled; the next one does', () => {
  const done: string[] = [];
  frames.schedule('draw', () => done.push('line'));
  passFrame(claim);
  expect(done).toEqual([]);
  passFrame();
  expect(done).toEqual(['line']);
});

test('whoever takes each frame keeps nothing waiting for ever', () => {
  const done: string[] = [];
  frames.schedule('draw', () => done.push('line'));
  for (let frame = 0; frame < 3; frame += 1) passFrame(claim);
  expect(done).toEqual(['line']);
});

test('who looks at a run does so before all else, at the time of the frame, and may take it', () => {
  const done: string[] = [];
  frames.schedule('draw', () => done.push('line'));
  frames.schedule('data', (nowMs) => {
    done.push(`look at ${nowMs}`);
    frames.claim();
    frames.schedule('data', () => {
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

test('data that claim a frame leave nothing to the rest of it', () => {
  const done: string[] = [];
  const message = (text: string, next?: () => void) => () => {
    frames.claim();
    done.push(text);
    next?.();
  };
  frames.schedule('draw', () => done.push('line'));
  frames.schedule('input', () => done.push('point'));
  frames.schedule(
    'data',
    message('message', () => frames.schedule('data', message('the next message'))),
  );
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
    for (const chart of ['a', 'b']) frames.schedule('input', () => done.push(`point at ${chart}`));
  };
  for (const name of ['axis', 'line']) frames.schedule('draw', () => done.push(name));
  for (let frame = 0; frame < 4; frame += 1) {
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
  frames.schedule('input', () => {
    throw new Error('broken on purpose');
  });
  frames.schedule('input', () => done.push('point'));
  frames.schedule('draw', () => done.push('line'));
  passFrame();
  passFrame();
  expect(done).toEqual(['point', 'line']);
  expect(told).toHaveBeenCalledOnce();
  told.mockRestore();
});
