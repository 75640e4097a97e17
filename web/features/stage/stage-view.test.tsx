import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { all_scenarios } from '../../contract/all-scenarios';
import { machine } from '../../contract/test-fixtures';
import { fakeEngines, registerStandIns, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import StageView from './stage-view';
import { stageFeature } from './index';
import { stagePlayerOf } from './stage-player';

/** Shows the stage of a bug while its engine computes nothing: all of it is the recording. */
async function shown(scenario: string) {
  const { loaders, engines } = fakeEngines();
  const session = sessionForTest({
    scenarios: all_scenarios,
    machine: { ...machine, platforms: ['virtual'] },
    loaders,
    features: [stageFeature],
  });
  await session.openScenario(scenario, 'stage');
  registerStandIns(session, 'stage.restart', 'page.server', 'view.explorer');
  const { user } = renderView(session, <StageView />);
  await screen.findByRole('heading', { level: 1 });
  return { session, user, engines };
}

const button = (name: string) => screen.getByRole('button', { name });
const current = () => document.querySelector('.stage-number[data-current=true]');

test('shows the headline, three numbers and two controls, before the engine has computed anything', async () => {
  await shown('undo-read-117533');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(
    'One UPDATE makes every read 79× slower',
  );
  const numbers = [...document.querySelectorAll('.stage-number')].map(({ textContent }) => textContent);
  expect(numbers).toEqual([
    '14,400scans/s before',
    expect.stringMatching(/^183 ÷ ?79scans\/s after the UPDATE$/),
    expect.stringMatching(/^2,130 12×scans\/s, fixed design$/),
  ]);
  expect(screen.getByText('recorded; engine at 0 %')).toBeVisible();
  expect(within(screen.getByRole('group', { name: 'Lock design' })).getAllByRole('button')).toHaveLength(2);
  expect(button('Original')).toHaveAttribute('aria-pressed', 'true');
});

test('a press shows its step at once: its number, its note, and the next label', async () => {
  const { user } = await shown('binlog-purge-104615');
  expect(current()).toHaveTextContent('commits/s before');
  await user.click(button('Let old logs expire'));
  expect(current()).toHaveTextContent('without a single COMMIT');
  expect(screen.getByText(/The next rotation of the binary log/)).toBeVisible();
  expect(button('Let 28 GiB expire again')).toBeVisible();
  await user.click(button('Fixed'));
  expect(button('Fixed')).toHaveAttribute('aria-pressed', 'true');
});

test('a step that makes no sense now cannot be pressed', async () => {
  const { session, user } = await shown('undo-read-117533');
  await user.click(button('UPDATE all rows'));
  expect(button('UPDATE all rows')).toHaveAttribute('aria-disabled', 'true');
  await user.click(button('UPDATE all rows'));
  expect(current()).toHaveTextContent('scans/s after the UPDATE');
  expect(stagePlayerOf(session).picture!.steps).toHaveLength(1);
});
