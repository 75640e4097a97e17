import { expect, test } from 'vitest';

import {
  casesRunUnder,
  countersIn,
  definitionsOf,
  latchSitesOf,
  sitesTakenIn,
  withoutCommentsAndLiterals,
} from './cpp-source.ts';

const TEXT = `#include "x.h"
constexpr const char* kMutex = "AIO::m_mutex";
const telemetry::LatchSite kWake(kMutex, "AIO::wake");
const LatchSite kLog("LOCK_log", "commit");
const LatchSite kQueues[kStages] = {
    {"LOCK_flush", "append"},
    {kMutex, "append"},
};

// Wakes }
// the handler.
void AIO::wake(uint32_t segment) {
  log("} //");
  if (segment > 0) { mutex_.enter(kWake); }
}

void AIO::wake_all();

int
many(int a,
     int b) const {
  return AIO::wake(a);
}

class Guard {
  void release() {}
};

class CAPABILITY("mutex") Mutex {
};
`;

test('extracts a function with the comment above it, whatever is in quotes and comments', () => {
  expect(definitionsOf('AIO::wake', TEXT)).toEqual([{ first: 10, last: 15 }]);
  expect(definitionsOf('class Guard', TEXT)).toEqual([{ first: 25, last: 27 }]);
  expect(definitionsOf('class Mutex', TEXT)).toEqual([{ first: 29, last: 30 }]);
  expect(definitionsOf('many', TEXT)).toEqual([{ first: 20, last: 23 }]);
});

test('declarations and calls are not definitions', () => {
  expect(definitionsOf('AIO::wake_all', TEXT)).toEqual([]);
  expect(definitionsOf('wake', TEXT)).toEqual([]);
});

test('recognizes latch sites by their constants, including arrays and shared names', () => {
  expect([...latchSitesOf(TEXT)]).toEqual([
    ['kWake', [{ latch: 'AIO::m_mutex', function: 'AIO::wake' }]],
    ['kLog', [{ latch: 'LOCK_log', function: 'commit' }]],
    [
      'kQueues',
      [
        { latch: 'LOCK_flush', function: 'append' },
        { latch: 'AIO::m_mutex', function: 'append' },
      ],
    ],
  ]);
});

test('a line takes the latches whose constants it passes on', () => {
  const known = latchSitesOf(TEXT);
  const taken = (line: string) => sitesTakenIn(line, known);
  expect(taken('  MutexGuard guard(queue.mutex, kQueues[index]);')).toEqual(['kQueues']);
  expect(taken('  return acquire(is_log ? kLog : kWake);')).toEqual(['kLog', 'kWake']);
  expect(taken('  telemetry::Frame frame(kWake);')).toEqual([]);
  expect(taken('  return {kWake.id};')).toEqual([]);
  expect(taken('  totals.log = acquisitions(kLog);')).toEqual([]);
  expect(taken('  f(kOther);  // kWake')).toEqual([]);
  expect(taken('const LatchSite kLog("LOCK_log", "commit");')).toEqual([]);
});

test('a line that only reads a counter does not add to it', () => {
  expect(countersIn('  if (lost) telemetry::count(Counter::slot_waits, 2);')).toEqual(['slot_waits']);
  expect(countersIn('  return telemetry::counter_total(Counter::slot_waits);')).toEqual([]);
});

test('of a switch over variants one case is run', () => {
  const lines = [
    'switch (v) {',
    '  case V::one:',
    '    f();',
    '  case V::two:',
    '  case V::three: {',
    '    g();',
    '  }',
    '}',
    'h();',
  ];
  expect(casesRunUnder('one', ['one', 'two', 'three'], lines)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    true,
    true,
  ]);
  expect(casesRunUnder('two', ['one', 'two', 'three'], lines)).toEqual([
    true,
    false,
    false,
    true,
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(casesRunUnder('one', ['one'], lines)).not.toContain(false);
});

test('blanks keep every column', () => {
  expect(withoutCommentsAndLiterals(`a "b"/*c*/1'000 'd'`)).toBe(`a ${' '.repeat(8)}1'000    `);
  expect(withoutCommentsAndLiterals('f(R"x(")"\n//)x", y)')).toBe('f(       \n     , y)');
});
