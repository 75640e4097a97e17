import { expect, test } from 'vitest';

import type { LatchFigures } from '../../contract/live-view';
import { costOfLines, linesOfLatches } from './lines-of-latches';
import { compiled } from './test-fixtures';

const program = compiled(`workload "two";
latch m : innodb_mutex;
latch rw : innodb_rw_lock;
thread client[2] {
  transaction {
    in "read" shared rw { work(1us); }
    in "write" hold m { work(1us); exclusive rw { } }
    in "read" shared rw { hold m { } }
    try hold m { } else { }
  }
}
`);

const figures = (cost: number): LatchFigures => ({
  ...{ acquisitions: 10, acquisitions_per_s: 20, per_operation: 1, contended_share: 0 },
  ...{ waiting_share: null, spinning_share: null, line_stall_share: 0, queue_mean: 0, cost_share: cost },
  ...{ mean_wait_ns: 0, mean_hold_ns: 0, contended: 0, waits: 0, wait_ns: 0 },
});

test('each line that takes a latch is found, with the site of its part', () => {
  expect(linesOfLatches(program)).toEqual([
    { line: 6, latch: 'rw', site: 'read' },
    { line: 7, latch: 'm', site: 'write' },
    { line: 7, latch: 'rw', site: 'write' },
    { line: 8, latch: 'rw', site: 'read' },
    { line: 8, latch: 'm', site: 'read' },
    { line: 9, latch: 'm', site: 'client' },
  ]);
});

test('a line that waits for a word has the cost of the waits, whoever wakes it', () => {
  const waits = compiled(`workload "waits";
latch m : innodb_mutex;
word done;
condition ready;
thread client[2] {
  transaction {
    hold m { wait(ready); }
    futex_wait(done, 0);
  }
}
`);
  const taken = linesOfLatches(waits);
  expect(taken).toEqual([
    { line: 7, latch: 'm', site: 'client' },
    { line: 7, latch: 'ready', site: 'client' },
    { line: 8, latch: 'done', site: 'client' },
  ]);
  const event = { ...figures(0.5), acquisitions: 0 };
  const rows = [{ ...event, latch: 'done', sites: [{ function: 'client', ...event }] }];
  const { text, explanation } = costOfLines(taken, rows).get(8)!;
  expect([text, explanation].map((one) => one.replace('\u202f', ' '))).toEqual([
    '50.0 %',
    'done in client: waits cost 50.0 % of client time',
  ]);
});

test('a line has the cost of all its latches, and only the first line of a site has its cost', () => {
  const rows = [
    {
      ...figures(0.6),
      latch: 'm',
      sites: [
        { function: 'write', ...figures(0.3) },
        { function: 'read', ...figures(0.2) },
      ],
    },
    {
      ...figures(0.4),
      latch: 'rw',
      sites: [
        { function: 'read', ...figures(0.25) },
        { function: 'write', ...figures(0.1) },
      ],
    },
  ];
  const costs = costOfLines(linesOfLatches(program), rows);
  expect([...costs].map(([line, { text }]) => [line, text.replace('\u202f', ' ')])).toEqual([
    [6, '25.0 %'],
    [7, '40.0 %'],
    [8, '20.0 %'],
  ]);
  expect(costs.get(7)!.explanation).toMatch(
    /^m in write: taken 20 times a second, cost 30.0.% of client time; rw in write/,
  );
});
