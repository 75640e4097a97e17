import { expect, test } from 'vitest';

import type { LabFault, LabStep } from '../contract/lab-results';
import { compile } from './latch-language/compile';
import { latchWalk } from './latch-walk';

const program = (source: string) => compile(source).program!;
const mutex = program(
  'word locked;\nthread word next = me;\nvoid enter() { store(locked, 1); }\nvoid exit() { }',
);

const step = (said: Partial<LabStep>): LabStep => ({
  ...{ thread: 1, what: 'access', function: 'enter', line: 3, operation: 'store', word: 'locked', index: 0 },
  ...{ phases: ['entering', 'outside'], sleepers: [], ...said },
});
const fault = (...steps: LabStep[]): LabFault => ({
  ...{ kind: 'deadlock', sentence: '', memory: 'tso', threads: 2, roles: 'XX', rounds: 1, schedule: '1' },
  steps,
});

test('before the first step each word has its first value', () => {
  const [begin] = latchWalk(mutex, fault());
  expect(begin!.cells.map(({ name, value }) => `${name} ${value}`)).toEqual([
    'locked 0',
    'next[0] 0',
    'next[1] 1',
    'next[2] 2',
  ]);
  expect(begin!.thread).toBeNull();
});

test('a store that waits in the buffer is no change of the word until it takes effect', () => {
  const walk = latchWalk(
    mutex,
    fault(
      step({ before: 0, after: 1, buffered: true }),
      step({ operation: 'load', before: 1, after: 1, result: 1 }),
      step({ what: 'takes_effect', before: 0, after: 1 }),
    ),
  );
  expect(walk.map(({ cells }) => cells[0]!.value)).toEqual([0, 0, 0, 1]);
  expect(walk.map(({ threads }) => threads[0]!.buffered.length)).toEqual([0, 1, 1, 0]);
  expect(walk.map(({ cells }) => cells[0]!.is_changed)).toEqual([false, false, false, true]);
  expect(walk[1]!.sentence).toBe('store locked = 1, which nobody else sees yet');
  expect(walk[3]!.sentence).toBe('its store takes effect: locked becomes 1');
});

test('who sleeps is told, whatever it was about to do', () => {
  const sleepers = [{ thread: 1, word: 'locked', index: 0 }];
  const [, asleep] = latchWalk(
    mutex,
    fault(step({ operation: 'futex_wait', before: 0, after: 0, falls_asleep: true, sleepers })),
  );
  expect(asleep!.threads.map(({ phase }) => phase)).toEqual(['asleep', 'outside']);
  expect(asleep!.sentence).toBe('futex_wait locked: it is 0, falls asleep');
});
