import { expect, test } from 'vitest';

import { momentText } from './axes';

test.each([
  [12.3456, { fromS: 0, toS: 30 }, false, '12.35 s'],
  [12.3456, { fromS: 12, toS: 13 }, false, '12.346 s'],
  [300, { fromS: 0, toS: 5000 }, false, '300 s'],
  [0.0123456, { fromS: 0, toS: 0.04 }, true, '12.35 ms'],
  [0.0123456, { fromS: 0.012, toS: 0.0125 }, true, '12.3456 ms'],
])('a moment at %d s is told as exactly as its chart can show it', (tS, range, isVirtual, text) => {
  expect(momentText(tS, range, isVirtual)).toBe(text);
});
