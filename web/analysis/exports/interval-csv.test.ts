import papaparse from 'papaparse';
import { expect, test } from 'vitest';

import { intervalColumns, intervalCsv } from './interval-csv';

const latencyMs = { mean: 1.5, p50: 1.25, p95: 2.5, p99: 3.75, max: 12.0625 };
const intervals = [
  { t_s: 0.005, tps: 1000, qps: 5400, latency_ms: latencyMs, errors_per_s: 0 },
  { t_s: 0.011825918, tps: 2197.5066210874493, qps: 4834.5, latency_ms: latencyMs, errors_per_s: 1e-7 },
];

test('a spreadsheet reads every number back, under names that end in their units', () => {
  const { data, errors, meta } = papaparse.parse<Record<string, number>>(intervalCsv(intervals), {
    header: true,
    dynamicTyping: true,
    skipEmptyLines: true,
  });
  expect(errors).toEqual([]);
  expect(meta.fields).toEqual([...intervalColumns]);
  expect(data).toEqual(
    intervals.map(({ t_s, tps, qps, errors_per_s }) => ({
      t_s,
      transactions_per_s: tps,
      queries_per_s: qps,
      errors_per_s,
      latency_mean_ms: 1.5,
      latency_p50_ms: 1.25,
      latency_p95_ms: 2.5,
      latency_p99_ms: 3.75,
      latency_max_ms: 12.0625,
    })),
  );
});

test('without intervals there is the header', () => {
  expect(intervalCsv([])).toBe(`${intervalColumns.join(',')}\n`);
});
