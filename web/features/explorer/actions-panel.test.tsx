import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { ActionsPanel } from './explorer';

test('it says how far it is while it goes on, and that it is over; a listener hears it by quarters', () => {
  const session = sessionForTest();
  renderView(session, <ActionsPanel />);
  const status = screen.getByRole('status');
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(status).toBeEmptyDOMElement();
  const show = (share: number) => {
    act(() => session.store.setState({ longWait: { what: 'buffer_pool_warm_up', share, remainingS: 1.2 } }));
  };
  show(0.4);
  expect(screen.getByText('Buffer pool 40 % warm, warm in about 1.2 s')).toBeVisible();
  expect(screen.getByRole('progressbar')).toHaveValue(0.4);
  expect(status).toHaveTextContent('Buffer pool 25 % warm');
  show(0.47);
  expect(screen.getByText('Buffer pool 47 % warm, warm in about 1.2 s')).toBeVisible();
  expect(status).toHaveTextContent('Buffer pool 25 % warm');
  act(() => session.store.setState({ longWait: null, lastLongWait: 'buffer_pool_warm_up' }));
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(status).toHaveTextContent('The buffer pool is warm.');
});
