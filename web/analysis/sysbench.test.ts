import { describe, expect, test } from 'vitest';

import { bucketOf } from './histogram';
import { sysbenchFinalReport, sysbenchInterval, sysbenchIntervalLine, type SysbenchTotals } from './sysbench';
import { snapshotOf } from './test-fixtures';

describe('an interval line', () => {
  const before = snapshotOf({ run_ns: 1e9, client_threads: 8 });
  const after = snapshotOf({
    run_ns: 2e9,
    client_threads: 8,
    counters: {
      transactions: 100,
      latency_samples: 100,
      queries_read: 1400,
      queries_write: 400,
      queries_other: 200,
      errors: 1,
    },
    histogram: { [bucketOf(70e6)]: 100 },
  });

  test('is that of the command line', () => {
    const line = sysbenchIntervalLine(sysbenchInterval({ before, after }, 95));
    expect(line).toMatch(
      /^\[ 2s \] thds: 8 tps: 100\.00 qps: 2000\.00 \(r\/w\/o: 1400\.00\/400\.00\/200\.00\) lat \(ms,95%\): (69|70)\.\d\d err\/s: 1\.00 reconn\/s: 0\.00$/,
    );
  });

  test('reports the percentile that the report had', () => {
    expect(sysbenchIntervalLine(sysbenchInterval({ before, after }, 99))).toContain('lat (ms,99%): ');
  });

  test('has a dash for a latency of which too little is known', () => {
    const line = sysbenchIntervalLine(sysbenchInterval({ before, after: before }, 95));
    expect(line).toContain('tps: – qps: – (r/w/o: –/–/–) lat (ms,95%): – err/s: –');
  });
});

const totals: SysbenchTotals = {
  seconds: 2,
  transactions: 1740,
  reads: 17400,
  writes: 5220,
  others: 6960,
  errors: 0,
  percentile: 95,
  latency_ms: { min: 1.5, mean: 36.666, max: 250, percentile: 40.37 },
  transactions_by_client: [869, 871],
};

test('the final report is that of the command line', () => {
  expect(sysbenchFinalReport(totals)).toBe(`SQL statistics:
    queries performed:
        read:                            17400
        write:                           5220
        other:                           6960
        total:                           29580
    transactions:                        1740   (870.00 per sec.)
    queries:                             29580  (14790.00 per sec.)
    ignored errors:                      0      (0.00 per sec.)
    reconnects:                          0      (0.00 per sec.)

Throughput:
    events/s (eps):                      870.0000
    time elapsed:                        2.0000s
    total number of events:              1740

Latency (ms):
         min:                                  1.50
         avg:                                 36.67
         max:                                250.00
         95th percentile:                     40.37
         sum:                              63798.84

Threads fairness:
    events (avg/stddev):           870.0000/1.00
    execution time (avg/stddev):   –/–`);
});

test('latencies of a run in which nothing was timed are dashes', () => {
  expect(sysbenchFinalReport({ ...totals, latency_ms: null })).toMatch(/avg: +–\n/);
});
