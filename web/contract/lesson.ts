// Defines the content of a scenario's lesson.md, as web/build/lesson.ts reads it;
// docs/guide/writing-lessons.md describes the format.

/** Places that a lesson can point at: panels of the explorer, or tabs of the evidence. */
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

/** Ids of the paces of virtual time; a lesson names them. */
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
 * A block of a step, in the order of the file. HTML is rendered from Markdown; HTML in the file
 * itself is not used. In the page, it is the number of a text that loads with the first lesson or
 * story (web/build/scenarios.ts).
 */
export type LessonBlock =
  | { kind: 'prose'; html: string }
  | ({ kind: 'question' } & LessonQuestion)
  | ({ kind: 'do' } & LessonTask)
  | ({ kind: 'look' } & LessonObservation)
  // The picture of the bug, and hints for looking at it.
  | { kind: 'picture'; html: string }
  // A walk through the explained transaction, and hints for the reader.
  | { kind: 'walk'; html: string };

export interface LessonQuestion {
  html: string;
  choices: LessonChoice[];
}

export interface LessonChoice {
  html: string;
  is_right: boolean;
  /** Shown once a run has demonstrated it. */
  why_html: string;
}

/** A transaction of the current run, to be explained (docs/guide/explain.md). */
export interface ChosenTransaction {
  which: 'slowest' | 'p99';
  /** Only transactions that ended in it; null: all. */
  window: { from_s: number; to_s: number } | null;
}

/**
 * A button's task: start a run, send commands to the current one, or explain one of its
 * transactions.
 */
export interface LessonTask {
  title: string;
  /** Pairs of a link, without v and scenario; null: no new run. */
  run: [string, string][] | null;
  commands: string[];
  /** null: no explanation. */
  explain: ChosenTransaction | null;
  /** Pace of virtual time until the run pauses; null: the reader's setting. */
  pace: string | null;
  /** Run time after which the run pauses for the reader. */
  pause_after_s: number | null;
}

export interface LessonObservation {
  place: LessonPlace;
  html: string;
}

/** The reader's position in the current scenario's lesson. */
export interface LessonProgress {
  /** Index of the step. */
  step: number;
  /** Index of the choice, by index of the step. */
  answers: Readonly<Record<number, number>>;
  /** A run of the lesson has shown the answer to the question. */
  is_shown_by_run: boolean;
  /** Progress of an explanation that the lesson asks for. */
  explained: 'no' | 'under_way' | 'yes';
  /** Number of finished tasks of this step, in the order of a slide remote. */
  tasks_done: number;
  /** The last task is running: its run has neither paused nor ended. */
  is_doing: boolean;
  /** Index of the selected observation of the step. */
  look: number | null;
}

export const tasksOf = ({ blocks }: LessonStep): LessonTask[] =>
  blocks.filter((block) => block.kind === 'do');
export const observationsOf = ({ blocks }: LessonStep): LessonObservation[] =>
  blocks.filter((block) => block.kind === 'look');
export const questionOf = ({ blocks }: LessonStep): LessonQuestion | null =>
  blocks.find((block) => block.kind === 'question') ?? null;

/** Returns the start of a step, with its first observation selected. */
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

/** Returns the task that started the current run: the last one up to a step that starts a run. */
export function runUpTo(lesson: Lesson, step: number): LessonTask | null {
  const tasks = lesson.steps.slice(0, step + 1).flatMap(tasksOf);
  return tasks.findLast(({ run }) => run !== null) ?? null;
}
