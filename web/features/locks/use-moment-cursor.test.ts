import { expect, test } from 'vitest';

import { exactTime } from './use-moment-cursor';

test('a moment is told to the nanosecond, in the unit that its axis has', () => {
  expect(exactTime(0)).toBe('0.000000 ms');
  expect(exactTime(35_000)).toBe('0.035000 ms');
  expect(exactTime(999_999_999)).toBe('999.999999 ms');
  expect(exactTime(2_756_250_001)).toBe('2.756250001 s');
});
