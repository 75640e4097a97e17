import { expect, test } from 'vitest';

import type { RunResult } from '../contract/run-result';
import { sysbenchReport } from './sysbench-report';
import { fil_mutex } from '../contract/test-fixtures';

const counters = { queries_read: 20, queries_write: 0, queries_other: 0, errors: 1, latency_samples: 20 };
const latency_ms = { min: 1, mean: 2, p50: 3, p95: 4, p99: 5, max: 6 };
const result = { totals: { seconds: 2, transactions: 20, latency_ms }, counters } as unknown as RunResult;

test('takes the percentile that the report had', () => {
  const report = (sysbench_percentile: 95 | 99) =>
    sysbenchReport(result, { ...fil_mutex.manifest, sysbench_percentile }, [9, 11]);
  expect(report(95)).toMatch(/95th percentile: +4\.00\n/);
  expect(report(99)).toMatch(/99th percentile: +5\.00\n/);
  expect(report(99)).toContain('events (avg/stddev):           10.0000/1.00');
});

test('a latency that the engine gives as 0 because nothing was timed is a dash', () => {
  const untimed = { ...result, counters: { ...counters, latency_samples: 0 } };
  expect(sysbenchReport(untimed, fil_mutex.manifest, [20])).toMatch(/min: +–\n/);
});
