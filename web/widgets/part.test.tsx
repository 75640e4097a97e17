import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { undo_read } from '../contract/test-fixtures';
import { sessionForTest } from '../session/test-fixtures/session-for-test';
import { WholePage } from './part';
import { renderView } from './test-fixtures/render-view';

let isBroken: boolean;
function Fragile() {
  if (isBroken) throw new Error('broken on purpose');
  return <p>All is well.</p>;
}

beforeEach(() => {
  isBroken = true;
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  expect(console.error).toHaveBeenCalled();
});

test('a view that fails says so in its place, and is shown again when the reader wishes', async () => {
  const { user } = renderView(sessionForTest(), <Fragile />);
  expect(screen.getByRole('alert')).toHaveTextContent('The view could not be shown. broken on purpose');
  isBroken = false;
  await user.click(screen.getByRole('button', { name: 'Show again' }));
  expect(screen.getByText('All is well.')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('another bug tries again by itself', async () => {
  const session = sessionForTest();
  renderView(session, <Fragile />);
  expect(screen.getByRole('alert')).toBeVisible();
  isBroken = false;
  await session.openScenario(undo_read.manifest.id);
  expect(await screen.findByText('All is well.')).toBeVisible();
});

test('what no part has caught leaves a page that says so and can be loaded again', async () => {
  const reload = vi.fn();
  const { user } = renderView(
    sessionForTest(),
    <WholePage reload={reload}>
      <Fragile />
    </WholePage>,
  );
  expect(screen.getByRole('alert')).toHaveTextContent('The page failed. broken on purpose');
  await user.click(screen.getByRole('button', { name: 'Reload page' }));
  expect(reload).toHaveBeenCalledOnce();
});
