import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { all_scenarios } from '../contract/all-scenarios';
import { paces } from '../session/commands';
import { tasksOf, lesson_paces, lesson_places, progressAt, runUpTo } from '../contract/lesson';
import { evidenceCommandId, inspectorTabs, type EvidenceTab } from '../features/evidence/evidence';
import { linkShown, parseLink } from '../session/link';
import { cuesOf } from '../features/presenter/presenter';
import { allLinkFields, pageForTest } from './page-fixture';
import { fil_mutex, machine, scenarios, undo_read } from '../contract/test-fixtures';

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const lesson = undo_read.lesson!;
/** Shows the bug of `lesson`, without an engine to run it. */
async function pageAtLesson() {
  const page = pageForTest();
  await page.session.openScenario(undo_read.manifest.id);
  return { ...page, guide: page.lesson };
}

const linkTo = (fragment: string) =>
  parseLink(`v=1&scenario=${undo_read.manifest.id}&${fragment}`, scenarios, machine, allLinkFields);

const withLesson = all_scenarios.filter(({ lesson: ofBug }) => ofBug !== null);

test.each(withLesson.map((scenario) => [scenario.manifest.bug, scenario] as const))(
  'every run in the lesson of #%i is one that the page can start, on the virtual server',
  (_bug, { manifest, lesson: ofBug }) => {
    const runs = ofBug!.steps.flatMap(tasksOf).flatMap(({ run }) => (run === null ? [] : [run]));
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) {
      const fragment = [['v', '1'], ['scenario', manifest.id], ...run]
        .map((pair) => pair.join('='))
        .join('&');
      expect(parseLink(fragment, all_scenarios, machine)).toMatchObject({
        ok: true,
        value: { spec: { scenario: manifest.id, platform: 'virtual' } },
      });
    }
  },
);

test('paces and places of lessons are those of the page', () => {
  expect(paces.map(({ id }) => id)).toEqual([...lesson_paces]);
  const forms = Object.values(inspectorTabs).flatMap((tab): readonly EvidenceTab[] => tab.forms);
  const places = lesson_places.filter((place) => place.startsWith('evidence.'));
  const commands: string[] = forms.map(evidenceCommandId);
  expect(commands).toEqual(expect.arrayContaining(places));
});

test('the run that a task is about is the last one started before it', () => {
  expect(runUpTo(lesson, 0)).toBeNull();
  expect(runUpTo(lesson, 4)?.run).toContainEqual(['at', '0.1:update_k']);
  expect(runUpTo(fil_mutex.lesson!, 4)?.run).not.toContainEqual(['parameters.tables', '1']);
  expect(runUpTo(fil_mutex.lesson!, 5)?.run).toContainEqual(['parameters.tables', '1']);
});

test('a step begins with its first observation, and keeps what was answered', () => {
  const before = { ...progressAt(lesson, 0), answers: { 0: 2 }, is_shown_by_run: true, tasks_done: 1 };
  expect(progressAt(lesson, 2, before)).toEqual({
    step: 2,
    answers: { 0: 2 },
    is_shown_by_run: true,
    explained: 'no',
    tasks_done: 0,
    is_doing: false,
    look: 0,
  });
  expect(progressAt(lesson, 0).look).toBeNull();
});

test('a lesson is opened, gone through, answered and closed', async () => {
  const { guide, state } = await pageAtLesson();
  const progress = () => state().lesson;
  guide.open();
  guide.answer(1);
  guide.answer(9);
  guide.turn(-1);
  expect(progress()).toMatchObject({ step: 0, answers: { 0: 1 } });
  guide.turn(1);
  guide.turn(1);
  guide.look(2);
  expect(progress()).toMatchObject({ step: 2, look: 2, answers: { 0: 1 } });
  guide.turn(9);
  expect(progress()!.step).toBe(2);
  guide.close();
  expect(progress()).toBeNull();
});

test('another bug closes the lesson, another platform does not', async () => {
  const { session, guide, state } = await pageAtLesson();
  guide.open(3);
  await session.openPlatform('virtual');
  expect(state().lesson?.step).toBe(3);
  await session.openScenario(fil_mutex.manifest.id);
  expect(state().lesson).toBeNull();
});

