import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { fakeEngines, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { pretendPhone } from '../../widgets/test-fixtures/pretend-phone';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { ThumbBar } from './thumb-bar';

const button = (name: string) => screen.getByRole('button', { name });

test('on a phone one bar runs, changes the design, and offers the first step during a run', async () => {
  pretendPhone();
  const { loaders } = fakeEngines();
  const session = sessionForTest({ loaders });
  const { title } = session.store.getState().scenario.manifest.actions[0]!;
  const { user } = renderView(session, <ThumbBar />);
  expect(screen.queryByRole('button', { name: title })).toBeNull();
  await user.click(button('Fixed'));
  await waitFor(() => expect(button('Fixed')).toHaveAttribute('aria-pressed', 'true'));
  expect(button('Original')).toHaveAttribute('aria-pressed', 'false');
  await user.click(button('Run'));
  expect(await screen.findByRole('button', { name: title })).toBeVisible();
  expect(button('Pause')).toBeVisible();
  await act(() => session.stop());
  expect(screen.queryByRole('button', { name: title })).toBeNull();
});

test('a larger window has no such bar', () => {
  renderView(sessionForTest(), <ThumbBar />);
  expect(screen.queryByRole('button')).toBeNull();
});
