import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { LatchTable } from './latch-table';
import { MUTEX, showDrawnRun, showDrawnRunPaused } from '../../session/test-fixtures/drawn-run';
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
  const in_engine_order = latches();
  expect(in_engine_order).toEqual([MUTEX, 'Fil_shard::m_mutex']);
  within(header()).getByRole('button').focus();
  await user.keyboard('{Enter}');
  expect(header()).toHaveAttribute('aria-sort', 'descending');
  expect(latches()).toEqual(in_engine_order);
  await user.keyboard('{Enter}');
  expect(header()).toHaveAttribute('aria-sort', 'ascending');
  expect(latches()).toEqual(in_engine_order.toReversed());
  await user.keyboard('{Enter}');
  expect(header()).toHaveAttribute('aria-sort', 'none');
  expect(latches()).toEqual(in_engine_order);
});

test('it shows who holds a latch now, and how many want it', async () => {
  await shown(showDrawnRunPaused);
  const row = screen.getByRole('row', { name: new RegExp(MUTEX) });
  expect(row).toHaveTextContent('held by client 0 in fil_space_get_version');
  expect(within(row).getAllByRole('cell')[1]).toHaveTextContent('1');
  expect(screen.getByRole('row', { name: /Fil_shard/ })).toHaveTextContent('held by nobody');
});

test('a latch of the report shows the functions that take it; other latches show them when opened', async () => {
  const { user } = await shown(showDrawnRun);
  expect(screen.getByRole('row', { name: /^fil_space_get_version/ })).toHaveTextContent('50.0');
  expect(screen.queryByRole('row', { name: /^fil_space_acquire/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Fil_shard::m_mutex' }));
  expect(screen.getByRole('row', { name: /^fil_space_acquire/ })).toBeVisible();
});
