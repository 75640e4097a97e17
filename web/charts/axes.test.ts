import { expect, test } from 'vitest';

import { momentText } from './axes';

test.each([
  [12.3456, { from_s: 0, to_s: 30 }, false, '12.35 s'],
  [12.3456, { from_s: 12, to_s: 13 }, false, '12.346 s'],
  [300, { from_s: 0, to_s: 5000 }, false, '300 s'],
  [0.0123456, { from_s: 0, to_s: 0.04 }, true, '12.35 ms'],
  [0.0123456, { from_s: 0.012, to_s: 0.0125 }, true, '12.3456 ms'],
])('a moment at %d s is told as exactly as its chart can show it', (t_s, range, is_virtual, text) => {
  expect(momentText(t_s, range, is_virtual)).toBe(text);
});
