import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import LatchTable from './latch-table';
import { defaultRunSpec } from '../../contract/run-spec';
import { fil_mutex, machine } from '../../contract/test-fixtures';
import { drawnResult, MUTEX, showDrawnRun, showDrawnRunPaused } from '../../session/test-fixtures/drawn-run';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { textsOf } from '../../widgets/test-fixtures/reading';
import { renderView } from '../../widgets/test-fixtures/render-view';

async function shown(show: typeof showDrawnRun) {
  const session = sessionForTest();
  await show(session);
  return renderView(session, <LatchTable />);
}

const latches = () =>
  textsOf(screen.getAllByRole('button').filter((button) => button.hasAttribute('aria-expanded')));
const header = () => screen.getByRole('columnheader', { name: 'per second' });

test('the first press sorts the largest to the top, the second the smallest, the third undoes it', async () => {
  const { user } = await shown(showDrawnRun);
  const byCost = latches();
  expect(byCost).toEqual([MUTEX, 'Fil_shard::m_mutex']);
  within(header()).getByRole('button').focus();
  await user.keyboard('{Enter}');
  expect(header()).toHaveAttribute('aria-sort', 'descending');
  expect(latches()).toEqual(byCost);
  await user.keyboard('{Enter}');
  expect(header()).toHaveAttribute('aria-sort', 'ascending');
  expect(latches()).toEqual(byCost.toReversed());
  await user.keyboard('{Enter}');
  expect(header()).toHaveAttribute('aria-sort', 'none');
  expect(latches()).toEqual(byCost);
});

test('it shows who holds a latch now, and waiters', async () => {
  await shown(showDrawnRunPaused);
  const row = screen.getByRole('row', { name: new RegExp(MUTEX) });
  expect(row).toHaveTextContent('held by client 0 in fil_space_get_version');
  const titles = screen.getAllByRole('columnheader').map((header) => header.textContent);
  expect(within(row).getAllByRole('cell')[titles.indexOf('waiters now') - 1]).toHaveTextContent('1');
  expect(screen.getByRole('row', { name: /Fil_shard/ })).toHaveTextContent('held by no one');
});

test('a latch of the report shows the functions that take it; other latches show them when opened', async () => {
  const { user } = await shown(showDrawnRun);
  expect(screen.getByRole('row', { name: /^fil_space_get_version/ })).toHaveTextContent('50.0');
  expect(screen.queryByRole('row', { name: /^fil_space_acquire/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Fil_shard::m_mutex' }));
  expect(screen.getByRole('row', { name: /^fil_space_acquire/ })).toBeVisible();
});

test('the latch that costs most comes first, though hardly anybody finds it taken; its queue and its stalls are told', async () => {
  const session = sessionForTest();
  const { latches: drawn } = drawnResult;
  const lineOnly = {
    ...{ ...drawn[0]!, latch: 'purge_sys->latch', site: 'trx_undo_get_undo_rec', contended: 0, waits: 0 },
    ...{ wait_ns: 0, queue_ns: 10_000_000, line_stall_ns: 20_000_000, cost_ns: 30_000_000 },
  };
  await session.files.openResult(
    JSON.stringify({ ...drawnResult, latches: [...drawn, lineOnly] }),
    'line.json',
  );
  renderView(session, <LatchTable />);
  expect(latches()).toEqual(['purge_sys->latch', MUTEX, 'Fil_shard::m_mutex']);
  // Two clients, 20 virtual milliseconds.
  const row = within(screen.getByRole('row', { name: /purge_sys/ }));
  const titles = textsOf(screen.getAllByRole('columnheader'));
  const cell = (title: string) => row.getAllByRole('cell')[titles.indexOf(title) - 1];
  expect(cell('stalled')).toHaveTextContent(/^50/);
  expect(cell('queue')).toHaveTextContent('0.5');
});

test('on real threads stalls and queues are said to be unknown', async () => {
  const session = sessionForTest();
  const knownThere = drawnResult.latches.map((site) => ({
    ...site,
    ...{ line_stall_ns: undefined, queue_ns: undefined, cost_ns: undefined },
  }));
  await session.files.openResult(
    JSON.stringify({
      ...drawnResult,
      spec: { ...defaultRunSpec(fil_mutex.manifest, machine, 'threads'), threads: 2 },
      engine: { ...drawnResult.engine, platform: 'threads' },
      latches: knownThere,
    }),
    'threads.json',
  );
  renderView(session, <LatchTable />);
  expect(screen.getByText(/Stalled and queue are unknown on this machine/)).toBeVisible();
  expect(screen.queryByRole('columnheader', { name: 'stalled' })).toBeNull();
});
