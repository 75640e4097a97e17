import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { timeSharesOf } from '../../contract/time-shares';
import type { LiveView } from '../../session/live';
import { showDrawnRunPaused } from '../../session/test-fixtures/drawn-run';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { NowTiles } from './now-tiles';

const tile = (title: string) => screen.getByText(title).parentElement!;

async function shown() {
  const session = sessionForTest();
  await showDrawnRunPaused(session);
  renderView(session, <NowTiles />);
  const setLive = (change: Partial<LiveView>) => {
    act(() => {
      session.store.setState(({ live }) => ({ live: { ...live!, ...change } }));
    });
  };
  return { setLive };
}

test('a rate that has not settled says so', async () => {
  const { setLive } = await shown();
  setLive({ transactions_per_s: 2500, is_settled: false });
  expect(tile('TPS')).toHaveTextContent('TPS2,500not settled yet');
  setLive({ is_settled: true });
  expect(tile('TPS')).toHaveTextContent('TPS2,500transactions per second');
});

test('time on latches is waited and polled; stalls stand beside it where they are known', async () => {
  const { setLive } = await shown();
  const shares = { running: 0.4, waiting: 0.3, spinning: 0.2 };
  setLive({ time_shares: timeSharesOf(shares) });
  expect(tile('On latches')).toHaveTextContent('On latches50.0 %of the clients’ time');
  setLive({ time_shares: timeSharesOf({ ...shares, stalled: 0.1 }) });
  expect(tile('On latches')).toHaveTextContent('On latches50.0 %of the time; 10.0 % stalled');
});

test('too few transactions have no 99th percentile', async () => {
  const { setLive } = await shown();
  setLive({ p99_ns: null });
  expect(tile('p99 latency')).toHaveTextContent('p99 latency–too few to tell');
});
