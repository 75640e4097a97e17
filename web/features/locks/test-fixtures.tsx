// Creates a run for tests that draw: three threads on one mutex. Client 0 holds it, client 1 spins
// for it, a thread of the server sleeps.
import type { ReactNode } from 'react';

import type { ThreadState } from '../../contract/telemetry-states';
import { latch_classes } from '../../contract/gen/latch-classes';
import { thread_states } from '../../contract/gen/telemetry-layout';
import type { RunThread } from '../../engine-client/snapshot';
import { laneBatchOf } from '../../recording/test-fixtures/lane-batch';
import { latchBatchOf, type ToldEvent } from '../../recording/test-fixtures/latch-batch';
import type { Session } from '../../session/session';
import { MUTEX, showDrawnRunPaused } from '../../session/test-fixtures/drawn-run';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { locksFeature } from './index';
import { locksCommands } from './locks';
import { Locks } from './locks-state';
import { cursorOf, type MomentCursor } from './moment-cursor';

const state = (name: ThreadState) => thread_states.indexOf(name);
const latchClass = latch_classes.findIndex(({ name }) => name === 'TTASEventMutex');

export const names = {
  functions: [
    'handle_one_connection',
    'srv_purge_coordinator_thread',
    'fil_space_get_version',
    'fil_io',
    'buf_pool_get',
  ],
  latches: [MUTEX, 'buf_pool->mutex'],
  latchSites: [
    { latch: 0, function: 2 },
    { latch: 0, function: 3 },
    { latch: 1, function: 4 },
  ],
};

const threads: RunThread[] = [0, 1, 2].map((slot) => ({
  slot,
  isClient: slot < 2,
  state: state(slot === 2 ? 'waiting' : 'running'),
  beganWith: slot < 2 ? 0 : 1,
}));

const WAITERS = 1;
const [client0, client1, purge] = [
  { slot: 0, core: 1, site: 1, latchClass },
  { slot: 1, core: 9, site: 0, latchClass },
  { slot: 2, core: 2, site: 0, latchClass },
] as const;

/** A mutex that the page watches as number 7. */
export const mutexEvents: readonly ToldEvent[] = [
  { ...client0, atNs: 10_000, kind: 'read_modify_write', value: 1, tookNs: 22 },
  { ...client0, atNs: 10_000, kind: 'gets' },
  { ...client1, atNs: 20_000, kind: 'failed_compare_exchange', value: 1, tookNs: 119, fromCore: 1 },
  { ...client1, atNs: 20_000, kind: 'wants' },
  { ...purge, atNs: 30_000, kind: 'failed_compare_exchange', value: 1, tookNs: 119, fromCore: 9 },
  { ...purge, atNs: 30_000, kind: 'wants' },
  { ...purge, atNs: 34_000, kind: 'read_modify_write', word: WAITERS, value: 1, tookNs: 8, fromCore: 2 },
  { ...purge, atNs: 34_100, kind: 'sleeps' },
  { ...client0, atNs: 40_000, kind: 'gives_back' },
  { ...client0, atNs: 40_060, kind: 'read_modify_write', value: 0, tookNs: 60, fromCore: 2 },
  { ...client1, atNs: 40_300, kind: 'poll', value: 0, tookNs: 119, fromCore: 1 },
  { ...client1, atNs: 40_419, kind: 'read_modify_write', value: 1, tookNs: 119 },
  { ...client1, atNs: 40_419, kind: 'gets' },
];

/** Another latch, without waiters. */
const idleLatchEvents: readonly ToldEvent[] = [
  { slot: 0, core: 1, site: 2, latch: 8, atNs: 1_000, kind: 'gets' },
  { slot: 0, core: 1, site: 2, latch: 8, atNs: 2_000, kind: 'gives_back' },
];

/** Creates the session of this run, stopped at 0.1 ms. */
export async function drawnLocks(): Promise<{ session: Session; locks: Locks }> {
  const session = sessionForTest({ features: [locksFeature] });
  const locks = new Locks();
  session.commands.register(locksCommands(locks, session));
  await showDrawnRunPaused(session);
  session.lanesNow = () => ({ nowNs: 100_000, threads, names });
  const waits = { state: state('waiting'), site: 0, latch: 7, holder: 0, holder_site: 1 };
  session.lanes.add(
    laneBatchOf([
      { from_ns: 0, to_ns: 20_000, slot: 1, state: state('running') },
      { from_ns: 0, to_ns: 30_000, slot: 2, state: state('running') },
      { ...waits, from_ns: 20_000, to_ns: 40_419, slot: 1, state: state('spinning') },
      { from_ns: 0, to_ns: 60_000, slot: 0, state: state('running') },
      { ...waits, from_ns: 30_000, to_ns: 90_000, slot: 2 },
      { from_ns: 40_419, to_ns: 95_000, slot: 1, state: state('running') },
    ]),
  );
  session.latchTrace.add(latchBatchOf([...idleLatchEvents, ...mutexEvents]));
  return { session, locks };
}

export async function renderLocks(view: ReactNode) {
  const { session, locks } = await drawnLocks();
  const reader = cursorOf(locks, session);
  return {
    session,
    locks,
    reader,
    ...renderView(session, view, { locks }),
  };
}

/** Shows another part of time. */
export const showTime = (reader: MomentCursor, { fromNs, toNs }: { fromNs: number; toNs: number }) => {
  const endNs = toNs >= reader.known.nowNs ? null : toNs;
  reader.window.setState({ widthNs: toNs - fromNs, endNs });
};
