import { expect, test } from 'vitest';

import { cpuProfile } from './flame';
import { sampleOf, threadSamplesOf } from './test-fixtures';

const reserving = ['fil_io', 'AIO::reserve_slot'];

test('tells time in a function from time in what it calls', () => {
  const samples = threadSamplesOf([
    [
      sampleOf({ stack: reserving, state: 'spinning' }),
      sampleOf({ stack: reserving }),
      sampleOf({ stack: ['fil_io'] }),
      sampleOf({ stack: ['io_handler_thread'], isClient: false }),
      sampleOf({ stack: reserving, state: 'waiting' }),
    ],
  ]);
  expect(cpuProfile(samples, 9)).toEqual({
    samples: 4,
    polling: 0.25,
    rows: [
      { symbol: 'AIO::reserve_slot', children: 0.5, self: 0.5 },
      { symbol: 'fil_io', children: 0.75, self: 0.25 },
      { symbol: 'io_handler_thread', children: 0.25, self: 0.25 },
    ],
  });
});

test('a recursive function counts once; a thread without frames is labeled as such', () => {
  const samples = threadSamplesOf([[sampleOf({ stack: ['parse', 'parse'] }), sampleOf({})]]);
  expect(cpuProfile(samples, 9).rows).toEqual([
    { symbol: 'parse', children: 0.5, self: 0.5 },
    { symbol: '[no frame]', children: 0.5, self: 0.5 },
  ]);
});

test('without a thread on CPU nothing is known', () => {
  const samples = threadSamplesOf([[sampleOf({ state: 'io' })]]);
  expect(cpuProfile(samples, 9)).toEqual({ samples: 0, polling: null, rows: [] });
});
