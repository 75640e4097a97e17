import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import ServerLogOutput from './server-log-output';

const slowCommit = (session: number, tookS: number) => [
  '# Time: 1970-01-01T00:00:12.500000Z',
  `# User@Host: root[root] @ localhost []  Id: ${String(session).padStart(5)}`,
  `# Query_time: ${tookS.toFixed(6)}  Lock_time: 0.000000 Rows_sent: 0  Rows_examined: 0`,
  'SET timestamp=12;',
  'COMMIT;',
];

test('the COMMIT that the others waited for leads; the 199 others are folded, and there to be read', async () => {
  const session = sessionForTest();
  const victims = Array.from({ length: 199 }, (_, i) => slowCommit(i + 1, 0.5 + i / 1000));
  const lines = [...victims.slice(0, 90), slowCommit(200, 2), ...victims.slice(90)].flat();
  session.store.setState({ server_log: { lines, left_out: 0 } });
  const { user } = renderView(session, <ServerLogOutput />);
  const convoy = screen.getByRole('region', { name: 'Slow together: 200 statements' });
  expect(convoy).toHaveTextContent(/^Slowest session: 200, 2(\.\d+)? s\./);
  const folded = within(convoy).getByRole('group');
  expect(folded).not.toHaveAttribute('open');
  await user.click(within(folded).getByText('199 more slow statements, 500 ms to 698 ms'));
  expect(folded).toHaveAttribute('open');
  expect(folded).toHaveTextContent('Id: 199');
});
