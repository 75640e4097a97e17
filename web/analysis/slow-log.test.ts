import { expect, test } from 'vitest';

import { foldSlowLog } from './slow-log';

const entry = (endedS: number, tookS: number, session: number) => [
  `# Time: 1970-01-01T00:00:${endedS.toFixed(6).padStart(9, '0')}Z`,
  `# User@Host: root[root] @ localhost []  Id: ${String(session).padStart(5)}`,
  `# Query_time: ${tookS.toFixed(6)}  Lock_time: 0.000000 Rows_sent: 0  Rows_examined: 0`,
  `SET timestamp=${Math.floor(endedS)};`,
  'COMMIT;',
];

test('of statements that were slow at the same time the longest leads, and the others are folded', () => {
  const victims = Array.from({ length: 199 }, (_, i) => entry(12.01 + i / 1000, 1.5, 100 + i));
  const lines = [...victims.slice(0, 50).flat(), ...entry(12.06, 2, 7), ...victims.slice(50).flat()];
  const parts = foldSlowLog(lines);
  expect(parts).toHaveLength(1);
  expect(parts[0]).toMatchObject({ kind: 'convoy', longest: { session: '7', tookS: 2, endedS: 12.06 } });
  const [convoy] = parts;
  expect(convoy?.kind === 'convoy' && convoy.others.map(({ lines: said }) => said)).toEqual(victims);
});

test('what was slow at another time is another convoy, and few stand as they are', () => {
  const first = [entry(2, 1, 1), entry(2.1, 0.9, 2), entry(2.2, 0.8, 3)];
  const second = [entry(9, 1, 4), entry(9.1, 0.5, 5)];
  expect(foldSlowLog([...first, ...second].flat())).toMatchObject([
    { kind: 'convoy', longest: { session: '1' } },
    { kind: 'lines', lines: second.flat() },
  ]);
});

test('every other line stays in its place, a torn entry too', () => {
  const slow = [entry(2, 1, 1), entry(2.1, 0.9, 2), entry(2.2, 0.8, 3)].flat();
  const torn = entry(5, 1, 6).slice(0, 3);
  expect(foldSlowLog(['COMMIT;', ...slow, '[Warning] full', ...torn])).toMatchObject([
    { kind: 'lines', lines: ['COMMIT;'] },
    { kind: 'convoy' },
    { kind: 'lines', lines: ['[Warning] full', ...torn] },
  ]);
  expect(foldSlowLog([])).toEqual([]);
});
