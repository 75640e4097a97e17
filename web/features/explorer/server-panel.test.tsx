import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { ServerPanel } from './settings-drawer';
import { linkShown } from '../../session/link';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';

test('a bad value of your own server is named at its field; a good one is in the link', async () => {
  const session = sessionForTest();
  await session.openPlatform('virtual');
  session.openView('explorer');
  const { user } = renderView(session, <ServerPanel />);
  await user.click(screen.getByText(/^Edit server values/));
  const pause = screen.getByRole('spinbutton', { name: 'PAUSE' });
  expect(pause).toHaveAccessibleDescription(/^1,000 to 100,000 ps One PAUSE instruction.* Source: /);
  await user.clear(pause);
  await user.type(pause, '100001');
  expect(pause).toHaveAccessibleDescription(/^must be an integer from 1000 to 100000 /);
  expect(pause).toBeInvalid();
  expect(session.store.getState().draftErrors).toMatchObject([{ field: 'server.pause_ps' }]);
  await user.clear(pause);
  await user.type(pause, '9000');
  expect(session.store.getState().draftErrors).toEqual([]);
  expect(linkShown(session.store.getState(), session.linkFields)).toMatch(
    /server=snb-ep-2013&server\.pause_ps=9000/,
  );
  expect(screen.getByText('1 value changed')).toBeVisible();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Based on' }), 'xeon-2020');
  expect(pause).not.toHaveValue(9000);
});
