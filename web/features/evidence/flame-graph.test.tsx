import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import FlameGraph from './flame-graph';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { showDrawnRun, showDrawnRunPaused } from '../../session/test-fixtures/drawn-run';
import { renderView } from '../../widgets/test-fixtures/render-view';

const frame = (name: string) => screen.getByRole('treeitem', { name: new RegExp(`^${name}: `) });
const widthOf = (element: HTMLElement) => parseFloat(element.style.width);
const matchedShare = () => Number(/([\d.]+)\s%/.exec(screen.getByText(/% of samples/).textContent)![1]);

async function shown(show: typeof showDrawnRun) {
  const session = sessionForTest();
  await show(session);
  return renderView(session, <FlameGraph />);
}

test('after a run the graph shows the whole run, with the counts of the run result', async () => {
  const { user } = await shown(showDrawnRun);
  expect(screen.getByRole('radio', { name: 'whole run' })).toBeChecked();
  // A result from a file does not distinguish clients from other threads.
  expect(frame('fil_space_get_version')).toHaveAccessibleName(/30 samples, 66\.7\s%/);
  await user.click(frame('fil_space_get_version'));
  expect(frame('handle_one_connection')).toHaveAttribute('aria-level', '2');
  await user.click(screen.getByRole('button', { name: 'All frames' }));
  await user.type(screen.getByRole('searchbox', { name: 'Find functions' }), 'fil_space_get_version');
  expect(matchedShare()).toBeCloseTo(66.7, 1);
});

test('it can be walked, zoomed and left by keyboard', async () => {
  const { user } = await shown(showDrawnRunPaused);
  frame('clients').focus();
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(frame('fil_space_get_version')).toHaveFocus();
  expect(frame('fil_space_get_version')).toHaveAttribute('aria-level', '4');
  expect(widthOf(frame('fil_space_get_version'))).toBeCloseTo(75, 5);
  await user.keyboard('{Enter}');
  const zoom = screen.getByRole('navigation', { name: 'Zoom' });
  expect(zoom).toHaveTextContent('fil_space_get_version');
  expect(widthOf(frame('fil_space_get_version'))).toBeCloseTo(100, 5);
  await user.keyboard('{ArrowUp}');
  expect(frame('buf_read_page')).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('navigation', { name: 'Zoom' })).toBeNull();
  expect(frame('buf_read_page')).toHaveFocus();
});

test('a search shows its share of the samples', async () => {
  const { user } = await shown(showDrawnRunPaused);
  const field = screen.getByRole('searchbox', { name: 'Find functions' });
  await user.type(field, 'handle_one');
  expect(matchedShare()).toBe(100);
  await user.clear(field);
  await user.type(field, 'no such function');
  expect(matchedShare()).toBe(0);
});

test('clients and server threads are shown apart', async () => {
  const { user } = await shown(showDrawnRunPaused);
  expect(screen.queryByRole('treeitem', { name: /^srv_purge/ })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'server threads' }));
  await user.click(screen.getByRole('checkbox', { name: 'clients' }));
  expect(frame('server threads')).toHaveAttribute('aria-level', '1');
  expect(frame('srv_purge_coordinator_thread')).toBeVisible();
  expect(within(screen.getByRole('tree')).getAllByRole('treeitem')).toHaveLength(2);
  await user.click(screen.getByRole('checkbox', { name: 'server threads' }));
  expect(screen.getByText('No samples of these threads.')).toBeVisible();
});
