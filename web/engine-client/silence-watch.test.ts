import { expect, test } from 'vitest';

import { SILENCE_MAX_MS, SilenceWatch } from './silence-watch';

function watched() {
  let frame: ((nowMs: number) => void) | null = null;
  const seen = { asked: 0, silences: [] as number[], isExpected: true };
  const watch = new SilenceWatch({
    nextFrame: (callback) => (frame = callback),
    isExpected: () => seen.isExpected,
    ask: () => (seen.asked += 1),
    onSilence: (seconds) => seen.silences.push(seconds),
  });
  let nowMs = 1e6;
  /** Lets `count` frames of `ms` milliseconds pass. */
  const pass = (ms: number, count = 1) => {
    for (let i = 0; i < count; i += 1) {
      nowMs += ms;
      const callback = frame;
      frame = null;
      callback?.(nowMs);
    }
  };
  return { watch, seen, pass, isLooking: () => frame !== null };
}

test('lasting silence is reported once, after a question each second', () => {
  const { watch, seen, pass, isLooking } = watched();
  watch.watch();
  pass(50, SILENCE_MAX_MS / 50);
  expect(seen).toMatchObject({ asked: 29, silences: [] });
  pass(50, 10);
  expect(seen.silences).toEqual([SILENCE_MAX_MS / 1000]);
  watch.watch();
  expect(isLooking()).toBe(false);
});

test('time in which the page was hidden or the machine slept does not count', () => {
  const { watch, seen, pass } = watched();
  watch.watch();
  pass(3_600_000, 100);
  expect(seen.silences).toEqual([]);
});

test('an answer restarts the count', () => {
  const { watch, seen, pass } = watched();
  watch.watch();
  for (let i = 0; i < 10; i += 1) {
    pass(50, SILENCE_MAX_MS / 50 - 2);
    watch.heard();
  }
  expect(seen.silences).toEqual([]);
});

test('while no answer is expected, nothing is counted and no frame is requested', () => {
  const { watch, seen, pass, isLooking } = watched();
  watch.watch();
  pass(50, 100);
  seen.isExpected = false;
  pass(50);
  expect(isLooking()).toBe(false);
  watch.watch();
  expect(isLooking()).toBe(false);
  seen.isExpected = true;
  watch.watch();
  pass(50, SILENCE_MAX_MS / 50);
  expect(seen.silences).toEqual([]);
});
