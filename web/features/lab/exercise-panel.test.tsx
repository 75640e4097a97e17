// Tests the way from a solved exercise to the next one, with the page's own engine.
import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { loadVirtualEngineInNode } from '../../engine-client/test-fixtures/virtual-engine-in-node';
import { ExtraEngine } from '../../session/extra-engine';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { ExercisePanel } from './exercise-panel';
import { ExercisePath } from './exercise-path';
import { Lab } from './lab';
import { labFeature } from './index';

async function renderExercises(remembered: string | null = null) {
  const session = sessionForTest({ features: [labFeature] });
  const stored = { text: remembered };
  const wayToTheLab = new Lab({
    store: session.store,
    engine: () => new ExtraEngine(loadVirtualEngineInNode),
    show: () => undefined,
    remembered: () => stored.text,
    remember: (text) => (stored.text = text),
    save: () => undefined,
    register: (commands) => session.commands.register(commands),
    start: () => Promise.resolve(),
  });
  const lab = await wayToTheLab.load();
  const parts = (
    <>
      <ExercisePath />
      <ExercisePanel />
      <input aria-label="Elsewhere" />
    </>
  );
  const view = await act(() => Promise.resolve(renderView(session, parts, { lab: wayToTheLab })));
  return { lab, stored, ...view };
}

const solution = (...ids: string[]) =>
  JSON.stringify({ version: 1, solved: Object.fromEntries(ids.map((id) => [id, ''])) });
const step = (name: RegExp) => screen.getByRole('button', { name });
const outcome = () => screen.getByRole('status', { name: 'Solution state' });

test('after a solution the next exercise has the focus, and leads to its title', async () => {
  const { lab, stored, user } = await renderExercises();
  act(() => lab.goToNextExercise());
  expect(screen.getByRole('heading', { name: /^Exercise 1: / })).toHaveFocus();
  act(() => lab.showModel());
  await act(() => lab.judge());
  expect(outcome()).toHaveTextContent('Solved. Exercises: 1 of 13 solved.');
  expect(JSON.parse(stored.text!)).toMatchObject({ solved: { '01-lost-update': lab.lab.source } });
  const next = step(/^Next exercise$/);
  expect(next).toHaveFocus();
  expect(next).toHaveAccessibleDescription('Solved. Exercises: 1 of 13 solved.');
  await user.keyboard('{Enter}');
  expect(screen.getByRole('heading', { name: /^Exercise 2: / })).toHaveFocus();
  expect(step(/^1.*, solved$/)).toBeVisible();
});

test('a reader elsewhere keeps the focus, and a change drops the outcome', async () => {
  const { lab } = await renderExercises();
  act(() => lab.openExercise('01-lost-update'));
  act(() => lab.showModel());
  screen.getByRole('textbox', { name: 'Elsewhere' }).focus();
  await act(() => lab.judge());
  expect(outcome()).toHaveTextContent(/^Solved/);
  expect(screen.getByRole('textbox', { name: 'Elsewhere' })).toHaveFocus();
  act(() => lab.edit(`${lab.lab.source}\n`));
  expect(outcome()).toBeEmptyDOMElement();
  expect(screen.queryByText('Met:')).toBeNull();
  expect(step(/^Next exercise$/)).toBeVisible();
});

test('the path is one tab stop, at the open exercise or the next one', async () => {
  const { lab, user } = await renderExercises(solution('01-lost-update'));
  const path = within(screen.getByRole('list', { name: 'Path' }));
  expect(path.getAllByRole('button').map(({ tabIndex }) => tabIndex)).toEqual([
    ...[-1, 0],
    ...Array.from({ length: 11 }, () => -1),
  ]);
  await user.tab();
  expect(step(/^2/)).toHaveFocus();
  await user.keyboard('{End}{ArrowRight}');
  expect(step(/^13/)).toHaveFocus();
  await user.keyboard('{Home}{ArrowRight}{ArrowRight}{Enter}');
  expect(lab.lab.exercise).toBe('03-poll-your-own-copy');
  expect(step(/^3/)).toHaveAttribute('aria-current', 'step');
  expect(screen.getByRole('heading', { name: /^Exercise 3: / })).toHaveFocus();
});
