import { expect, test } from 'vitest';

import { emptyServerLog, extendServerLog, SERVER_LOG_LINES_KEPT } from './server-log';

const written = (...lines: string[]) => ({ lines, missed: 0, next: 0 });

test('keeps lines in their order', () => {
  const first = extendServerLog(emptyServerLog, written('# Query_time: 6.317686', 'COMMIT;'));
  expect(extendServerLog(first, written('# Time'))).toEqual({
    lines: ['# Query_time: 6.317686', 'COMMIT;', '# Time'],
    left_out: 0,
  });
});

test('counts lines that were missed, and those that it drops', () => {
  const many = Array.from({ length: SERVER_LOG_LINES_KEPT }, (_, i) => `line ${i}`);
  const full = extendServerLog(emptyServerLog, { ...written(...many), missed: 3 });
  expect(full.left_out).toBe(3);
  const overFull = extendServerLog(full, written('the last'));
  expect(overFull.lines).toHaveLength(SERVER_LOG_LINES_KEPT);
  expect([overFull.lines[0], overFull.lines.at(-1), overFull.left_out]).toEqual(['line 1', 'the last', 4]);
});
