import { expect, test } from 'vitest';

import { sysbench } from './sysbench';
import { faultOf, linesOf, readText, sampleOf } from './test-fixtures/read';

const fault = (text: string) => faultOf(() => readText(sysbench, text));
const changed = (name: string, from: string, to: string) => sampleOf(name).replace(from, to);

test('a log of 0.4 has several runs, each with its own threads', () => {
  expect(readText(sysbench, sampleOf('sysbench-0.4'))).toEqual([
    {
      kind: 'runs',
      runs: [
        { line: 6, threads: 1, transactionsPerS: 2000.12, queriesPerS: 4000.24, meanMs: 0.5, p95Ms: 0.61 },
        { line: 44, threads: 16, transactionsPerS: 9998.4, queriesPerS: 19996.8, meanMs: 1.6, p95Ms: 2.25 },
      ],
    },
  ]);
});

test('0.5 counts BEGIN and COMMIT apart; another percentile is not the 95th', () => {
  expect(readText(sysbench, sampleOf('sysbench-0.5'))).toMatchObject([
    { runs: [{ threads: 64, transactionsPerS: 4006.12, queriesPerS: 64097.92, meanMs: 15.97, p95Ms: null }] },
  ]);
});

test('a log of 1.x between shell prompts, with lines of Windows', () => {
  const run = {
    line: 5,
    threads: 4,
    transactionsPerS: 1200.11,
    queriesPerS: 24002.2,
    meanMs: 3.33,
    p95Ms: 4.33,
  };
  const text = sampleOf('sysbench-1');
  expect(readText(sysbench, text)).toEqual([{ kind: 'runs', runs: [run] }]);
  expect(readText(sysbench, text.replaceAll('\n', '\r\n'))).toEqual([{ kind: 'runs', runs: [run] }]);
  expect(sysbench.recognizes(linesOf(text))).toBe(true);
});

test('0.4.8 prints latency in seconds', () => {
  const text = changed('sysbench-0.5', '15.97ms', '0.0160s');
  expect(readText(sysbench, text)).toMatchObject([{ runs: [{ meanMs: 16 }] }]);
});

test('logs of different versions follow each other in one text', () => {
  const text = sampleOf('sysbench-0.5') + sampleOf('sysbench-1');
  expect(readText(sysbench, text)).toMatchObject([{ runs: [{ threads: 64 }, { threads: 4 }] }]);
});

test('a run that was cut off is refused at the line where it ends', () => {
  const lines = linesOf(sampleOf('sysbench-1'));
  const untilLatency = lines.slice(0, lines.indexOf('Latency (ms):') + 3).join('\n');
  expect(fault(untilLatency)).toEqual({
    field: 'line 32',
    value: 'the end of the run with 4 threads of line 5',
    allowed: 'its final statistics up to "execution time (avg/stddev)"',
  });
  expect(fault(`${untilLatency}\n${sampleOf('sysbench-0.5')}`).field).toBe('line 33');
  const again = `${untilLatency}\nNumber of threads: 8`;
  expect(fault(again).field).toBe('line 33');
  expect(fault(again).value).toContain('4 threads');
  const intervalsOnly = lines.slice(0, lines.indexOf('SQL statistics:')).join('\n');
  expect(fault(intervalsOnly).field).toBe('line 14');
});

test.each([
  ['1200.11 per', '1200,11 per', 'line 21', '1200,11'],
  ['1200.11 per', '1.200.11 per', 'line 21', '1.200.11'],
  ['1200.11 per sec.', '1200.11 per', 'line 21', '2401   (1200.11 per)'],
  ['3.33', '3,33', 'line 32', '3,33'],
  ['Number of threads: 4', 'Number of threads: four', 'line 5', 'four'],
  ['Number of threads: 4', 'Number of threads: 0', 'line 5', '0 threads'],
])('%s as %s is refused', (from, to, field, value) => {
  expect(fault(changed('sysbench-1', from, to))).toMatchObject({ field, value });
});

test('runs that failed, or that reset their counts, are refused', () => {
  const at = (line: string) => fault(changed('sysbench-1', 'Threads started!', line));
  expect(at('FATAL: mysql_drv_query() returned error 1213')).toMatchObject({
    field: 'line 12',
    value: 'FATAL: mysql_drv_query() returned error 1213',
  });
  expect(at('[ 10s ] Checkpoint report:').allowed).toBe('a run without --report-checkpoints');
});

test('statistics without threads, twice, or of another test are refused', () => {
  const text = sampleOf('sysbench-1');
  expect(fault(text.replace('Number of threads: 4', '')).allowed).toBe('"Number of threads:" before them');
  const rate = '    transactions:                        2401   (1200.11 per sec.)\n';
  expect(fault(text.replace(rate, rate + rate)).field).toBe('line 22');
  expect(fault(text.replace(rate, ''))).toMatchObject({
    field: 'line 38',
    value: 'the end of a run without transactions',
  });
  expect(fault(text.replace('avg:', 'mean:')).value).toBe('the end of a run without latency');
  expect(fault('sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)').field).toBe('line 1');
});
