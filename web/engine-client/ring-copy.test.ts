import { expect, test } from 'vitest';

import { copyOfRing, type Ring, SpareBuffers } from './block-copy';

/**
 * Four records of two bytes, after three unrelated bytes. Six were written, each with its number in
 * both bytes.
 */
const ring: Ring = { address: 3, records: 4, recordBytes: 2 };
const memory = Uint8Array.of(9, 9, 9, 4, 4, 5, 5, 2, 2, 3, 3).buffer;

test('records come in the order of their numbers, also past the end of the ring', () => {
  expect([...copyOfRing(memory, ring, 3, 6)]).toEqual([3, 3, 4, 4, 5, 5]);
  expect([...copyOfRing(memory, ring, 6, 6)]).toEqual([]);
});

test('a copy is made in the room of one that nobody reads any more, if that is large enough', () => {
  const spares = new SpareBuffers();
  const copy = (first: number) =>
    copyOfRing(memory, ring, first, 6, (bytes) => spares.take(bytes, (spare) => spare.byteLength >= bytes));
  const large = copy(3);
  spares.give(large.buffer);
  const small = copy(5);
  expect([...small]).toEqual([5, 5]);
  expect(small.buffer).toBe(large.buffer);
  expect(copy(5).buffer).not.toBe(large.buffer);

  const tooSmall = copy(5).buffer;
  spares.give(tooSmall);
  expect(copy(3).buffer).not.toBe(tooSmall);
});
