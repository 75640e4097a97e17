import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderView } from '../widgets/test-fixtures/render-view';
import { Dialogs } from './dialogs';
import { pageForTest } from './page-fixture';

// The test document does not move the focus, so these tests check the calls to the browser.
test('a dialog is modal, and closed while it is in the document: so the browser gives the focus back', async () => {
  const { session } = pageForTest();
  const store = session.store;
  const showModal = vi.spyOn(HTMLDialogElement.prototype, 'showModal');
  const closedInDocument: boolean[] = [];
  vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(function (this: HTMLDialogElement) {
    closedInDocument.push(this.isConnected);
  });
  renderView(session, <Dialogs />);
  act(() => store.setState({ dialog: 'help' }));
  await waitFor(() => expect(showModal).toHaveBeenCalledOnce());
  expect(closedInDocument).toEqual([]);
  act(() => store.setState({ dialog: null }));
  expect(closedInDocument).toEqual([true]);
});

test('a command opens the Server dialog for a bug, and a feature opens it at a server', async () => {
  const { session, server } = pageForTest();
  renderView(session, <Dialogs />);
  const isEnabled = () => session.commands.isEnabled('page.server');
  expect(isEnabled()).toBe(false);
  await act(() => session.openPlatform('virtual'));
  act(() => session.openView('explorer'));
  expect(isEnabled()).toBe(true);
  await act(() => session.commands.perform('page.server'));
  const sockets = { name: 'Sockets' };
  expect(await screen.findByRole('spinbutton', sockets)).toHaveValue(2);
  await act(() => session.commands.perform('dialog.close'));
  expect(screen.queryByRole('spinbutton', sockets)).toBeNull();
  act(() => server.open({ family: 'epyc-milan', values: { sockets: 1 }, clients: 40 }));
  expect(await screen.findByRole('spinbutton', sockets)).toHaveValue(1);
  expect(screen.getByRole('combobox', { name: 'CPU family' })).toHaveValue('family:epyc-milan');
  await act(() => session.commands.perform('dialog.close'));
  // The command opens it at the next run again.
  await act(() => session.commands.perform('page.server'));
  expect(await screen.findByRole('spinbutton', sockets)).toHaveValue(2);
});
