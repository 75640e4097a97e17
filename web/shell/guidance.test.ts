import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { all_scenarios } from '../contract/all-scenarios';
import { paces } from '../session/commands';
import { tasksOf, lesson_paces, lesson_places, progressAt, runUpTo } from '../contract/lesson';
import { evidenceCommandId, inspectorTabs, type EvidenceTab } from '../features/evidence/evidence';
import { linkShown, parseLink } from '../session/link';
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

test.each(all_scenarios.map(({ manifest }) => [manifest.id]))(
  'every run of %s can be skipped to its recorded result',
  async (id) => {
    const { session, lesson: guide, presenter, state } = pageForTest({ scenarios: all_scenarios });
    await session.openScenario(id);
    vi.spyOn(guide, 'perform').mockResolvedValue();
    presenter.start();
    const slides = await presenter.loadSlides();
    slides.begin();
    await expect.poll(() => slides.stage).not.toBeNull();
    const found: string[] = [];
    while (state().presenter.slide + 1 < slides.slides.length) {
      slides.next();
      const { slide } = slides;
      if (slide?.kind !== 'task') continue;
      if (slides.resultToSkipTo() !== null) found.push(slide.content.title);
      await expect.poll(() => slides.work).toBeNull();
    }
    const runs = state()
      .scenario.lesson!.steps.flatMap(tasksOf)
      .filter(({ explain }) => explain === null);
    expect(found).toEqual(runs.map(({ title }) => title));
  },
);

test('a link names the step from 1, and the presenter; without them it is as short as before', async () => {
  const { session, guide, presenter, state } = await pageAtLesson();
  const shown = () => linkShown(state(), session.linkFields)!;
  expect(shown()).not.toMatch(/lesson|presenter/);
  guide.open(2);
  presenter.start();
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

test('the slides begin at the open step, and leave the view and the lesson as they were', async () => {
  const { session, guide, presenter, state } = await pageAtLesson();
  guide.open(2);
  session.openView('stage');
  presenter.toggle();
  const slides = await presenter.loadSlides();
  const end = slides.begin();
  expect(slides.slide).toMatchObject({ step: 2, kind: 'look', look: 0 });
  expect(state()).toMatchObject({ view: 'explorer', presenter: { is_on: true } });
  end();
  presenter.toggle();
  expect(state()).toMatchObject({ view: 'stage', lesson: { step: 2 }, presenter: { is_on: false } });
});

test('slides of a closed lesson continue where they were left, until another bug is shown', async () => {
  const { session, presenter, state } = await pageAtLesson();
  presenter.start();
  const slides = await presenter.loadSlides();
  slides.begin()();
  slides.next();
  const { slide } = state().presenter;
  presenter.leave();
  expect(state().lesson).toBeNull();
  presenter.start();
  slides.begin()();
  expect(state().presenter).toEqual({ is_on: true, slide, slides: slides.slides.length });
  await session.openScenario(fil_mutex.manifest.id);
  expect(state()).toMatchObject({ lesson: null, presenter: { is_on: false, slide: 0 } });
});

test('another view ends the slides', async () => {
  const { session, presenter, state } = await pageAtLesson();
  presenter.start();
  session.openView('lab');
  expect(state()).toMatchObject({ view: 'lab', presenter: { is_on: false } });
});

test('on the start page, the slides ask for a bug', async () => {
  const { session, presenter, state } = await pageAtLesson();
  session.openView('front');
  presenter.toggle();
  expect(state()).toMatchObject({ dialog: 'present', presenter: { is_on: false } });
  await presenter.present(fil_mutex.manifest.id);
  expect(state()).toMatchObject({ view: 'explorer', presenter: { is_on: true }, lesson: { step: 0 } });
  expect(state().scenario.manifest.id).toBe(fil_mutex.manifest.id);
});

test.each(withLesson.map(({ manifest }) => [manifest.bug, manifest.id] as const))(
  'one key walks all slides of #%i, and performs each task of the lesson once and in order',
  async (_bug, id) => {
    const { session, lesson: guide, presenter, state } = pageForTest({ scenarios: all_scenarios });
    await session.openScenario(id);
    const performed: string[] = [];
    vi.spyOn(guide, 'perform').mockImplementation((step, task) => {
      performed.push(tasksOf(state().scenario.lesson!.steps[step]!)[task]!.title);
      return Promise.resolve();
    });
    presenter.start();
    const slides = await presenter.loadSlides();
    slides.begin();
    const steps = new Set([state().lesson!.step]);
    for (let press = 1; press < slides.slides.length; press += 1) {
      slides.next();
      expect(state().presenter.slide).toBe(press);
      steps.add(state().lesson!.step);
      const { slide } = slides;
      if (slide?.kind === 'task') await expect.poll(() => performed.at(-1)).toBe(slide.content.title);
    }
    slides.next();
    expect(state().presenter.slide).toBe(slides.slides.length - 1);
    const { steps: all } = state().scenario.lesson!;
    expect([...steps]).toEqual(all.map((_, step) => step));
    const titles = all.flatMap(tasksOf).map(({ title }) => title);
    expect(performed).toEqual(titles);
    slides.previous();
    slides.next();
    expect(performed).toEqual(titles);
  },
);
