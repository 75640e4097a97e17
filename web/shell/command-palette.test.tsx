import { render, screen } from '@testing-library/react';
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
