import { expect, test } from 'vitest';

import type { LatchRow } from '../contract/live-view';
import { lineFiguresNow, lineFiguresOfRun } from './source-figures';

const figures = {
  per_operation: null,
  contended_share: null,
  waiting_share: null,
  spinning_share: null,
  mean_wait_ns: null,
  line_stall_share: null,
  queue_mean: null,
  cost_share: null,
  mean_hold_ns: null,
};
const rest = { acquisitions: 0, acquisitions_per_s: 0, contended: 0, waits: 0, wait_ns: 0 };
const rows: LatchRow[] = [
  {
    latch: 'LOCK_log',
    ...figures,
    ...rest,
    sites: [
      {
        function: 'commit',
        ...figures,
        acquisitions: 100,
        acquisitions_per_s: 50,
        contended: 25,
        waits: 5,
        wait_ns: 500,
      },
      { function: 'rotate', ...figures, ...rest },
    ],
  },
  {
    latch: 'LOCK_index',
    ...figures,
    ...rest,
    sites: [
      {
        function: 'commit',
        ...figures,
        acquisitions: 300,
        acquisitions_per_s: 150,
        contended: 75,
        waits: 5,
        wait_ns: 1500,
      },
    ],
  },
];
const log = { latch: 'LOCK_log', function: 'commit' };
const index = { latch: 'LOCK_index', function: 'commit' };

test('a line has the figures of its site in the latch table', () => {
  expect(lineFiguresNow(rows, [log])).toEqual({
    acquisitions: 100,
    perS: 50,
    contendedShare: 0.25,
    meanWaitNs: 100,
  });
});

test('a line with several sites has their sum', () => {
  expect(lineFiguresNow(rows, [log, index])).toEqual({
    acquisitions: 400,
    perS: 200,
    contendedShare: 0.25,
    meanWaitNs: 200,
  });
});

test('an unused site has no share; an unknown one has no figures', () => {
  const resting = { acquisitions: 0, perS: 0, contendedShare: null, meanWaitNs: null };
  expect(lineFiguresNow(rows, [{ latch: 'LOCK_log', function: 'rotate' }])).toEqual(resting);
  expect(lineFiguresNow(rows, [{ latch: 'LOCK_log', function: 'purge' }])).toBeNull();
});

test('after the run, a line has totals', () => {
  const totals = [
    { latch: 'LOCK_log', site: 'commit', acquisitions: 8, contended: 2, waits: 2, wait_ns: 10 },
  ];
  expect(lineFiguresOfRun(totals, [log])).toEqual({
    acquisitions: 8,
    perS: null,
    contendedShare: 0.25,
    meanWaitNs: 5,
  });
  expect(lineFiguresOfRun(totals, [index])).toBeNull();
});
