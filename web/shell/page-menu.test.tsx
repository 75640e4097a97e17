import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { undo_read } from '../contract/test-fixtures';
import { pretendPhone } from '../widgets/test-fixtures/pretend-phone';
import { renderPage } from './test-fixtures/render-page';

async function openedMenu() {
  pretendPhone();
  const page = renderPage();
  await act(() => page.session.openScenario(undo_read.manifest.id));
  await page.user.click(await screen.findByRole('button', { name: 'Menu' }));
  await screen.findByRole('heading', { name: /^#117533/ });
  return page;
}

const choose = (name: string) => screen.getByRole('button', { name });

test('a choice closes the menu and opens what was chosen, another dialog as well', async () => {
  const { user, state } = await openedMenu();
  await user.click(choose('Compare'));
  expect(state()).toMatchObject({ view: 'compare', dialog: null });
  await user.click(choose('Menu'));
  await user.click(await screen.findByRole('button', { name: 'Keys and help' }));
  await waitFor(() => expect(state().dialog).toBe('help'));
});

test('the list of files opens inside the menu', async () => {
  const { user, state } = await openedMenu();
  await user.click(choose('Files'));
  expect(screen.getByRole('menuitem', { name: 'Open run result…' })).toBeVisible();
  expect(state().dialog).toBe('menu');
});
