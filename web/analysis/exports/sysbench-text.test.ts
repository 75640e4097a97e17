import { expect, test } from 'vitest';

import { sysbenchText } from './interval-csv';

const header = ['Threads started!', ''];
const intervals = [{ sysbench_line: '[ 1s ] thds: 8' }, {}, { sysbench_line: '[ 2s ] thds: 8' }];

test('header, interval lines and report come in sysbench’s order; an interval without a line is skipped', () => {
  expect(sysbenchText({ header, intervals, report: ['SQL statistics:', ''] })).toBe(
    'Threads started!\n\n[ 1s ] thds: 8\n[ 2s ] thds: 8\nSQL statistics:\n\n',
  );
});

test('a run in progress has no report yet', () => {
  expect(sysbenchText({ header, intervals, report: [] })).toMatch(/\[ 2s \] thds: 8\n$/);
});
