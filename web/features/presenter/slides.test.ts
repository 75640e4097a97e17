import { texts } from 'virtual:scenario-texts';
import { expect, test } from 'vitest';

import { all_scenarios } from '../../contract/all-scenarios';
import { observationsOf, questionOf, tasksOf, type Lesson } from '../../contract/lesson';
import { sentencesOf, slidesOf } from './slides';

const textOf = (field: string) => texts[Number(field)] ?? field;
const withLesson = all_scenarios.filter(({ lesson }) => lesson !== null);
const LETTERS_MAX = 190;

test.each(withLesson.map((scenario) => [scenario.manifest.bug, scenario.lesson!] as const))(
  'every question, answer, task and observation in the lesson of #%i is a slide, in order',
  (_bug, lesson) => {
    const slides = slidesOf(lesson, textOf);
    const titlesOf = (kind: string) =>
      slides.filter((slide) => slide.kind === kind).map(({ title }) => title);
    const questions = lesson.steps.flatMap((step) => questionOf(step) ?? []);
    expect(slides[0]!.kind).toBe('opening');
    expect(titlesOf('task')).toEqual(lesson.steps.flatMap(tasksOf).map(({ title }) => title));
    expect(titlesOf('question')).toEqual(questions.map(({ html }) => textOf(html)));
    const right = questions.map(({ choices }) => textOf(choices.find(({ is_right }) => is_right)!.html));
    expect(titlesOf('answer')).toEqual(right);
    expect(titlesOf('look')).toHaveLength(lesson.steps.flatMap(observationsOf).length);
    expect(new Set(slides.map(({ step }) => step)).size).toBe(lesson.steps.length);
    const steps = slides.map(({ step }) => step);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  },
);

test.each(withLesson.map((scenario) => [scenario.manifest.bug, scenario.lesson!] as const))(
  'no slide of #%i says more than a title and one sentence, both short enough to read',
  (_bug, lesson) => {
    for (const { title, sentence } of slidesOf(lesson, textOf)) {
      for (const html of [title, sentence ?? 'x']) {
        const text = html.replaceAll(/<[^>]+>/g, '');
        expect(openElements(html), html).toEqual([]);
        expect(text.length, html).toBeGreaterThan(0);
        expect(text.length, html).toBeLessThanOrEqual(LETTERS_MAX);
      }
      expect(sentencesOf(sentence ?? ''), title).toHaveLength(sentence === null ? 0 : 1);
    }
  },
);

/** Returns the elements that begin or end outside of the text. */
function openElements(html: string): string[] {
  const open: string[] = [];
  for (const [, slash, name] of html.matchAll(/<(\/?)(\w+)[^>]*>/g)) {
    if (slash === '') open.push(name!);
    else if (open.at(-1) === name) open.pop();
    else open.push(`/${name}`);
  }
  return open;
}

const choice = (html: string, isRight: boolean) => ({
  ...{ html, is_right: isRight, why_html: `Because ${html}. More.` },
});
const task = (title: string) => ({
  ...{ kind: 'do' as const, title, commands: [], explain: null, pace: null, pause_after_s: null },
  run: [['platform', 'virtual'] as [string, string]],
});

const lesson: Lesson = {
  title: 'A < B',
  steps: [
    {
      title: 'Predict',
      blocks: [
        { kind: 'prose', html: '<p>First. Second.</p>' },
        { kind: 'question', html: 'What?', choices: [choice('no', false), choice('yes', true)] },
      ],
    },
    { title: 'Run', blocks: [task('Run it'), { kind: 'prose', html: '<p>Wait.</p>' }] },
    {
      title: 'Look',
      blocks: [{ kind: 'look', place: 'time', html: '<code>a</code> falls. <em>Why?</em> So.' }],
    },
    { title: 'Words', blocks: [{ kind: 'prose', html: '<p>Only words. And more.</p>' }] },
    {
      title: 'Compare',
      blocks: [{ kind: 'prose', html: '<p>Rates per second. More:</p>\n<table><tr><td>1</td></tr></table>' }],
    },
  ],
};

test('the answer follows the run that shows it, and a text alone is a slide', () => {
  const slides = slidesOf(lesson, (html) => html);
  expect(slides.map(({ kind, title, sentence }) => [kind, title, sentence])).toEqual([
    ['opening', 'A &lt; B', 'First.'],
    ['question', 'What?', null],
    ['task', 'Run it', null],
    ['answer', 'yes', 'Because yes.'],
    ['look', '<code>a</code> falls.', '<em>Why?</em>'],
    ['text', 'Words', 'Only words.'],
    ['table', 'Compare', 'Rates per second.'],
  ]);
  expect(slides[3]).toMatchObject({ step: 1, letter: 'B' });
});

test('sentences end before a capital, a quotation or code', () => {
  expect(
    sentencesOf('MySQL 8.0.18 runs. It said "stop." <code>x</code> is 5.2 s. "Quoted" <b>end.</b> Next.'),
  ).toEqual([
    'MySQL 8.0.18 runs.',
    'It said "stop."',
    '<code>x</code> is 5.2 s.',
    '"Quoted" <b>end.</b>',
    'Next.',
  ]);
});
