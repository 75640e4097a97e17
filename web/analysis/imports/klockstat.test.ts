import { expect, test } from 'vitest';

import { klockstat, ulockstat } from './klockstat';
import { faultOf, readText, sampleOf } from './test-fixtures/read';

const fault = (text: string) => faultOf(() => readText(klockstat, text));

test('klockstat of tools/ counts anew in each interval: equal callers are added up', () => {
  expect(readText(klockstat, sampleOf('klockstat'))).toEqual([
    {
      kind: 'times',
      rows: [
        { line: 5, what: 'wait', frames: ['pipe_wait', 'pipe_read'], count: 14, totalNs: 8000, maxNs: 1700 },
        { line: 8, what: 'wait', frames: ['psi_avgs_work'], count: 2, totalNs: 2000, maxNs: 1200 },
        { line: 11, what: 'hold', frames: ['flush_to_ldisc'], count: 4, totalNs: 70_000, maxNs: 30_000 },
        { line: 12, what: 'hold', frames: ['[Missed Kernel Stack]'], count: 1, totalNs: 500, maxNs: 500 },
      ],
    },
  ]);
});

test('klockstat of libbpf-tools prints units', () => {
  expect(readText(klockstat, sampleOf('klockstat-units'))).toEqual([
    {
      kind: 'times',
      rows: [
        {
          line: 4,
          what: 'wait',
          frames: ['down_read', 'kernfs_fop_readdir'],
          count: 33052,
          totalNs: 5_100_000,
          maxNs: 115_500,
        },
        { line: 9, what: 'wait', frames: ['down_write', 'do_mmap'], count: 2, totalNs: 4e9, maxNs: 2.5e9 },
        { line: 14, what: 'hold', frames: ['down_write', 'do_mmap'], count: 1, totalNs: 90e9, maxNs: 90e9 },
      ],
    },
  ]);
});

const interval = (count: number) =>
  [
    '                               Caller  Avg Wait    Count   Max Wait   Total Wait',
    `                        down_read+0x5    100 ns ${count}   115.5 us       5.1 ms`,
    '',
    '                               Caller  Avg Hold    Count   Max Hold   Total Hold',
    `                        down_read+0x5    100 ns ${count}   115.5 us       5.1 ms`,
    '',
  ].join('\n');

test('where intervals may add up, only the last one counts', () => {
  expect(readText(klockstat, `${interval(10)}${interval(25)}`)).toMatchObject([
    {
      rows: [
        { what: 'wait', count: 25 },
        { what: 'hold', count: 25 },
      ],
    },
  ]);
  const waitsOnly = interval(10).split('\n').slice(0, 3).join('\n');
  expect(readText(klockstat, `${waitsOnly}\n${waitsOnly}`)).toMatchObject([{ rows: [{ count: 10 }] }]);
});

test('ulockstat names mutexes, in microseconds', () => {
  expect(readText(ulockstat, sampleOf('ulockstat'))).toEqual([
    {
      kind: 'times',
      rows: [
        {
          line: 5,
          what: 'wait',
          frames: ['__pthread_mutex_lock', 'Stage_manager::enroll_for'],
          count: 200,
          totalNs: 10_000_500,
          maxNs: 3_587_400,
        },
        {
          line: 11,
          what: 'hold',
          frames: ['mutex 0x550000008060'],
          count: 5,
          totalNs: 10_000_000,
          maxNs: 2_100_000,
        },
      ],
    },
  ]);
});

test.each([
  ['5.1 ms', '5,1 ms', '5,1'],
  ['5.1 ms', '5.1 fortnights', 'fortnights'],
  ['33052', '33.052', '33.052'],
  ['33052   115.5 us       5.1 ms', '33052', 'down_read+0x5 155 ns 33052'],
])('%s as %s is refused', (from, to, value) => {
  expect(fault(sampleOf('klockstat-units').replace(from, to))).toMatchObject({ field: 'line 4', value });
});

test('tables by thread, of another program, or without rows are refused', () => {
  const byThread = '                Tid              Comm  Avg Wait    Count   Max Wait   Total Wait';
  expect(fault(byThread).allowed).toBe('tables by caller, without -P');
  expect(fault(sampleOf('ulockstat')).allowed).toBe('tables of klockstat');
  expect(fault('Tracing lock events... Hit Ctrl-C to end.').allowed).toBe('a row below a heading');
  const noAddress = sampleOf('ulockstat').replace('5500000080a0', 'mutex');
  expect(faultOf(() => readText(ulockstat, noAddress))).toMatchObject({
    field: 'line 5',
    value: '4242 mutex',
  });
});
