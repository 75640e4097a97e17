import { describe, expect, test } from 'vitest';

import { latch_classes } from '../contract/gen/latch-classes';
import type { LatchEvent } from '../contract/telemetry-states';
import type { LatchMoment } from './latch-moment';
import { latchEventInWords, lockPicture } from './lock-picture';

const mutex = latch_classes.findIndex(({ name }) => name === 'TTASEventMutex');

const change: LatchEvent = {
  at_ns: 50,
  kind: 'read_modify_write',
  latch: 7,
  slot: 4,
  site: -1,
  access: { took_ns: 110, core: 2, from_core: 1, latch_class: mutex, line: 0, word: 0, value: 1 },
};

const cores = new Map([
  [3, 1],
  [4, 2],
  [5, 0],
  [6, 3],
]);
/**
 * Thread 3 on core 1 holds the latch, 4 on core 2 requests the line, 5 spins on core 0, 6 sleeps.
 */
const moment: LatchMoment = {
  atNs: 40,
  count: 5,
  holders: [{ slot: 3, sinceNs: 10, site: 0, mode: null }],
  wanting: [
    { slot: 6, sinceNs: 12, site: 0, isAsleep: true },
    { slot: 5, sinceNs: 20, site: 0, isAsleep: false },
  ],
  line: 0,
  words: [1, null],
  owner: 1,
  copies: [1],
  asking: [change],
  nextHold: { slot: 5, site: 0, fromNs: 90, toNs: null, mode: null },
  last: null,
  next: change,
  coreOf: (slot) => cores.get(slot) ?? null,
};
const server = { sockets: 2, cores_per_socket: 2 };
const picture = lockPicture(moment, mutex, server);

test('each core shows who runs there and what that thread does for the latch', () => {
  expect(picture.sockets).toEqual([
    [
      { core: 0, threads: [{ slot: 5, role: 'spins' }], line: null },
      { core: 1, threads: [{ slot: 3, role: 'holds' }], line: 'owner' },
    ],
    [
      { core: 2, threads: [{ slot: 4, role: 'asks' }], line: null },
      { core: 3, threads: [], line: null },
    ],
  ]);
});

test('the line travels to whoever gets it next, at its cost', () => {
  expect(picture.transfer).toEqual({ from: 1, to: 2, tookNs: 110 });
  expect(picture.line).toBe('core 1 on socket 0 has the only copy, modified');
});

test('siblings on one core are both named, the holder first', () => {
  const onOneCore = { ...moment, coreOf: () => 0 };
  expect(lockPicture(onOneCore, mutex, server).sockets[0]![0]!.threads).toEqual([
    { slot: 3, role: 'holds' },
    { slot: 4, role: 'asks' },
    { slot: 5, role: 'spins' },
  ]);
});

test('it says who asks for the line, who spins, who sleeps and who is next', () => {
  expect(picture.asking).toEqual([{ slot: 4, core: 2, inNs: 10 }]);
  expect(picture.spinning.map(({ slot }) => slot)).toEqual([5]);
  expect(picture.sleeping.map(({ slot }) => slot)).toEqual([6]);
  expect(picture.next).toEqual({ slot: 5, inNs: 50 });
});

test('a line that nobody asks for, or that is there already, does not travel', () => {
  const still = { ...moment, asking: [] };
  expect(lockPicture(still, mutex, server).transfer).toBeNull();
  const there = { ...moment, owner: 2, copies: [2] };
  expect(lockPicture(there, mutex, server).transfer).toBeNull();
});

test('a line with several copies says of how many cores', () => {
  const shared = { ...moment, owner: null, copies: [0, 2, 3], asking: [] };
  expect(lockPicture(shared, mutex, server).line).toBe('3 cores have a copy');
});

test('an event is told in words', () => {
  expect(latchEventInWords(change, 'client 4')).toBe(
    'client 4, core 2, changes lock_word to 0x00000001 (held): 110 ns, line from core 1',
  );
  expect(latchEventInWords({ ...change, kind: 'wants', access: null }, 'client 4')).toBe(
    'client 4 fails to acquire the latch',
  );
});

describe('a latch of the lab', () => {
  const latchClass = latch_classes.findIndex(({ name }) => name === 'LabLatch');
  const declared = [{ name: 'turn', line: 0, elements: 1, per_thread: false, packed: false }];
  const poll: LatchEvent = {
    ...change,
    kind: 'poll',
    access: { ...change.access!, latch_class: latchClass },
  };

  test('is told by the names of its words', () => {
    expect(latchEventInWords(poll, 'client 4', declared)).toBe(
      'client 4, core 2, polls turn and reads 0x00000001 (1): 110 ns, line from core 1',
    );
    expect(lockPicture(moment, latchClass, server, declared).words).toEqual([
      { name: 'turn', hex: '0x00000001', meaning: '1' },
    ]);
  });

  test('does not say by its word that nobody has it', () => {
    expect(lockPicture(moment, latchClass, server, declared)).toMatchObject({
      isWordFree: false,
      tellsWordFree: false,
    });
    expect(picture.tellsWordFree).toBe(true);
  });
});
