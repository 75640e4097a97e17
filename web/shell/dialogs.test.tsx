import { act } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { storeWithSlice } from '../session/feature';
import { renderView } from '../widgets/test-fixtures/render-view';
import { Dialogs } from './dialogs';
import { pageForTest } from './page-fixture';
import type { PageState } from './page-state';

// The test document does not move the focus, so these tests check the calls to the browser.
test('a dialog is modal, and closed while it is in the document: so the browser gives the focus back', () => {
  const { session } = pageForTest();
  const store = storeWithSlice<PageState>(session.store);
  const showModal = vi.spyOn(HTMLDialogElement.prototype, 'showModal');
  const closed_in_document: boolean[] = [];
  vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(function (this: HTMLDialogElement) {
    closed_in_document.push(this.isConnected);
  });
  renderView(session, <Dialogs />);
  act(() => {
    store.setState({ dialog: 'help' });
  });
  expect(showModal).toHaveBeenCalledOnce();
  expect(closed_in_document).toEqual([]);
  act(() => {
    store.setState({ dialog: null });
  });
  expect(closed_in_document).toEqual([true]);
});
