import { expect, test } from 'vitest';

import { TelemetryWords } from './telemetry-words';

const ADDRESS = 16;

/** Creates a block of these u32 words at an address other than 0. */
function wordsOf(...values: number[]): TelemetryWords {
  const memory = new ArrayBuffer(ADDRESS + 8 * Math.ceil(values.length / 2));
  new Uint32Array(memory, ADDRESS).set(values);
  return new TelemetryWords(memory, ADDRESS, memory.byteLength - ADDRESS);
}

test('u64 words are added up, also one whose lower half is 0', () => {
  const sums = new Float64Array([1, 1, 1, 1]);
  wordsOf(9, 9, 7, 0, 0, 2, 0, 0, 0xffff_ffff, 0).addU64s(8, 4, sums);
  expect([...sums]).toEqual([8, 2 ** 33 + 1, 1, 2 ** 32]);
});

test('u32 words are added up in their places, the last of an odd number, too, and no word behind it', () => {
  const sums = new Uint32Array([1, 1, 1]);
  const places = Uint16Array.of(2, 2, 0, 1, 0, 2, 1);
  wordsOf(9, 9, 3, 4, 0, 5, 0, 0, 6, 9).addU32sAt(places, 8, sums);
  expect([...sums]).toEqual([1, 12, 8]);
});

test('no pattern of bits is taken for a pair of zeros', () => {
  const sums = new Uint32Array(2);
  wordsOf(0xffff_ffff, 0x7fff_ffff).addU32sAt(Uint16Array.of(0, 1), 0, sums);
  expect([...sums]).toEqual([0xffff_ffff, 0x7fff_ffff]);
});
