import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { undo_read } from '../contract/test-fixtures';
import { renderPage } from './test-fixtures/render-page';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Makes the window as small as that of a phone. */
function pretendPhone(): void {
  const matchMedia = window.matchMedia.bind(window);
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    query.includes('max-width: 759px')
      ? ({ matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() } as never)
      : matchMedia(query),
  );
}

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
