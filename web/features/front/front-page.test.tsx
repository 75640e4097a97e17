import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { stageNumbersOf, withNumbers } from '../../analysis/stage-numbers';
import { all_scenarios } from '../../contract/all-scenarios';
import { machine } from '../../contract/test-fixtures';
import { FrontPage } from './front-page';
import { fakeEngines, sessionForTest } from '../../session/test-fixtures/session-for-test';
import type { SessionOptions } from '../../session/session';
import { renderView } from '../../widgets/test-fixtures/render-view';

const cards = () => within(screen.getByRole('list', { name: 'Bugs' })).getAllByRole('listitem');
const cardOf = (bug: number) => cards().find((card) => card.textContent.includes(`#${bug}`))!;
const shown = (options: Partial<SessionOptions> = {}) =>
  renderView(
    sessionForTest({ scenarios: all_scenarios, ...options }),
    <FrontPage
      demo={(scenario) => `Demo of ${scenario}`}
      search={<input type="search" aria-label="Find a latch" />}
    />,
  );

test('every bug has a card with a run that was drawn, and the figures of its report', () => {
  shown();
  expect(screen.getByRole('heading', { level: 1, name: 'Latchscope' })).toBeVisible();
  expect(cards()).toHaveLength(5);
  const card = cardOf(117533);
  expect(card).toHaveTextContent('14,394 → 182–192 TPS');
  expect(within(card).getByRole('img')).toHaveAccessibleName(/before and after one UPDATE/);
  const drawn = card.querySelector('.sparkline-original')!.getAttribute('d')!;
  expect(drawn.split('L').length).toBeGreaterThan(10);
});

test('one bug plays by itself, and its button opens its stage', () => {
  shown();
  expect(screen.getByRole('region', { name: 'A bug at work' })).toHaveTextContent('Demo of undo-read-117533');
  expect(screen.getByRole('link', { name: 'Break it yourself ▸' })).toHaveAttribute(
    'href',
    '#v=1&view=stage&scenario=undo-read-117533',
  );
});

test('each card says what goes wrong, with the numbers of its stage, and draws both designs', () => {
  shown();
  for (const { manifest, stage, front_run } of all_scenarios) {
    const numbers = stageNumbersOf(stage!.numbers, stage!.values);
    const card = cardOf(manifest.bug);
    expect(card).toHaveTextContent(withNumbers(stage!.headline, numbers));
    expect(card).toHaveTextContent(withNumbers(stage!.sentence, numbers));
    expect(card.querySelector('.card-number')).toHaveTextContent(/\d/);
    const curves = card.querySelectorAll('.sparkline-original, .sparkline-other, .sparkline-third');
    expect(curves).toHaveLength(front_run!.runs.length);
    expect(curves.length).toBeGreaterThan(1);
  }
});

test('the latch lab is a card as well, with a program that is wrong', () => {
  shown();
  const lab = screen.getByRole('region', { name: 'Latch lab' });
  expect(within(lab).getByRole('link', { name: /^Latch lab This lock lets two threads in/ })).toHaveAttribute(
    'href',
    '#v=1&view=lab&lab.exercise=02-test-and-set',
  );
  expect(lab).toHaveTextContent('while (load(locked) != 0) pause(); store(locked, 1);');
});

test('each card says in which real version its bug was last seen', () => {
  shown();
  const says = [
    'Still in MySQL 5.6.24, 2026-11: six',
    'Still in MySQL 5.6.24, 2026-11: 8.7',
    'Fixed; 8.0.18, as reported, was not tested. MySQL 9.7.4, 2026-11: has the fix',
    'Still in MySQL 9.7.4, 2026-11: the commits of all eight clients stall',
    'Still in MySQL 9.7.4, 2026-11: one fil_system and one trx_purge_latch acquisition',
  ];
  for (const [i, text] of says.entries()) expect(cards()[i]).toHaveTextContent(text);
});

test('a card opens the stage of its bug', () => {
  shown();
  expect(within(cardOf(117533)).getByRole('link', { name: /^Bug #117533/ })).toHaveAttribute(
    'href',
    '#v=1&view=stage&scenario=undo-read-117533',
  );
});

test('whoever points at a card finds the engine of the stage ready, loaded once', async () => {
  const { engines, loaders } = fakeEngines();
  const { user } = shown({ machine: { ...machine, platforms: ['virtual'] }, loaders });
  expect(engines).toHaveLength(0);
  await user.hover(cardOf(117533));
  await user.hover(cardOf(69276));
  expect(engines).toHaveLength(1);
});

test('rates that are far apart have a logarithmic axis, and the card says so', () => {
  shown();
  expect(cardOf(95491)).toHaveTextContent(/TPS, logarithmic/);
  expect(cardOf(104615)).not.toHaveTextContent(/logarithmic/);
});

test('a run that cannot be drawn says so in its card, and is shown again', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const reversed = vi.spyOn(Array.prototype, 'toReversed').mockImplementation(() => {
    throw new Error('broken on purpose');
  });
  const { user } = shown();
  expect(screen.getAllByRole('alert')[0]).toHaveTextContent(
    'The bug’s run could not be shown. broken on purpose',
  );
  expect(screen.getByRole('heading', { name: /Bug #69276/ })).toBeVisible();
  reversed.mockRestore();
  const before = screen.queryAllByRole('img').length;
  await user.click(screen.getAllByRole('button', { name: 'Show again' })[0]!);
  expect(screen.getAllByRole('img')).toHaveLength(before + 1);
});
