import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { ServerPanel } from './settings-drawer';
import { registerStandIns, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';

test('the server of the next run is described, and opens the dialog that changes it', async () => {
  const session = sessionForTest();
  registerStandIns(session, 'page.server');
  renderView(session, <ServerPanel />);
  expect(screen.queryByRole('region', { name: 'Server' })).toBeNull();
  await act(() => session.openPlatform('virtual'));
  const panel = screen.getByRole('region', { name: 'Server' });
  expect(panel).toHaveTextContent('Intel Xeon E5-2600 (Sandy Bridge-EP) of 2013, 2 x 8 cores of 2 threads');
  expect(panel).toHaveTextContent('preset');
  act(() => session.editDraft({ server: { based_on: 'xeon-2020', own: { sockets: 4, pause_ps: 9000 } } }));
  expect(panel).toHaveTextContent('2 values changed');
  expect(panel).toHaveTextContent('4 sockets × 32 cores, custom server based on Intel Xeon');
  act(() => session.editDraft({ server: { based_on: 'xeon-2020', own: { sockets: 9 } } }));
  expect(panel).toHaveTextContent('server.sockets is 9; allowed: an integer from 1 to 8');
  expect(screen.getByRole('button', { name: 'Change server' })).toBeEnabled();
});
