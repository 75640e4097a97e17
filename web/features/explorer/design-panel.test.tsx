import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { LATCH_OF_RUN, scenarioCommands } from '../../session/commands';
import { drawnRows, showDrawnRows } from '../../session/test-fixtures/drawn-run';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { DesignPanel } from './design-panel';

let ledToLab = 0;

function sessionWithLab() {
  const session = sessionForTest();
  ledToLab = 0;
  session.commands.register({
    commands: () => [
      { id: LATCH_OF_RUN, title: 'lab', isEnabled: () => true, execute: () => void (ledToLab += 1) },
    ],
  });
  return session;
}

const chip = (title: string) =>
  screen.getByRole('radio', { name: new RegExp(`^${title}`) }).closest('label')!;

test('each chip carries the ratio that this run has measured; what was not tried has none', async () => {
  const session = sessionWithLab();
  await showDrawnRows(session);
  session.history.clear();
  let transactions = 0;
  session.history.show(
    Array.from({ length: 20 }, (_, i) => ({
      ...drawnRows[0]!,
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
  const session = sessionWithLab();
  session.commands.register(scenarioCommands(session));
  const { user } = renderView(session, <DesignPanel />);
  await user.click(screen.getByRole('radio', { name: /^68 shards/ }));
  expect(session.store.getState().draft.design.tablespace_lookup).toBe('sharded_mutex');
  await user.click(screen.getByRole('button', { name: 'One atomic word (the fix)' }));
  await waitFor(() => expect(session.store.getState().draft.design.tablespace_lookup).toBe('atomic_word'));
  await user.click(screen.getByText('How it works'));
  expect(screen.getByText(/One step beyond MariaDB/)).toBeVisible();
});

test('the reader’s latch can be chosen where the run has one of its kind; else its chip leads to the lab', async () => {
  const session = sessionWithLab();
  session.commands.register(scenarioCommands(session));
  await session.openScenario('undo-read-117533');
  const { user } = renderView(session, <DesignPanel />);
  const [lookup, purge] = [/^Ask the shard, your latch/, /^Your rw-latch/].map(
    (name) => () => screen.getByRole('radio', { name }),
  );
  expect(lookup!()).toBeDisabled();
  const [write] = screen.getAllByRole('button', { name: 'Write one in the lab' });
  await user.click(write!);
  expect(ledToLab).toBe(1);

  act(() => session.editDraft({ latch: { program: { functions: { enter: [0, 1] } } } }));
  expect(purge!()).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Write an rw-latch in the lab' })).toBeVisible();
  await user.click(lookup!());
  expect(session.store.getState().draft.design.undo_page_size_lookup).toBe('yours');
  expect(session.store.getState().draftErrors).toEqual([]);
  expect(screen.getByRole('button', { name: 'Edit in the lab' })).toBeVisible();
});
