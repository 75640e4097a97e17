import { describe, expect, test } from 'vitest';

import { formatSeconds } from './format';
import { LongWaitWatch, longWaitInWords, longWaitSpoken, type LongWaitReading } from './long-wait';

const reading = (done: number, runS: number, change: Partial<LongWaitReading> = {}): LongWaitReading => ({
  what: 'binlog_rotation',
  done,
  total: 1000,
  runNs: runS * 1e9,
  ends: { binlog_rotation: 3, buffer_pool_warm_up: 0 },
  ...change,
});

test('the time that is left follows from what was done since it began to be watched', () => {
  const watch = new LongWaitWatch();
  expect(watch.note(reading(500, 2))).toEqual({ what: 'binlog_rotation', share: 0.5, remainingS: null });
  expect(watch.note(reading(620, 3.2))).toEqual({
    what: 'binlog_rotation',
    share: 0.62,
    remainingS: expect.closeTo(3.8, 9) as number,
  });
});

test('a wait that stands still, as a paused run does, has no pace', () => {
  const watch = new LongWaitWatch();
  watch.note(reading(500, 2));
  expect(watch.note(reading(500, 9))).toMatchObject({ remainingS: null });
});

test('another wait, or the same one from its beginning, has a pace of its own', () => {
  const watch = new LongWaitWatch();
  watch.note(reading(500, 2));
  watch.note(reading(900, 3));
  expect(watch.note(reading(100, 4))).toMatchObject({ share: 0.1, remainingS: null });
  expect(watch.note(reading(100, 5, { what: 'buffer_pool_warm_up' }))).toMatchObject({ remainingS: null });
});

test('what is more than full is full, and due', () => {
  const watch = new LongWaitWatch();
  watch.note(reading(500, 2));
  expect(watch.note(reading(1030, 3))).toMatchObject({ share: 1, remainingS: 0 });
});

test('a wait has ended if the engine counts its end, and was given up if not', () => {
  const watch = new LongWaitWatch();
  watch.note(reading(990, 2));
  expect(watch.endedBefore(reading(995, 3))).toBeNull();
  expect(watch.endedBefore(reading(0, 3, { what: 'none' }))).toBeNull();
  const rotated = { binlog_rotation: 4, buffer_pool_warm_up: 0 };
  expect(watch.endedBefore(reading(0, 3, { what: 'none', ends: rotated }))).toBe('binlog_rotation');
});

test('nothing takes long', () => {
  expect(new LongWaitWatch().note(reading(0, 0, { what: 'none', total: 0 }))).toBeNull();
});

describe('in words', () => {
  const wait = { what: 'binlog_rotation', share: 0.6299, remainingS: 0.8 } as const;

  test('with how far it is and when it will be over', () => {
    expect(longWaitInWords(wait, formatSeconds)).toBe(
      'Purge at next rotation: binlog 62 % full, rotation in about 0.8 s',
    );
    const warmUp = { what: 'buffer_pool_warm_up', share: 0.4, remainingS: null } as const;
    expect(longWaitInWords(warmUp, formatSeconds)).toBe('Buffer pool 40 % warm');
  });

  test('spoken, it changes by quarters', () => {
    expect(longWaitSpoken(wait)).toMatch(/binlog 50 % full$/);
    expect(longWaitSpoken({ ...wait, share: 0.74 })).toBe(longWaitSpoken(wait));
    expect(longWaitSpoken({ ...wait, share: 0.75 })).toMatch(/75 %/);
  });
});
