import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { SessionContext } from '../widgets/session-context';
import CommandPalette from './command-palette';
import { pageForTest } from './page-fixture';

const highlighted = () =>
  screen.getAllByRole('option').find((option) => option.dataset.isHighlighted === 'true');

test('the first command that can be done is highlighted, with and without a query', async () => {
  const { session } = pageForTest();
  session.store.setState({ recentCommands: ['run.stop', 'run.pause'] });
  render(
    <SessionContext value={session}>
      <CommandPalette />
    </SessionContext>,
  );
  const [first] = screen.getAllByRole('option');
  expect(first).toHaveTextContent('Stop');
  expect(highlighted()).not.toBe(first);
  expect(highlighted()).toHaveAttribute('aria-disabled', 'false');
  const user = userEvent.setup();
  const input = screen.getByRole('combobox');
  await user.type(input, 'stop');
  await user.clear(input);
  expect(highlighted()).toHaveAttribute('aria-disabled', 'false');
  await user.type(input, 'dark');
  expect(highlighted()).toHaveTextContent('dark');
});

test('a latch is found by its name; it opens its card if no bug models it', async () => {
  const { session } = pageForTest();
  session.store.setState({ dialog: 'palette' });
  render(
    <SessionContext value={session}>
      <CommandPalette />
    </SessionContext>,
  );
  const user = userEvent.setup();
  await user.type(screen.getByRole('combobox'), 'LOCK_table_cache');
  await waitFor(() =>
    expect(screen.getByRole('option', { name: 'Latch: LOCK_table_cache (not modeled)' })).toBeVisible(),
  );
  await user.keyboard('{Enter}');
  expect(session.store.getState()).toMatchObject({ view: 'waits', shownLatch: 'table-cache', dialog: null });
  expect(session.store.getState().recentCommands).toEqual([]);
});

test('a latch that a bug models opens the stage of the bug', async () => {
  const { session } = pageForTest();
  render(
    <SessionContext value={session}>
      <CommandPalette />
    </SessionContext>,
  );
  const user = userEvent.setup();
  await user.type(screen.getByRole('combobox'), 'fil_system');
  const latch = await screen.findByRole('option', { name: /^Latch: Fil_shard::m_mutex \(bug #69276\)$/ });
  await user.click(latch);
  await waitFor(() =>
    expect(session.store.getState()).toMatchObject({ view: 'stage', draft: { scenario: 'fil-mutex-69276' } }),
  );
});

test('latches that load after the reader has typed are highlighted, too', async () => {
  const { session } = pageForTest();
  render(
    <SessionContext value={session}>
      <CommandPalette />
    </SessionContext>,
  );
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'LOCK_table_cache' } });
  expect(screen.queryAllByRole('option')).toEqual([]);
  await screen.findByRole('option', { name: /LOCK_table_cache/ });
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
  expect(session.store.getState().shownLatch).toBe('table-cache');
});
