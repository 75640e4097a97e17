import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { thread_states } from '../../contract/gen/telemetry-layout';
import type { RunThread, ThreadState } from '../../engine-client/snapshot';
import { LanesPanel } from './lanes-panel';
import { laneBatchOf } from '../../recording/test-fixtures/lane-batch';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { MUTEX } from '../../session/test-fixtures/drawn-run';
import { drawingsOn } from '../../widgets/test-fixtures/reading';
import { renderView } from '../../widgets/test-fixtures/render-view';

const state = (name: ThreadState) => thread_states.indexOf(name);
const functions = [
  'handle_one_connection',
  'srv_purge_coordinator_thread',
  'fil_space_get_version',
  'fil_io',
];
const threads: RunThread[] = [0, 1, 2].map((slot) => ({
  slot,
  is_client: slot < 2,
  state: state('running'),
  began_with: slot < 2 ? 0 : 1,
}));

/** Client 1 holds the mutex while client 0 waits for it; a thread of the server sleeps. */
function shown() {
  const session = sessionForTest();
  const names = {
    functions,
    latches: [MUTEX],
    latch_sites: [
      { latch: 0, function: 2 },
      { latch: 0, function: 3 },
    ],
  };
  session.lanesNow = () => ({ now_ns: 100_000, threads, names });
  session.lanes.add(
    laneBatchOf([
      { from_ns: 0, to_ns: 20_000, slot: 0, state: state('running') },
      { from_ns: 0, to_ns: 60_000, slot: 1, state: state('running') },
      {
        from_ns: 20_000,
        to_ns: 60_000,
        slot: 0,
        state: state('waiting'),
        site: 0,
        holder: 1,
        holder_site: 1,
      },
      { from_ns: 0, to_ns: 90_000, slot: 2, state: state('sleeping') },
    ]),
  );
  return { session, ...renderView(session, <LanesPanel />) };
}

const lanes = () => screen.getByRole('application', { name: /^What each thread does/ });
const words = () => screen.getByRole('status');

const filled = () =>
  drawingsOn(lanes().querySelector('canvas')!)
    .calls()
    .filter(({ type }) => type === 'fillRect')
    .map(({ props }) => ({ width: props.width!, height: props.height! }));

test('the lanes say how many threads there are, and what clients do now', async () => {
  shown();
  expect(await screen.findByText('2 clients, 1 of the server’s own threads')).toBeVisible();
  expect(lanes()).toHaveAccessibleName('What each thread does over virtual time. Now: 2 running.');
});

test('a wait names the latch and leads to its holder and back', async () => {
  const { user } = shown();
  await screen.findByText(/^2 clients/);
  lanes().focus();
  await user.keyboard('{ArrowLeft}');
  expect(await screen.findByText(/held while you look/)).toBeVisible();
  expect(words()).toHaveTextContent('client 0: running 40 µs');
  await user.keyboard('{ArrowLeft}');
  const wait = `client 0: waiting 40 µs for ${MUTEX} in fil_space_get_version; held when this began by client 1, taken in fil_io`;
  expect(words()).toHaveTextContent(wait);
  await user.keyboard('{Enter}');
  expect(words()).toHaveTextContent(/^client 1: running 60 µs$/);
  await user.keyboard('{Backspace}');
  expect(words()).toHaveTextContent(wait);
  await user.keyboard('{ArrowDown}');
  expect(words()).toHaveTextContent(/^client 1: /);
  await user.keyboard('{ArrowDown}');
  expect(words()).toHaveTextContent('srv_purge_coordinator_thread: sleeping 90 µs');
  await user.keyboard('{Escape}');
  expect(words()).toHaveTextContent(/^$/);
  await waitFor(() => {
    expect(screen.queryByText(/held while you look/)).toBeNull();
  });
});

test('a click holds the moment that is pointed at; another one lets it go', async () => {
  const { user } = shown();
  await screen.findByText(/^2 clients/);
  // 30 of 500 µs into the first of three lanes.
  const coords = { offsetX: 4.2 * 16 + (800 - 5.1 * 16) * 0.06, offsetY: 20 };
  await user.pointer([
    { target: lanes(), coords },
    { keys: '[MouseLeft]', target: lanes(), coords },
  ]);
  expect(words()).toHaveTextContent(/^client 0: waiting/);
  await user.pointer({ target: document.body });
  expect(words()).toHaveTextContent(/^client 0: waiting/);
  await user.pointer([
    { target: lanes(), coords },
    { keys: '[MouseLeft]', target: lanes(), coords },
  ]);
  await user.pointer({ target: document.body });
  expect(words()).toHaveTextContent(/^$/);
});

test('each state is drawn as high as its legend says, and the width of time is chosen', async () => {
  const { user } = shown();
  await waitFor(() => {
    expect(filled().length).toBeGreaterThan(3);
  });
  const widest = () => Math.max(...filled().map(({ width }) => width));
  // Running, waiting and sleeping take up different parts of a lane.
  expect(new Set(filled().map(({ height }) => height.toFixed(1))).size).toBeGreaterThanOrEqual(3);
  const at_500_us = widest();
  await user.click(screen.getByRole('radio', { name: '50 µs' }));
  await waitFor(() => {
    expect(widest()).toBeGreaterThan(2 * at_500_us);
  });
});
