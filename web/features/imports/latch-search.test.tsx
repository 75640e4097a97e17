import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { all_scenarios } from '../../contract/all-scenarios';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import LatchSearch from './latch-search';

const field = () => screen.getByRole('searchbox', { name: 'Find your latch' });
const results = () => within(screen.getByRole('list', { name: 'Latches' })).queryAllByRole('listitem');

function shown() {
  renderView(sessionForTest({ scenarios: all_scenarios }), <LatchSearch />, {});
  return userEvent.setup();
}

test.each([
  ['LOCK_log', 'binlog-purge-104615'],
  ['fil_system', 'fil-mutex-69276'],
  ['trx_sys', 'xa-gtid-99638'],
  ['AIO', 'aio-wakeup-95491'],
])('%s leads to the stage of %s first', async (words, scenario) => {
  const user = shown();
  await user.type(field(), words);
  await waitFor(() => expect(results().length).toBeGreaterThan(0));
  const [link] = within(results()[0]!).getAllByRole('link');
  expect(link).toHaveAttribute('href', `#v=1&view=stage&scenario=${scenario}`);
});

test('a latch that no bug models leads to its card', async () => {
  const user = shown();
  await user.type(field(), 'LOCK_table_cache');
  await waitFor(() => expect(results().length).toBeGreaterThan(0));
  expect(within(results()[0]!).getByRole('link')).toHaveAttribute(
    'href',
    '#v=1&view=waits&waits.latch=table-cache',
  );
  expect(results()[0]).toHaveTextContent('not modeled');
});

test('Enter follows the best result; Escape empties the field', async () => {
  const user = shown();
  await user.type(field(), 'AIO');
  await waitFor(() => expect(results().length).toBeGreaterThan(0));
  // Other tests share the address bar, so the link is not followed.
  const followed: string[] = [];
  results()[0]!.addEventListener('click', (event) => {
    event.preventDefault();
    followed.push((event.target as HTMLAnchorElement).hash);
  });
  await user.keyboard('{Enter}');
  expect(followed).toEqual(['#v=1&view=stage&scenario=aio-wakeup-95491']);
  await user.keyboard('{Escape}');
  expect(field()).toHaveValue('');
  expect(screen.queryByRole('list', { name: 'Latches' })).toBeNull();
});

test('words that fit nothing are said, and many results are counted', async () => {
  const user = shown();
  await user.type(field(), 'banana');
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('no latch for “banana”'));
  await user.clear(field());
  await user.type(field(), 'mutex');
  expect(results()).toHaveLength(6);
  expect(screen.getByRole('status')).toHaveTextContent(/^\d+ latches; these fit best$/);
});
