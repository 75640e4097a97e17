import fc from 'fast-check';
import { expect, test } from 'vitest';

import { done, errorsIn } from './test-fixtures.ts';
import { valueOfLiteral } from './values.ts';

test.each([
  ['40us', 'duration', 40_000_000n],
  ['0.5us', 'duration', 500_000n],
  ['1h', 'duration', 3_600_000_000_000_000n],
  ['4KiB', 'size', 4096n],
  ['1.5MiB', 'size', 1_572_864n],
  ['0.1pct', 'share', 1000n],
  ['0x10', 'uint', 16n],
])('%s', (text, type, value) => {
  expect(valueOfLiteral(text)).toEqual({ type, value });
});

test.each([
  ['4294967296', undefined],
  ['40usec', '40us'],
  ['4KB', '4KiB'],
  ['4MB', '4MiB'],
  ['1.5', undefined],
  ['0.0001ns', undefined],
  ['9999999h', undefined],
  ['12ab', undefined],
  ['0xg', undefined],
])('%s is no value', (text, suggestion) => {
  expect(valueOfLiteral(text)).toMatchObject({ wrong: expect.any(String) as string });
  expect(valueOfLiteral(text)).toEqual(
    suggestion === undefined
      ? { wrong: expect.any(String) as string }
      : { wrong: expect.any(String) as string, suggestion },
  );
});

test('constants are computed as the engine computes', () => {
  const operators = [
    '+',
    '-',
    '*',
    '/',
    '%',
    '&',
    '|',
    '^',
    '<<',
    '>>',
    '==',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
    '&&',
    '||',
  ];
  const number = fc.oneof(fc.nat(40), fc.integer({ min: 0, max: 0xffff_ffff }));
  fc.assert(
    fc.property(number, number, fc.constantFrom(...operators), (a, b, operator) => {
      fc.pre(!(/[/%]/.test(operator) && b === 0));
      const known = done(`work(1ps * (${a} ${operator} ${b}));`);
      const unknown = done(`uint a = ${a}; uint b = ${b}; work(1ps * (a ${operator} b));`);
      expect(known).toEqual(unknown);
    }),
    { numRuns: 300 },
  );
});

test('durations stop at their ends', () => {
  expect(done('duration d = 1ns; work(d - 1us);')).toEqual(['work 0']);
  expect(done('duration d = 1h; d = d * 4000000000; work(d + d);')).toEqual([`work ${2n ** 64n - 1n}`]);
  expect(done('size s = 512GiB; uint n = s / 1B; work(1ps * n);')).toEqual(['work 4294967295']);
});

test.each([
  ['work(4KiB);', 'work takes a duration, such as 4us; 4KiB is a size'],
  ['work(4);', 'work takes a duration, such as 4us; 4 is a number'],
  ['uint x = 4us;', 'x is a number, such as 4; 4us is a duration'],
  ['work(4us + 4KiB);', '+ does not take a duration and a size: 4us is a duration, 4KiB is a size'],
  ['work(4us * 4us);', '* does not take a duration and a duration: 4us is a duration, 4us is a duration'],
  ['if (4us) work(1us);', 'a condition is a number, such as 4; 4us is a duration'],
  ['if (chance(2)) work(1us);', 'chance takes a share, such as 2pct; 2 is a number'],
  ['uint x = 1 / 0;', 'division by zero'],
])('%s', (body, sentence) => {
  expect(errorsIn(body)).toEqual([sentence]);
});
