import { expect, test } from 'vitest';

import { latch_classes } from '../contract/gen/latch-classes';
import { latchWords } from './latch-words';

const classOf = (name: string) => latch_classes.findIndex((known) => known.name === name);
const [mutex, rw_lock, os_mutex] = ['TTASEventMutex', 'RwLock', 'OsMutex'].map(classOf) as [
  number,
  number,
  number,
];
const meaning = (latch_class: number, value: number) => latchWords(latch_class, [value])[0]!.meaning;

test.each([
  [0x2000_0000, 'free'],
  [0x1fff_ffff, '1 reader'],
  [0x1fff_fff3, '13 readers'],
  [0x1000_0000, 'SX held'],
  [0x0fff_fffe, 'SX held, 2 readers'],
  [0, 'X held'],
  [0xffff_fffd, 'a writer waits for 3 readers to leave'],
  [0xe000_0000, 'X held more than once'],
])('an rw_lock’s word %i: %s', (word, words) => {
  expect(meaning(rw_lock, word)).toBe(words);
});

test('a mutex is free or held, and says whether somebody may sleep', () => {
  expect(latchWords(mutex, [1, 0])).toEqual([
    { name: 'lock_word', hex: '0x00000001', meaning: 'held' },
    { name: 'waiters', hex: '0x00000000', meaning: 'nobody to wake' },
  ]);
  expect(meaning(os_mutex, 2)).toBe('held, somebody may sleep');
});

test('a word that nobody has touched is not known', () => {
  expect(latchWords(mutex, [1])[1]).toEqual({ name: 'waiters', hex: null, meaning: 'not touched yet' });
});

test('every word of every class is read', () => {
  for (const [i, { words }] of latch_classes.entries()) {
    const values = words.map(() => 1);
    for (const word of latchWords(i, values)) expect(word.meaning, word.name).not.toBe('');
  }
});
