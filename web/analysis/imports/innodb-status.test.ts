import { expect, test } from 'vitest';

import { latchName } from './innodb-status';
import type { WaitCounters, WaitingThreads } from './reader';
import { contentsOf } from './test-fixtures';

const head = `=====================================
2026-11-27 19:31:43 0x77f8 INNODB MONITOR OUTPUT
=====================================
----------
SEMAPHORES
----------
OS WAIT ARRAY INFO: reservation count 68581, signal count 218437
`;
const waits = `--Thread 140653057947392 has waited at row0row.cc line 1075 for 0.25 seconds the semaphore:
S-lock on RW-latch at 0x7ff536c7d3c0 created in file /build/storage/innobase/buf/buf0buf.cc line 1433
a writer (thread id 140653058947392) has reserved it in mode  exclusive
number of readers 0, waiters flag 1, lock_word: 0
Last time read locked in file row0sel.cc line 3097
--Thread 140653057947393 has waited at trx0trx.cc line 184 for 12 seconds the semaphore:
Mutex at 0x7ff536c7d3c1, Mutex TRX_SYS created trx0sys.cc:576, lock var 1

`;
const rest = `------------
TRANSACTIONS
------------
Trx id counter 5
`;

const threadsOf = (text: string) => (contentsOf(text)[0] as WaitingThreads).threads;

test('each waiting thread names its latch', () => {
  expect(threadsOf(head + waits + rest)).toEqual([
    { latch: 'buf0buf.cc:1433', waitedS: 0.25, line: 8 },
    { latch: 'TRX_SYS', waitedS: 12, line: 13 },
  ]);
});

test('a text of the client’s batch mode has the same threads', () => {
  const text = `Type\tName\tStatus\nInnoDB\t\t${(head + waits + rest).replaceAll('\n', '\\n')}\n`;
  expect(threadsOf(text).map(({ latch }) => latch)).toEqual(['buf0buf.cc:1433', 'TRX_SYS']);
});

test('no thread waits if the section names none', () => {
  expect(threadsOf(head + rest)).toEqual([]);
});

test.each([
  ["Mutex at 0xc16a5f0 '&kernel_mutex', lock var 1", 'kernel_mutex'],
  ['Mutex at 0x2aaaf9a4b8 created file srv/srv0srv.c line 882, lock var 1', 'srv0srv.c:882'],
  ['SX-lock on RW-latch at 0x7f31 created in file dict0dict.cc line 2737', 'dict0dict.cc:2737'],
  ['Mutex at 0x7ff536c7d3c1, Mutex TRX_SYS created trx0sys.cc:576, lock var 1', 'TRX_SYS'],
])('%s', (text, name) => {
  expect(latchName(text)).toBe(name);
});

test.each([
  ['cut off in the section', head + waits, /line 15 is the end|line 15: the end/],
  ['cut off before the latch', head + waits.split('\n')[0]!, /line 8: the end of the text/],
  ['another time', head + waits.replace('0.25 seconds', '0,25 seconds') + rest, /line 8: 0,25 seconds/],
  ['a latch that is none', head + waits.replace('S-lock on', 'Hello') + rest, /line 9: Hello RW-latch/],
  ['a thread in another form', head + waits.replace('has waited at', 'waits at') + rest, /line 8: --Thread/],
])('a status that is broken is refused: %s', (_, text, message) => {
  expect(() => contentsOf(text)).toThrow(message);
});

test('SHOW ENGINE INNODB MUTEX counts how often threads slept, by latch', () => {
  const text = `Type\tName\tStatus
InnoDB\t&fil_system->mutex\tos_waits=56
InnoDB\trwlock: dict0dict.cc:1037\twaits=6
InnoDB\tsum rwlock: buf0buf.cc:778\twaits=40
InnoDB\trwlock: buf0buf.cc:778\twaits=2
`;
  const { rows } = contentsOf(text)[0] as WaitCounters;
  expect(rows.map(({ event, count }) => [event, count])).toEqual([
    ['fil_system->mutex', 56n],
    ['dict0dict.cc:1037', 6n],
    ['buf0buf.cc:778', 42n],
  ]);
  expect(() => contentsOf(text.replace('waits=6', 'waits=1,234'))).toThrow(/line 3/);
});
