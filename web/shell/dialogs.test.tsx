import { act } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderView } from '../widgets/test-fixtures/render-view';
import { Dialogs } from './dialogs';
import { pageForTest } from './page-fixture';

// The test document does not move the focus, so these tests check the calls to the browser.
test('a dialog is modal, and closed while it is in the document: so the browser gives the focus back', () => {
  const { session } = pageForTest();
  const store = session.store;
  const showModal = vi.spyOn(HTMLDialogElement.prototype, 'showModal');
  const closedInDocument: boolean[] = [];
  vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(function (this: HTMLDialogElement) {
    closedInDocument.push(this.isConnected);
  });
  renderView(session, <Dialogs />);
  act(() => store.setState({ dialog: 'help' }));
  expect(showModal).toHaveBeenCalledOnce();
  expect(closedInDocument).toEqual([]);
  act(() => store.setState({ dialog: null }));
  expect(closedInDocument).toEqual([true]);
});
