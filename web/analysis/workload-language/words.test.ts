import { expect, test } from 'vitest';

import { compiled, done, errorsIn, withBody } from './test-fixtures.ts';

const words = 'word hits; word slots[4]; line { word head = 3; word tail; } thread word own;';

test('words have cache lines', () => {
  expect(compiled(withBody('', words)).words).toMatchObject([
    { name: 'hits', line: 0, elements: 1, packed: false },
    { name: 'slots', line: 1, elements: 4, packed: false },
    { name: 'head', line: 2, initial: 3 },
    { name: 'tail', line: 2, initial: 0 },
    { name: 'own', line: 4, per_thread: true },
  ]);
  expect(compiled(withBody('')).words).toBeUndefined();
});

test.each([
  ['fetch_add(hits, 2);', ['fetch_add hits 0 to 2']],
  ['uint x = load(head); store(slots[x], x + 1);', ['load head 3 to 3', 'store slots[3] 0 to 4']],
  ['store(own[me], 7); fetch_sub(own[me], 1);', ['store own[1] 0 to 7', 'fetch_sub own[1] 7 to 6']],
  ['if (compare_exchange(tail, 0, me) == 0) pause();', ['compare_exchange tail 0 to 1', 'pause 1']],
  ['uint old = exchange(tail, 5); check(old == 0);', ['exchange tail 0 to 5', 'check 1']],
  [
    'fetch_or(hits, 6); fetch_and(hits, 3); fetch_xor(hits, 1);',
    ['fetch_or hits 0 to 6', 'fetch_and hits 6 to 2', 'fetch_xor hits 2 to 3'],
  ],
  ['fence(); yield(); pause(50);', ['fence', 'yield', 'pause 50']],
])('%s', (body, expected) => {
  expect(done(body, words)).toEqual(expected);
});

test.each([
  ['hits = 1;', 'hits is a word: write store(hits, 1)'],
  ['slots[1]++;', 'slots[1] is a word: write fetch_add(slots[1], 1)'],
  ['work(hits * 1us);', 'hits is a word: write load(hits)'],
  ['fetch_add(slots, 1);', 'slots has several elements: name one, such as slots[0]'],
  ['fetch_add(slots[4], 1);', 'slots has 4 elements: 0 to 3'],
  ['fetch_add(own, 1);', 'own has an element for each thread: name one, such as own[me]'],
  ['fetch_add(m, 1);', 'fetch_add needs a word, such as hits; m is not a word'],
  ['fetch_add(hit, 1);', 'hit is not declared; did you mean hits?'],
  ['fetch_add(hits, 1us);', 'fetch_add takes a number, such as 4; 1us is a duration'],
  ['store(hits);', 'store got 1 arguments: write store(word, value)'],
  ['uint x = store(hits, 1);', 'store() returns no value: write it as a separate statement'],
  [
    'while (!compare_exchange(hits, 0, 1)) pause();',
    'compare_exchange() returns the value it found, not whether it wrote: write compare_exchange(hits, 0, 1) != 0',
  ],
  ['hold hits { }', 'hits is not a latch: write one of m, rw, many'],
])('%s is refused', (body, sentence) => {
  expect(errorsIn(body, words)).toEqual([sentence]);
});

test('a line holds at most 16 words', () => {
  expect(errorsIn('', 'line { word a[16]; word b; }')).toEqual([
    'a cache line holds at most 16 words, got 17',
  ]);
});
