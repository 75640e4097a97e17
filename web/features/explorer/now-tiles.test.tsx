import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import type { LiveView } from '../../contract/live-view';
import { registerStandIns, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { NowTiles } from './now-tiles';

const shares = { running: 0.09, stalled: 0.91, ready: 0, spinning: 0, waiting: 0 };

function shown(live: Partial<LiveView>) {
  const session = sessionForTest();
  registerStandIns(session, 'explain.p99_now');
  renderView(session, <NowTiles />);
  act(() => session.store.setState({ live: live as LiveView }));
}

const tile = (title: string) => screen.getByText(title).closest('.tile');

test('what has not settled is said beside the number, not on demand', () => {
  shown({ transactions_per_s: 100, is_settled: false, p99_ns: null });
  expect(tile('TPS')!.querySelector('.tile-remark')).toHaveTextContent('not settled yet');
  expect(tile('p99 latency')!.querySelector('.tile-remark')).toHaveTextContent('too few transactions');
});

test('time that is lost on cache lines has a tile of its own where it is known', () => {
  shown({ is_settled: true, p99_ns: 1e6, time_shares: shares as unknown as LiveView['time_shares'] });
  expect(tile('On latches')).toHaveTextContent(/0\.0\s%/);
  expect(tile('Stalled')).toHaveTextContent(/91\.0\s%/);
  expect(document.querySelectorAll('.tile-remark')).toHaveLength(0);
});

test('on the virtual server the latency can be explained, on real threads it cannot', async () => {
  const session = sessionForTest();
  registerStandIns(session, 'explain.p99_now');
  renderView(session, <NowTiles />);
  expect(screen.queryByRole('button', { name: /^Why/ })).toBeNull();
  await act(() => session.openPlatform('virtual'));
  expect(screen.getByRole('button', { name: 'Why? Explain this latency' })).toBeVisible();
});

test('on real threads nobody knows of stalls, and no tile says so', () => {
  shown({
    is_settled: true,
    time_shares: { ...shares, stalled: null } as unknown as LiveView['time_shares'],
  });
  expect(screen.queryByText('Stalled')).toBeNull();
});

test('time on latches is waited and polled', () => {
  shown({
    is_settled: true,
    time_shares: {
      ...shares,
      running: 0.5,
      waiting: 0.3,
      spinning: 0.2,
    } as unknown as LiveView['time_shares'],
  });
  expect(tile('On latches')).toHaveTextContent(/50\.0\s%/);
});
