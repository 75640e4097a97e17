// What a scenario's lesson.md says, as web/build/lesson.ts reads it; docs/guide/writing-lessons.md describes the form.

/** What a lesson can point at: a panel of the explorer, or a tab of the evidence. */
export const lesson_places = [
  'design',
  'tiles',
  'throughput',
  'latency',
  'time',
  'lanes',
  'actions',
  'log',
  'evidence.latches',
  'evidence.stacks',
  'evidence.blocked_stack',
  'evidence.cpu',
  'evidence.sysbench',
  'evidence.server_log',
  'evidence.counters',
  'evidence.flame',
  'evidence.source',
  'evidence.reported',
  'evidence.chain',
  'chain.states',
  'chain.whole',
  'result',
] as const;
export type LessonPlace = (typeof lesson_places)[number];

/** Ids of the paces at which virtual time can pass; a lesson names them. */
export const lesson_paces = ['fast', '1s', '10ms', '1ms', '100us'] as const;
export type PaceId = (typeof lesson_paces)[number];

export interface Lesson {
  title: string;
  steps: LessonStep[];
}

export interface LessonStep {
  title: string;
  blocks: LessonBlock[];
}

/**
 * What a step is made of, in the order of the file. HTML comes from Markdown, never from a file's own HTML; in the page it is the
 * number of a text that is loaded with the first lesson or story (web/build/scenarios.ts).
 */
export type LessonBlock =
  | { kind: 'prose'; html: string }
  | ({ kind: 'question' } & LessonQuestion)
  | ({ kind: 'do' } & LessonTask)
  | ({ kind: 'look' } & LessonObservation)
  // The picture of the bug, and what to look at in it.
  | { kind: 'picture'; html: string }
  // The explained transaction from part to part, and what to look for on the way.
  | { kind: 'walk'; html: string };

export interface LessonQuestion {
  html: string;
  choices: LessonChoice[];
}

export interface LessonChoice {
  html: string;
  is_right: boolean;
  /** Shown once a run has shown it. */
  why_html: string;
}

/** A transaction of the run that stands, to be explained (docs/guide/explain.md). */
export interface ChosenTransaction {
  which: 'slowest' | 'p99';
  /** Of those that ended in it; null: of all. */
  window: { from_s: number; to_s: number } | null;
}

/** What a button does: start a run, send commands to the current one, or explain a transaction of it. */
export interface LessonTask {
  title: string;
  /** Pairs as in a link, without v and scenario; null: no new run. */
  run: [string, string][] | null;
  commands: string[];
  /** null: nothing is explained. */
  explain: ChosenTransaction | null;
  /** How fast virtual time passes until the run waits; null: as the reader has set it. */
  pace: string | null;
  /** How much run time later the run waits for the reader. */
  pause_after_s: number | null;
}

export interface LessonObservation {
  place: LessonPlace;
  html: string;
}

/** Where a reader is in the lesson of the scenario that is shown. */
export interface LessonProgress {
  /** Index of the step. */
  step: number;
  /** Index of the choice, by index of the step. */
  answers: Readonly<Record<number, number>>;
  /** A run of the lesson has shown what the question asked for. */
  is_shown_by_run: boolean;
  /** Whether a transaction has been explained that the lesson asks for. */
  explained: 'no' | 'under_way' | 'yes';
  /** How many tasks of this step have been done, as a slide remote goes through them. */
  tasks_done: number;
  /** The last of them is running: its run neither waits for the reader yet nor has ended. */
  is_doing: boolean;
  /** Index of the observation that is pointed at, among those of the step. */
  look: number | null;
}

export const tasksOf = ({ blocks }: LessonStep): LessonTask[] =>
  blocks.filter((block) => block.kind === 'do');
export const observationsOf = ({ blocks }: LessonStep): LessonObservation[] =>
  blocks.filter((block) => block.kind === 'look');
export const questionOf = ({ blocks }: LessonStep): LessonQuestion | null =>
  blocks.find((block) => block.kind === 'question') ?? null;

/** At the beginning of a step, with its first observation pointed out. */
export function progressAt(
  lesson: Lesson,
  step: number,
  before: LessonProgress | null = null,
): LessonProgress {
  const looks = observationsOf(lesson.steps[step]!);
  return {
    step,
    answers: before?.answers ?? {},
    is_shown_by_run: before?.is_shown_by_run ?? false,
    explained: before?.explained ?? 'no',
    tasks_done: 0,
    is_doing: before?.is_doing ?? false,
    look: looks.length === 0 ? null : 0,
  };
}

/** The run that a task is about: the last one that a step up to it starts. */
export function runUpTo(lesson: Lesson, step: number): LessonTask | null {
  const tasks = lesson.steps.slice(0, step + 1).flatMap(tasksOf);
  return tasks.findLast(({ run }) => run !== null) ?? null;
}
