import { describe, expect, test } from 'vitest';

import { latch_classes } from '../contract/gen/latch-classes';
import { lab_line_element_bits } from '../contract/lab-program';
import { latchWord, latchWords, type DeclaredWord } from './latch-words';

const classOf = (name: string) => latch_classes.findIndex((known) => known.name === name);
const [mutex, rwLock, osMutex] = ['TTASEventMutex', 'RwLock', 'OsMutex'].map(classOf) as [
  number,
  number,
  number,
];
const ofClass = (latchClass: number) => ({ latch_class: latchClass, line: 0, declared: [] });
const meaning = (latchClass: number, value: number) => latchWords(ofClass(latchClass), [value])[0]!.meaning;

test.each([
  [0x2000_0000, 'free'],
  [0x1fff_ffff, '1 reader'],
  [0x1fff_fff3, '13 readers'],
  [0x1000_0000, 'SX held'],
  [0x0fff_fffe, 'SX held, 2 readers'],
  [0, 'X held'],
  [0xffff_fffd, 'a writer waits for 3 readers'],
  [0xe000_0000, 'X held recursively'],
])('an rw_lock’s word %i: %s', (word, words) => {
  expect(meaning(rwLock, word)).toBe(words);
});

test('a mutex is free or held, and says whether somebody may sleep', () => {
  expect(latchWords(ofClass(mutex), [1, 0])).toEqual([
    { name: 'lock_word', hex: '0x00000001', meaning: 'held' },
    { name: 'waiters', hex: '0x00000000', meaning: 'no one to wake' },
  ]);
  expect(meaning(osMutex, 2)).toBe('held, waiters may be asleep');
});

test('a word that nobody has touched is not known', () => {
  expect(latchWords(ofClass(mutex), [1])[1]).toEqual({
    name: 'waiters',
    hex: null,
    meaning: 'not accessed yet',
  });
});

test('every word of every class is read', () => {
  for (const [i, { words }] of latch_classes.entries()) {
    const values = words.map(() => 1);
    for (const word of latchWords(ofClass(i), values)) expect(word.meaning, word.name).not.toBe('');
  }
});

describe('the words of a latch of the lab', () => {
  const one = { elements: 1, per_thread: false, packed: false };
  /**
   * The result of `word next; word serving[3]; line { word held; word queue[2]; } thread line {
   * word before; word waiting; }`.
   */
  const declared: DeclaredWord[] = [
    { ...one, name: 'next', line: 0 },
    { ...one, name: 'serving', line: 1, elements: 3 },
    { ...one, name: 'held', line: 2, packed: true },
    { ...one, name: 'queue', line: 2, elements: 2, packed: true },
    { ...one, name: 'before', line: 3, per_thread: true },
    { ...one, name: 'waiting', line: 3, elements: 0, per_thread: true },
  ];
  const latchClass = classOf('LabLatch');
  const lineOf = (number: number, element = 0) => (number << lab_line_element_bits) | element;
  const words = (line: number, values: (number | null)[] = []) =>
    latchWords({ latch_class: latchClass, line, declared }, values);

  test.each<[number, string[]]>([
    [lineOf(0), ['next']],
    [lineOf(1, 2), ['serving[2]']],
    [lineOf(1, 3), []],
    [lineOf(2), ['held', 'queue[0]', 'queue[1]']],
    [lineOf(3, 1023), ['before[1023]', 'waiting[1023]']],
  ])('on line %i have the names of their program', (line, names) => {
    expect(words(line).map(({ name }) => name)).toEqual(names);
  });

  test('are read as numbers', () => {
    expect(words(lineOf(3, 7), [null, 12])).toEqual([
      { name: 'before[7]', hex: null, meaning: 'not accessed yet' },
      { name: 'waiting[7]', hex: '0x0000000c', meaning: '12' },
    ]);
    expect(latchWord({ latch_class: latchClass, line: lineOf(2), declared }, 2, 3).name).toBe('queue[1]');
  });

  test('are numbered where no program is known', () => {
    expect(latchWords({ latch_class: latchClass, line: 0, declared: [] }, [5])).toMatchObject([
      { name: 'word 0' },
    ]);
    expect(latchWord({ latch_class: latchClass, line: 0, declared: [] }, 1, 5)).toMatchObject({
      name: 'word 1',
    });
  });
});
