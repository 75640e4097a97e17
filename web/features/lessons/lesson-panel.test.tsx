import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { all_scenarios } from '../../contract/all-scenarios';
import { fil_mutex, undo_read } from '../../contract/test-fixtures';
import { lessonsFeature } from './index';
import { lessonCommands } from './guidance-commands';
import { LessonGuide, type LessonPorts } from './lesson-guide';
import LessonPanel from './lesson-panel';
import { reasonAgainst } from '../../session/command-registry';
import { drawnRows } from '../../session/test-fixtures/drawn-run';
import { fakeEngines, registerStandIns, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { pretendPhone } from '../../widgets/test-fixtures/pretend-phone';
import { renderView } from '../../widgets/test-fixtures/render-view';

const noExplanation: LessonPorts = {
  explainChosen: () => Promise.reject(new Error('nothing is explained here')),
  whyNotExplained: () => 'No run yet.',
};

/** The explanation is shown in a panel of its own. */
const OnceExplained = () =>
  useExplorer((state) => state.lesson?.explained === 'yes') && <div className="chain-states" />;

async function lessonOf(scenario: typeof undo_read, step = 0, ports = noExplanation) {
  const { engines, loaders } = fakeEngines();
  const session = sessionForTest({ features: [lessonsFeature], loaders, scenarios: all_scenarios });
  const guide = new LessonGuide(session, ports);
  session.commands.register(lessonCommands(guide, session));
  registerStandIns(session, 'evidence.latches', 'evidence.reported', 'evidence.flame', 'evidence.source');
  registerStandIns(session, 'evidence.chain', 'evidence.blocked_stack');
  await session.openScenario(scenario.manifest.id);
  guide.open(step);
  const view = (
    <>
      <LessonPanel picture={<p>the picture</p>} walk={<p>the walk</p>} />
      <Panel title="Throughput">{null}</Panel>
      <OnceExplained />
    </>
  );
  return { session, guide, engines, ...renderView(session, view) };
}

const step = (title: string) => screen.getByRole('region', { name: `Step: ${title}` });
const button = (name: string) => screen.getByRole('button', { name });

test('an opened lesson has the focus; arrows change the step, except where they choose an answer', async () => {
  const { user } = await lessonOf(undo_read);
  expect(screen.getByRole('heading', { level: 2, name: /^Lesson: / })).toHaveFocus();
  expect(screen.getByText(/^Step 1 of 7/)).toBeVisible();
  await user.keyboard('{ArrowRight}');
  expect(step('Run')).toBeVisible();
  await user.keyboard('{ArrowLeft}');
  const [first, second] = within(step('Predict')).getAllByRole('radio');
  await user.click(first!);
  await user.keyboard('{ArrowRight}');
  expect(second).toBeChecked();
  expect(step('Predict')).toHaveTextContent('Answer stored. The run will show the result.');
});

test('the expected answer is compared with the result once a run has shown it', async () => {
  const { session, guide } = await lessonOf(undo_read);
  const store = session.store;
  const { choices } = undo_read.lesson!.steps[0]!.blocks.find((block) => block.kind === 'question')!;
  const lookAfter = async (answer: { isRight: boolean }) => {
    guide.open(0);
    guide.answer(choices.findIndex(({ is_right }) => is_right === answer.isRight));
    guide.open(2);
    return screen.findByRole('region', { name: 'Step: Look' });
  };
  expect(await lookAfter({ isRight: false })).not.toHaveTextContent('You expected');
  store.setState(({ lesson }) => ({ lesson: { ...lesson!, is_shown_by_run: true } }));
  const afterWrong = await lookAfter({ isRight: false });
  expect(afterWrong).toHaveTextContent('You expected: ');
  expect(afterWrong).toHaveTextContent('What happened: It falls to one or two hundredths.');
  expect(await lookAfter({ isRight: true })).toHaveTextContent(
    'As you expected: It falls to one or two hundredths.',
  );
});

test('a task runs what the lesson says, and works by keyboard', async () => {
  const { session, engines, user } = await lessonOf(fil_mutex, 4);
  button('One look-up, then a pin').focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(session.store.getState()).toMatchObject({ run_state: 'running' }));
  expect(engines).toHaveLength(1);
  expect(session.store.getState().spec).toMatchObject({
    platform: 'virtual',
    design: { tablespace_lookup: 'single_lookup_pin' },
    parameters: { client_gap_us: 30 },
  });
});

test('an observation points at its panel for as long as it is chosen', async () => {
  const { user } = await lessonOf(undo_read, 2);
  const throughput = screen.getByRole('region', { name: 'Throughput' });
  const show = button('Show throughput');
  // Opening a step selects its first observation.
  expect(show).toHaveAttribute('aria-pressed', 'true');
  expect(throughput).toHaveAttribute('data-is-pointed-at', 'true');
  await user.click(show);
  expect(show).toHaveAttribute('aria-pressed', 'false');
  expect(throughput).not.toHaveAttribute('data-is-pointed-at');
});

