import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { undo_read } from '../../contract/test-fixtures';
import SweepView from './sweep-view';
import { experimentsWith } from './test-fixtures';
import { chosenFile } from '../../session/test-fixtures/chosen-file';
import { onALargeMachine } from '../../session/test-fixtures/measured-files';
import { textsOf } from '../../widgets/test-fixtures/reading';
import { renderView } from '../../widgets/test-fixtures/render-view';

const panel = (name: string) => screen.findByRole('region', { name });
const startButton = () => screen.getByRole('button', { name: 'Sweep' });

function shown(...given: Parameters<typeof experimentsWith>) {
  const page = experimentsWith(...given);
  page.session.openView('sweep');
  const view = (
    <>
      <SweepView />
    </>
  );
  return { ...page, ...renderView(page.session, view, { experiments: page.experiments }) };
}

test('a sweep over three thread counts gives a table, and says why there is no curve', async () => {
  const { user, experiments } = shown();
  experiments.editSweep({ designs: ['original', 'fixed'], counts: '1, 2, 4', repeats: 1 });
  await user.click(startButton());
  const table = within(await panel('Thread counts'));
  for (const threads of ['1', '2', '4'])
    expect(table.getByRole('rowheader', { name: threads })).toBeVisible();
  expect(await panel('Universal Scalability Law')).toHaveTextContent(
    'No fit: needs at least 4 thread counts, got 3.',
  );
});

test('threads stand on a linear axis, and on a logarithmic one where the reader wants it', async () => {
  const { user, experiments, state } = shown();
  experiments.editSweep({ designs: ['original'], counts: '1, 2, 4', repeats: 1 });
  await user.click(startButton());
  const curves = await panel('Throughput by threads');
  expect(curves).toHaveTextContent('straight lines: no fit');
  const logAxis = within(curves).getByRole('button', { name: 'Log axis', pressed: false });
  await user.click(logAxis);
  expect(state()).toMatchObject({ threadsAxis: 'logarithmic' });
  expect(within(curves).getByRole('button', { name: 'Log axis', pressed: true })).toBeVisible();
});

test('a bad input is named at its field, and nothing starts', async () => {
  const { user, session, runs } = shown();
  const counts = screen.getByRole('textbox', { name: 'Thread counts' });
  await user.clear(counts);
  await user.type(counts, '1, 2, many');
  expect(counts).toHaveAccessibleDescription('many: must be integers from 1 to 1024, separated by commas');
  expect(counts).toBeInvalid();
  expect(screen.getByRole('alert')).toHaveTextContent('counts is many; allowed: integers from 1 to 1024');
  expect(startButton()).toHaveAttribute('aria-disabled', 'true');
  await user.clear(counts);
  await user.type(counts, '1, 2, 8');
  expect(startButton()).toHaveAttribute('aria-disabled', 'false');
  expect(session.store.getState()).toMatchObject({ sweepSettings: { counts: '1, 2, 8' } });
  for (const name of ['MySQL 5.6 (the bug)', 'One atomic word (the fix)']) {
    const box = screen.getByRole('checkbox', { name });
    if ((box as HTMLInputElement).checked) await user.click(box);
  }
  expect(screen.getByRole('alert')).toHaveTextContent('designs is none; allowed: 1 to 4 of original, ');
  expect(startButton()).toHaveAttribute('aria-disabled', 'true');
  await user.click(startButton());
  expect(runs()).toBe(0);
});

test('a measured file that is opened lies over the curves, throughput and counts', async () => {
  const { user, session, experiments, state } = shown(undefined, undo_read);
  experiments.editSweep({ designs: ['original', 'fixed'], counts: '1, 2, 4', repeats: 1 });
  await session.files.openDroppedFiles([chosenFile('ours.json', onALargeMachine())]);
  const beside = await panel('Compared with real servers');
  expect(beside).toHaveTextContent('ours.json: MySQL 9.9.1 (64 cores, AMD EPYC)');
  expect(session.store.getState().view).toBe('sweep');
  await user.click(startButton());
  await waitFor(() => expect(state().announcement).toBe('Sweep done'));
  const headers = () => textsOf(within(beside).getAllByRole('columnheader'));
  expect(headers()).toEqual([
    'clients',
    'reported',
    'MySQL 9.9.1, scans/s',
    'here, MySQL 8.0 to 9.7 (the bug), TPS',
    'here, A guard in 64 shards (the fix), TPS',
  ]);
  const oneClient = within(within(beside).getByRole('row', { name: /^1 / }));
  expect(oneClient.getAllByText('1 ×')).toHaveLength(3);
  expect(within(beside).getByRole('row', { name: /^32 / })).toHaveTextContent(
    '182 to 192 transactions/s (MySQL 8.0 to 9.7 (the bug))',
  );
  await user.selectOptions(
    screen.getByRole('combobox', { name: 'Metric' }),
    'fil_system per undo record read',
  );
  expect(headers()).not.toContain('here, fixed, TPS');
});

test('a sweep whose runs suppose something is not set beside a real server, and the page says why', async () => {
  const { user, session, experiments, state } = shown(undefined, undo_read);
  session.editDraft({ what_if: { costs: { pause_ps: 50 } } });
  experiments.editSweep({ designs: ['original'], counts: '1, 2', repeats: 1 });
  await session.files.openDroppedFiles([chosenFile('ours.json', onALargeMachine())]);
  const beside = await panel('Compared with real servers');
  await user.click(startButton());
  await waitFor(() => expect(state().announcement).toBe('Sweep done'));
  expect(beside).toHaveTextContent(
    'Not compared: the runs of this sweep have a what-if that no real server has (PAUSE 50 %).',
  );
  const headers = textsOf(within(beside).getAllByRole('columnheader'));
  expect(headers.filter((header) => header.startsWith('here'))).toEqual([]);
});
