import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { Presenter, type PresentersGuide } from './presenter';
import { PresenterBar } from './presenter-bar';
import { presenterCommands, presenterFeature } from './index';
import { fakeEngines, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';

const noLesson: PresentersGuide = {
  comingInWords: () => null,
  advance: () => Promise.resolve(),
  turn: () => undefined,
};

function shown(guide = noLesson) {
  const { engines, loaders } = fakeEngines();
  const session = sessionForTest({ features: [presenterFeature], loaders });
  const presenter = new Presenter(session, guide);
  session.commands.register(presenterCommands(presenter, session, () => Promise.resolve(false)));
  const view = (
    <>
      <PresenterBar />
      <input aria-label="A field" />
    </>
  );
  return { session, presenter, engines, ...renderView(session, view, { presenter }) };
}

const bar = () => screen.queryByRole('region', { name: 'Presenter' });
const design = (page: ReturnType<typeof shown>) =>
  page.session.store.getState().draft.design.tablespace_lookup;

test('without a lesson the remote runs, fixes and breaks, and names the next cue', async () => {
  const page = shown();
  const { session, presenter, user } = page;
  expect(bar()).toBeNull();
  presenter.turn(true);
  expect(await screen.findByRole('status')).toHaveTextContent('Run');
  expect(document.documentElement).toHaveAttribute('data-presenter');
  await user.keyboard('{PageDown}');
  await waitFor(() => expect(session.store.getState().run_state).toBe('running'));
  expect(screen.getByRole('status')).toHaveTextContent('Design: One atomic word (the fix)');
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(design(page)).toBe('atomic_word'));
  await user.keyboard('{PageDown}');
  await waitFor(() => expect(design(page)).toBe('global_mutex'));
  expect(screen.getByRole('status')).toHaveTextContent('End of lesson');
  await user.keyboard('{PageUp}');
  expect(screen.getByRole('status')).toHaveTextContent('Design: MySQL 5.6 (the bug)');
});

test.each(['.', '{Escape}'])('%s leaves', async (key) => {
  const { presenter, user } = shown();
  presenter.turn(true);
  expect(await screen.findByRole('region', { name: 'Presenter' })).toBeVisible();
  await user.keyboard(key);
  expect(bar()).toBeNull();
  expect(document.documentElement).not.toHaveAttribute('data-presenter');
});

test('a lesson that is open leads', async () => {
  const done: string[] = [];
  const { presenter, user } = shown({
    comingInWords: () => 'Next: Explain',
    advance: () => Promise.resolve(void done.push('advance')),
    turn: (steps) => void done.push(`turn ${steps}`),
  });
  presenter.turn(true);
  expect(await screen.findByRole('status')).toHaveTextContent('Next: Explain');
  await user.keyboard('{PageDown}{PageUp}');
  expect(done).toEqual(['advance', 'turn -1']);
});

test('arrows and a full stop keep their meaning in a field', async () => {
  const { presenter, user, session } = shown();
  presenter.turn(true);
  await user.type(screen.getByRole('textbox', { name: 'A field' }), '.{ArrowRight}');
  expect(bar()).toBeVisible();
  expect(session.store.getState().run_state).toBe('idle');
});

test('if the browser refuses full screen, the page says so', async () => {
  const { session, presenter, user } = shown();
  presenter.turn(true);
  await user.click(await screen.findByRole('button', { name: 'Full screen' }));
  expect(session.store.getState().announcement).toBe('This browser has no full screen');
});