test('the lesson is closed by its button', async () => {
  const { session, user } = await lessonOf(undo_read, 3);
  await user.click(button('Close lesson'));
  expect(screen.queryByRole('region', { name: /^Step/ })).toBeNull();
  expect(session.store.getState()).toMatchObject({ lesson: null });
});

const progressIn = (session: Awaited<ReturnType<typeof lessonOf>>['session']) =>
  session.store.getState().lesson!;

test('until the run of a task has come to its break, nothing counts as shown', async () => {
  const { session, guide, engines } = await lessonOf(undo_read, 1);
  await guide.do(0);
  expect(progressIn(session)).toMatchObject({ step: 1, is_doing: true, is_shown_by_run: false });
  engines[0]!.block.setHeader('run_ns', 0.85e9);
  session.history.append({ ...drawnRows[0]!, t_s: 0.85 });
  await waitFor(() => expect(session.store.getState().run_state).toBe('paused'));
  expect(progressIn(session)).toMatchObject({ is_doing: false, is_shown_by_run: true });
});

test('a run of a task that is lost with its engine has shown nothing', async () => {
  const { session, guide, engines } = await lessonOf(undo_read, 1);
  await guide.do(0);
  const { spec } = session.store.getState();
  engines[0]!.fail('pins > 0');
  await waitFor(() =>
    expect(session.store.getState()).toMatchObject({ run_state: 'idle', engine_status: 'ready' }),
  );
  await session.startRun({ ...spec!, seed: 7 });
  expect(progressIn(session)).toMatchObject({ is_doing: false, is_shown_by_run: false });
});

const xa = all_scenarios.find(({ manifest }) => manifest.bug === 99638)!;
const stepOf = (title: string) => xa.lesson!.steps.findIndex((one) => one.title === title);
const states = () => document.querySelector<HTMLElement>('.chain-states')!;

test('a transaction is explained in the run that stands; only then is told what was expected of it, and its place shown', async () => {
  const asked: unknown[] = [];
  let explained: () => void = () => undefined;
  const { session, guide, user } = await lessonOf(xa, stepOf('Look'), {
    explainChosen: (chosen) => {
      asked.push(chosen);
      return new Promise<void>((resolve) => (explained = resolve));
    },
    whyNotExplained: () => null,
  });
  const runState = () => session.store.getState().run_state;
  const before = runState();
  session.store.setState(({ lesson }) => ({
    lesson: { ...lesson!, is_shown_by_run: true },
  }));
  await user.click(screen.getAllByRole('radio')[1]!);
  await user.click(button('Next'));
  const one = () => step('One XA transaction');
  expect(one()).not.toHaveTextContent('You expected');
  await user.click(button('Explain the slowest of the 400 clients'));
  expect(asked).toEqual([{ which: 'slowest', window: { from_s: 0, to_s: 3 } }]);
  expect(one()).toHaveTextContent('Explanation running');
  act(explained);
  await waitFor(() => {
    expect(one()).toHaveTextContent('Explained');
  });
  expect(one()).toHaveTextContent('You expected: It waits for the disk');
  expect(one()).toHaveTextContent('What happened: It sleeps in a commit group');
  expect(states()).toHaveAttribute('data-is-pointed-at', 'true');
  expect(runState()).toBe(before);
  act(() => guide.turn(1));
  expect(step('From its end to its beginning')).toHaveTextContent('the walk');
});

test('while there is nothing to explain its button is gray and says why; a refusal leaves the task to be done', async () => {
  const { session, guide } = await lessonOf(xa, stepOf('One XA transaction'));
  const explain = button('Explain the slowest of the 400 clients');
  expect(explain).toHaveAttribute('aria-disabled', 'true');
  expect(reasonAgainst(session.commands.find('lesson.do.1'), session.store.getState())).toBe('No run yet.');
  await expect(guide.do(0)).rejects.toThrow('nothing is explained here');
  const { lesson } = session.store.getState();
  expect(lesson).toMatchObject({ tasks_done: 0, explained: 'no' });
});

test('on a phone the question comes first, and the sheet can be lowered and raised', async () => {
  pretendPhone();
  const { user, container } = await lessonOf(undo_read);
  const body = step('Predict');
  expect(body.querySelector('fieldset, .lesson-prose')).toBe(within(body).getByRole('group'));
  const sheet = container.querySelector('.lesson');
  expect(sheet).toHaveAttribute('data-is-lowered', 'false');
  await user.click(button('Lower lesson'));
  expect(sheet).toHaveAttribute('data-is-lowered', 'true');
  await user.click(button('Raise lesson'));
  expect(sheet).toHaveAttribute('data-is-lowered', 'false');
});
