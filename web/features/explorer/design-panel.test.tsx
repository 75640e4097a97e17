import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { scenarioCommands } from '../../session/commands';
import { drawn_rows, showDrawnRows } from '../../session/test-fixtures/drawn-run';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { DesignPanel } from './design-panel';

const chip = (title: string) =>
  screen.getByRole('radio', { name: new RegExp(`^${title}`) }).closest('label')!;

test('each chip carries the ratio that this run has measured; what was not tried has none', async () => {
  const session = sessionForTest();
  await showDrawnRows(session);
  session.history.clear();
  let transactions = 0;
  session.history.show(
    Array.from({ length: 20 }, (_, i) => ({
      ...drawn_rows[0]!,
      t_s: (i + 1) / 1000,
      transactions: (transactions += i < 10 ? 10 : 25),
    })),
  );
  renderView(session, <DesignPanel />);
  expect(screen.getByRole('button', { name: 'MySQL 5.6 (the bug) 1.0×' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'One atomic word (the fix)' })).toBeVisible();
  expect(chip('One global mutex, six times a read')).toHaveTextContent('1.0×');
  expect(chip('68 shards by tablespace number')).toHaveTextContent('2.5×');
  expect(chip('One atomic word per tablespace')).not.toHaveTextContent('×');
});

test('a chip turns its knob, a preset all of them; how the chosen ones work is told on demand', async () => {
  const session = sessionForTest();
  session.commands.register(scenarioCommands(session));
  const { user } = renderView(session, <DesignPanel />);
  await user.click(screen.getByRole('radio', { name: /^68 shards/ }));
  expect(session.store.getState().draft.design.tablespace_lookup).toBe('sharded_mutex');
  await user.click(screen.getByRole('button', { name: 'One atomic word (the fix)' }));
  await waitFor(() => {
    expect(session.store.getState().draft.design.tablespace_lookup).toBe('atomic_word');
  });
  await user.click(screen.getByText('How it works'));
  expect(screen.getByText(/One step further than MariaDB/)).toBeVisible();
});
