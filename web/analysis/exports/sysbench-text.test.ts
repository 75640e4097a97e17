import { expect, test } from 'vitest';

import type { SysbenchInterval } from '../sysbench';
import { sysbenchText } from './sysbench-text';

const interval: SysbenchInterval = {
  t_s: 2,
  seconds: 1,
  threads: 8,
  tps: 123.45,
  reads_per_s: 1728.3,
  writes_per_s: 493.8,
  others_per_s: 246.9,
  errors_per_s: 0,
  percentile: 95,
  latency_ms: 70.55,
};
const run = { threads: 8, interval_s: 1, seed: 3, intervals: [interval] };

test('options, interval lines and the report stand in sysbench’s order', () => {
  const text = sysbenchText({ ...run, report: 'SQL statistics:\n    queries performed:' });
  expect(text).toMatch(/^Running the test with following options:\nNumber of threads: 8\n/);
  expect(text).toContain('Report intermediate results every 1 second(s)\n');
  expect(text).toContain('from seed (3).\n');
  const line = '[ 2s ] thds: 8 tps: 123.45 qps: 2469.00 (r/w/o: 1728.30/493.80/246.90) lat (ms,95%): 70.55';
  expect(text.indexOf(line)).toBeGreaterThan(text.indexOf('Threads started!\n\n'));
  expect(text.endsWith('SQL statistics:\n    queries performed:\n')).toBe(true);
});

test('a run that goes on has no report yet', () => {
  expect(sysbenchText({ ...run, report: null })).toMatch(/reconn\/s: 0\.00\n$/);
});
