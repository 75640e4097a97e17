import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { fil_mutex, undo_read } from '../../contract/test-fixtures';
import { undo_result } from '../../contract/run-result-fixtures';
import RealServersPanel from './real-servers-panel';
import { sessionWithEvidence } from './test-fixtures';
import { chosenFile } from '../../session/test-fixtures/chosen-file';
import { measuredText, onALargeMachine } from '../../session/test-fixtures/measured-files';
import { textsOf } from '../../widgets/test-fixtures/reading';
import { renderView } from '../../widgets/test-fixtures/render-view';

async function shownOf(scenario: typeof undo_read) {
  const session = sessionWithEvidence();
  await session.openScenario(scenario.manifest.id);
  const view = renderView(session, <RealServersPanel />);
  return { session, ...view, panel: await screen.findByRole('region', { name: 'Counted on real servers' }) };
}

const row = (name: RegExp) => screen.getByRole('row', { name });
const cellsOf = (name: RegExp) => textsOf(within(row(name)).getAllByRole('cell'));
const filSystem = /^fil_system per undo record read/;

test('report, real server, census and this run are shown side by side; another server can be chosen', async () => {
  const { session, user, panel } = await shownOf(undo_read);
  expect(cellsOf(filSystem)).toEqual(['1', '1.00', expect.stringMatching(/^1(\.00)?$/), '–']);
  await session.files.openResult(JSON.stringify(undo_result), 'undo.json');
  // 200 acquisitions of 100 undo records.
  await waitFor(() => expect(cellsOf(filSystem)[3]).toMatch(/^2(\.00)?$/));
  await user.selectOptions(
    screen.getByRole('combobox', { name: 'Real server' }),
    'MariaDB 10.11.19 (2 cores, AMD EPYC)',
  );
  expect(cellsOf(filSystem)[1]).toBe('0');
  expect(screen.getAllByRole('columnheader', { name: 'MariaDB 10.11.19' })[0]).toBeVisible();
  expect(panel).toHaveTextContent('“Remember it”, “A guard and a page fix”');
});

test('a count that differs says why', async () => {
  const { user } = await shownOf(fil_mutex);
  const differs = within(row(/^buf_pool per page read/));
  await user.click(differs.getByText('Differs. Why?'));
  expect(row(/^buf_pool per page read/)).toHaveTextContent('Within 5 %, and not placed');
});

test('a measured file is shown beside the engine, in the tab of reported figures, and can be removed', async () => {
  const { session, panel } = await shownOf(undo_read);
  await session.files.openDroppedFiles([chosenFile('ours.json', onALargeMachine())]);
  expect(session.store.getState()).toMatchObject({ evidence: { tab: 'reported' } });
  expect(await screen.findByRole('option', { name: /^ours\.json/ })).toHaveTextContent(
    'ours.json: MySQL 9.9.1 (64 cores, AMD EPYC)',
  );
  expect(within(panel).getByRole('columnheader', { name: 'MySQL 9.9.1' })).toBeVisible();
  session.files.closeMeasuredFile();
  expect((await within(panel).findAllByRole('columnheader', { name: 'MySQL 9.7.4' }))[0]).toBeVisible();
});

test('on the start page a measured file leads to its bug', async () => {
  const session = sessionWithEvidence();
  expect(session.store.getState().view).toBe('front');
  await session.files.openDroppedFiles([chosenFile('ours.json', onALargeMachine())]);
  expect(session.store.getState()).toMatchObject({ view: 'explorer', evidence: { tab: 'reported' } });
  expect(session.store.getState().scenario.manifest.bug).toBe(117533);
});

test('a measured file of another bug is refused, and none of it is shown', async () => {
  const { session } = await shownOf(undo_read);
  await expect(
    session.files.openDroppedFiles([chosenFile('fil.json', measuredText('fil-mutex-69276'))]),
  ).rejects.toMatchObject({
    errors: [
      {
        field: 'scenario',
        value: 'fil-mutex-69276 (bug #69276)',
        allowed: 'undo-read-117533: the page shows bug #117533; open bug #69276 first',
      },
    ],
  });
  expect(screen.queryByRole('option', { name: /\.json/ })).toBeNull();
});
