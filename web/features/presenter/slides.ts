// Derives the slides of a bug from its lesson: each question, answer, task, observation and picture
// is one slide. What a slide says are the first sentences of that block.
import { tasksOf, type Lesson, type LessonBlock, type LessonPlace } from '../../contract/lesson';
import type { LessonChoice, LessonQuestion, LessonStep, LessonTask } from '../../contract/lesson';

/** What every slide has. Titles and sentences are HTML. */
interface SlideWords {
  /** Index of the lesson's step. */
  step: number;
  title: string;
  /** At most one sentence below the title. */
  sentence: string | null;
}

/** Kinds of slides, with what each shows below its title. */
type SlideContent =
  | { kind: 'opening' | 'picture' | 'walk' | 'text' }
  | { kind: 'question'; choices: readonly string[] }
  | { kind: 'answer'; letter: string }
  /** `task` is its index in the step. */
  | { kind: 'task'; task: number; content: LessonTask }
  /** `look` is its index in the step. `words` is the whole observation. */
  | { kind: 'look'; look: number; place: LessonPlace; words: string }
  | { kind: 'table'; table: string };

export type Slide = SlideWords & SlideContent;
export type TaskSlide = Extract<Slide, { kind: 'task' }>;

/** Returns the HTML of a lesson's field. */
type TextOf = (field: string) => string;

export function slidesOf(lesson: Lesson, textOf: TextOf): Slide[] {
  const [first] = lesson.steps;
  const opening: Slide = {
    ...{ kind: 'opening', step: 0, title: escaped(lesson.title) },
    sentence: first === undefined ? null : (firstProse(first, textOf)[0] ?? null),
  };
  return [opening, ...new SlideWriter(textOf).slidesOf(lesson)];
}

class SlideWriter {
  readonly #textOf: TextOf;
  readonly #slides: Slide[] = [];
  /** The slide that answers the last question, until it has its place. */
  #answer: Slide | null = null;

  constructor(textOf: TextOf) {
    this.#textOf = textOf;
  }

  slidesOf(lesson: Lesson): Slide[] {
    for (const [step, { title, blocks }] of lesson.steps.entries()) {
      const before = this.#slides.length;
      for (const block of blocks) this.#add(block, lesson.steps[step]!, step);
      const isEmpty = this.#slides.length === before && blocks.some(({ kind }) => kind === 'prose');
      const [sentence = null] = firstProse(lesson.steps[step]!, this.#textOf);
      if (isEmpty) this.#push({ kind: 'text', step, title: escaped(title), sentence });
    }
    this.#placeAnswer();
    return this.#slides;
  }

  #add(block: LessonBlock, lessonStep: LessonStep, step: number): void {
    const title = escaped(lessonStep.title);
    switch (block.kind) {
      case 'prose':
        this.#addTables(this.#textOf(block.html), title, step);
        break;
      case 'question':
        this.#addQuestion(block, step);
        break;
      case 'do': {
        // The answer follows the runs that show it.
        const task = tasksOf(lessonStep).indexOf(block);
        const words = { step, title: escaped(block.title), sentence: null };
        this.#slides.push({ ...words, kind: 'task', task, content: block });
        break;
      }
      case 'look': {
        const look = lessonStep.blocks.filter(({ kind }) => kind === 'look').indexOf(block);
        const words = this.#textOf(block.html);
        this.#push({ ...titled(step, words), kind: 'look', look, place: block.place, words });
        break;
      }
      case 'picture':
        this.#push({ ...titled(step, this.#textOf(block.html)), kind: 'picture' });
        break;
      case 'walk': {
        const [sentence = null] = sentencesOf(this.#textOf(block.html));
        this.#push({ kind: 'walk', step, title, sentence });
        break;
      }
    }
  }

  #addTables(html: string, title: string, step: number): void {
    for (const [table] of html.matchAll(/<table>[^]*?<\/table>/g))
      this.#push({ kind: 'table', step, title, sentence: sentenceBefore(html, table), table });
  }

  #addQuestion({ html, choices }: LessonQuestion, step: number): void {
    const texts = choices.map((choice) => this.#textOf(choice.html));
    this.#push({ kind: 'question', step, title: this.#textOf(html), sentence: null, choices: texts });
    this.#answer = this.#answerOf(choices, step);
  }

  #answerOf(choices: readonly LessonChoice[], step: number): Slide {
    const right = choices.findIndex(({ is_right }) => is_right);
    const { html, why_html } = choices[right]!;
    const [sentence = null] = sentencesOf(this.#textOf(why_html));
    return { kind: 'answer', step, title: this.#textOf(html), sentence, letter: letterOf(right) };
  }

  #push(slide: Slide): void {
    this.#placeAnswer();
    this.#slides.push(slide);
  }

  #placeAnswer(): void {
    const answer = this.#answer;
    if (answer === null) return;
    this.#answer = null;
    // After a run in a later step, it belongs to that step.
    this.#slides.push({ ...answer, step: this.#slides.at(-1)?.step ?? answer.step });
  }
}

export const letterOf = (choice: number) => String.fromCodePoint(65 + choice);

function titled(step: number, html: string): SlideWords {
  const [title = '', sentence = null] = sentencesOf(html);
  return { step, title, sentence };
}

/** Returns the sentences of a text in HTML. Tags stay with the sentence that they are in. */
export const sentencesOf = (html: string): string[] =>
  html
    .trim()
    .split(/(?<=[.?!]["”’)]?(?:<\/\w+>)*)\s+(?=["“(]*[A-Z<])/)
    .filter((sentence) => sentence !== '');

const firstProse = ({ blocks }: LessonStep, textOf: TextOf): string[] => {
  const prose = blocks.find((block) => block.kind === 'prose');
  return prose === undefined ? [] : paragraphsOf(textOf(prose.html)).flatMap(sentencesOf);
};

const paragraphsOf = (html: string) => [...html.matchAll(/<p>([^]*?)<\/p>/g)].map(([, inner]) => inner!);

/** Returns the first sentence of the paragraph before a table. */
function sentenceBefore(html: string, table: string): string | null {
  const paragraphs = paragraphsOf(html.slice(0, html.indexOf(table)));
  return sentencesOf(paragraphs.at(-1) ?? '')[0] ?? null;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