test('what can be done in a step is a command while the step is shown', async () => {
  const { session, guide } = await pageAtLesson();
  const ids = () => session.commands.all().map(({ id }) => id);
  expect(ids()).not.toContain('lesson.answer.1');
  guide.open(0);
  expect(ids()).toEqual(expect.arrayContaining(['lesson.answer.1', 'lesson.answer.3']));
  guide.open(5);
  expect(ids()).toEqual(expect.arrayContaining(['lesson.do.1', 'lesson.do.4', 'lesson.look.1']));
  expect(ids()).not.toContain('lesson.do.5');
});

test('a link names the step from 1, and the presenter; without them it is as short as before', async () => {
  const { session, guide, presenter, state } = await pageAtLesson();
  const shown = () => linkShown(state(), session.linkFields)!;
  expect(shown()).not.toMatch(/lesson|presenter/);
  guide.open(2);
  presenter.turn(true);
  expect(shown()).toContain('&lesson=3&presenter=1&');
  expect(parseLink(shown(), scenarios, machine, allLinkFields)).toMatchObject({
    ok: true,
    value: { ofFeatures: { lessonStep: 2, isPresenting: true }, spec: state().draftSpec },
  });
  expect(linkTo('')).toMatchObject({ value: { ofFeatures: { lessonStep: null, isPresenting: false } } });
});

test.each(['lesson=0', 'lesson=8', 'lesson=two', 'lesson=', 'presenter=yes'])(
  'a link with %s is refused',
  (pair) => {
    const [field, value] = pair.split('=');
    const allowed = field === 'lesson' ? '1 to 7' : '1, or no such field';
    expect(linkTo(pair)).toEqual({ ok: false, errors: [{ field, value, allowed }] });
  },
);

test('a link opens and closes the lesson and the presenter', async () => {
  const { session, state } = await pageAtLesson();
  await session.openLink(linkTo('lesson=3&presenter=1'));
  expect(state()).toMatchObject({ lesson: { step: 2 }, presenter: { is_on: true } });
  await session.openLink(linkTo(''));
  expect(state()).toMatchObject({ lesson: null, presenter: { is_on: false } });
});

test('the cues are the run, the actions that the report’s figures depend on, the fix and the bug', () => {
  expect(cuesOf(undo_read.manifest).map(({ command }) => command)).toEqual([
    'run.start',
    'action.update_k',
    'design.fixed',
    'design.original',
  ]);
  expect(cuesOf(fil_mutex.manifest).map(({ command }) => command)).toEqual([
    'run.start',
    'design.fixed',
    'design.original',
  ]);
});

test('a cue that is impossible now is not skipped', async () => {
  const { session, presenter, state } = await pageAtLesson();
  presenter.turn(true);
  session.store.setState({ draftErrors: [{ field: 'threads', value: '0', allowed: 'more' }] });
  await presenter.next();
  expect(state().presenter.cues_done).toBe(0);
  presenter.previous();
  expect(state().presenter.cues_done).toBe(0);
});

test('the remote turns to the next step of an open lesson, and back', async () => {
  const { guide, presenter, state } = await pageAtLesson();
  guide.open(2);
  presenter.turn(true);
  await presenter.next();
  expect(state().lesson?.step).toBe(3);
  presenter.previous();
  expect(state().lesson?.step).toBe(2);
});

test('the remote walks every step and does one thing at a time; while the run has not come to its break, it waits', async () => {
  const { session, guide, presenter, state } = await pageAtLesson();
  const done: number[] = [];
  vi.spyOn(guide, 'do').mockImplementation((index) => {
    done.push(state().lesson!.step);
    const lesson = { ...state().lesson!, tasks_done: index + 1 };
    session.store.setState({ lesson } as object);
    return Promise.resolve();
  });
  guide.open(0);
  presenter.turn(true);
  const walked = [0];
  for (let presses = 0; presses < 30; presses += 1) {
    const { step } = state().lesson!;
    await presenter.next();
    if (state().lesson!.step !== step) walked.push(state().lesson!.step);
  }
  expect(walked).toEqual(lesson.steps.map((_, step) => step));
  const tasks = lesson.steps.flatMap((step, index) => tasksOf(step).map(() => index));
  expect(done).toEqual(tasks);
  expect(presenter.comingInWords()).toBe('End of lesson');
});
