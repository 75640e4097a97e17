import { expect, test } from 'vitest';

import type { Names } from '../engine-client/snapshot';
import { spanInWords, threadName } from './lane-words';

const names: Names = {
  functions: ['srv_purge_coordinator_thread', 'MYSQL_BIN_LOG::rotate', 'MYSQL_BIN_LOG::purge_logs'],
  latches: ['LOCK_index'],
  latchSites: [
    { latch: 0, function: 1 },
    { latch: 0, function: 2 },
  ],
};
const states = { waiting: 'waiting', running: 'running' };

test('threads are named', () => {
  expect(threadName({ slot: 3, isClient: true, state: 2, beganWith: 1 }, names)).toBe('client 3');
  expect(threadName({ slot: 9, isClient: false, state: 2, beganWith: 0 }, names)).toBe(
    'srv_purge_coordinator_thread',
  );
  expect(threadName({ slot: 9, isClient: false, state: 2, beganWith: null }, names)).toBe('thread 9');
});

test('a wait names the latch, its holder and where the holder took it', () => {
  const span = { fromNs: 1_000, toNs: 13_000, state: 'waiting', site: 0, holderSite: 1 } as const;
  expect(spanInWords('client 3', { ...span, holder: 'client 5' }, states, names)).toBe(
    'client 3: waiting 12 µs for LOCK_index in MYSQL_BIN_LOG::rotate; at the start held by client 5, acquired in MYSQL_BIN_LOG::purge_logs',
  );
  expect(spanInWords('client 3', { ...span, holder: null }, states, names)).toContain(
    'holder at the start unknown',
  );
});

test('other states are named with their duration', () => {
  const span = { fromNs: 0, toNs: 500, state: 'running', site: -1, holderSite: -1, holder: null } as const;
  expect(spanInWords('client 0', span, states, names)).toBe('client 0: running 500 ns');
});
