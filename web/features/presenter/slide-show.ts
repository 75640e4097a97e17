// Goes through the slides of a bug: performs the tasks of its lesson, and decides whether a slide
// shows the run or its recording.
import { texts } from 'virtual:scenario-texts';

import type { RunSpec, TimedAction } from '../../contract/run-spec';
import { Listeners } from '../../recording/listeners';
import type { Conditions as MarkedConditions } from '../../recording/run-marks';
import { unlessRefused } from '../../session/command-registry';
import type { Course } from '../../session/course';
import type { Session } from '../../session/session';
import type { NumberInWords, PresenterPorts, PresentersStage, RecordedLessonRun } from './ports';
import { slidesOf, type Slide, type TaskSlide } from './slides';

/** A part of a recorded run, which shows the result of a task. */
export interface RecordedResult {
  course: Course;
  /** Run time of the last change, and at which the task is done. */
  fromS: number;
  toS: number;
  /** The stage's numbers of the conditions that the run has passed through; null: it is another run. */
  numbers: readonly NumberInWords[] | null;
}

/** The task in progress. */
interface Work {
  slide: number;
  /** Run time at which it began, and at which it will be done; null if that is not known. */
  fromS: number;
  toS: number | null;
}

export class SlideShow extends Listeners {
  readonly ports: PresenterPorts;
  slides: readonly Slide[] = [];
  stage: PresentersStage | null = null;
  /** Shown in place of the run until the run has caught up. */
  recorded: RecordedResult | null = null;
  work: Work | null = null;
  readonly #session: Session;
  #scenario = '';
  /** Of the lesson; empty until they are loaded. */
  #recordings: readonly RecordedLessonRun[] = [];
  /** Slides whose tasks are requested and not done yet. */
  readonly #pending = new Set<number>();
  /** Slides whose tasks made up the shown run: its start, and its changes. */
  #performed: number[] = [];
  #lastTask: Promise<void> = Promise.resolve();
  /** Settles when the last run has started: until then, no other may. */
  #lastStart: Promise<void> = Promise.resolve();
  /** Number of runs requested; changes of an earlier run are dropped. */
  #runs = 0;

  constructor(ports: PresenterPorts) {
    super();
    this.ports = ports;
    this.#session = ports.session;
  }

  get index(): number {
    return this.#session.store.getState().presenter.slide;
  }

  get slide(): Slide | undefined {
    return this.slides[this.index];
  }

  /** Whether the task of the shown slide is still running. */
  get isWaiting(): boolean {
    return this.#pending.has(this.index);
  }

  /** Shows the slides of the open lesson, at its step. Returns a function that ends that. */
  begin(): () => void {
    const { scenario, lesson, presenter } = this.#session.store.getState();
    if (scenario.manifest.id !== this.#scenario) this.#open(scenario.manifest.id);
    this.slides = scenario.lesson === null ? [] : slidesOf(scenario.lesson, (field) => texts[Number(field)]!);
    const step = lesson?.step ?? 0;
    const isAtStep = this.slides[presenter.slide]?.step === step;
    const first = this.slides.findIndex((slide) => slide.step === step);
    this.#show(isAtStep ? presenter.slide : Math.max(0, first));
    const unfollow = this.#session.shownRun.queues.follow();
    return () => {
      unfollow();
      // Changes that still wait for their run are dropped.
      this.#runs += 1;
      this.recorded = null;
    };
  }

  #open(scenario: string): void {
    this.#scenario = scenario;
    this.stage = null;
    this.#recordings = [];
    this.#performed = [];
    void this.#load(scenario);
  }

  /** Without a stage or recordings, slides show only what the engine has computed. */
  async #load(id: string): Promise<void> {
    const { scenario, machine } = this.#session.store.getState();
    const [stage, recordings] = await Promise.all([
      this.ports.loadStage(id).catch(() => null),
      this.ports.loadRecordings(scenario, machine).catch(() => []),
    ]);
    if (id !== this.#scenario) return;
    this.stage = stage;
    this.#recordings = recordings;
    this.notify();
  }

  /** Shows the recorded result of the task in progress, or the next slide. */
  next(): void {
    const result = this.resultToSkipTo();
    if (result !== null) {
      this.recorded = result;
      this.notify();
      return;
    }
    const next = this.index + 1;
    const slide = this.slides[next];
    if (slide === undefined) return;
    this.#show(next);
    if (slide.kind === 'task') this.#perform(next, slide);
  }

  /** Shows the slide before, without undoing anything. */
  previous(): void {
    if (this.index > 0) this.#show(this.index - 1);
  }

  first(): void {
    this.#show(0);
  }

  /** Returns the recorded result of the shown slide's task while it is running and not shown yet. */
  resultToSkipTo(): RecordedResult | null {
    const isRun = this.slide?.kind === 'task' && this.slide.content.explain === null;
    return isRun && this.isWaiting && this.recorded === null ? this.recordedResult() : null;
  }

  #show(index: number): void {
    const { store } = this.#session;
    const { lesson } = this.ports;
    const slide = this.slides[index];
    if (slide !== undefined && store.getState().lesson?.step !== slide.step) lesson.open(slide.step);
    if (slide?.kind === 'look') lesson.look(slide.look);
    if (slide?.kind === 'walk') this.#beginWalk();
    store.setState(({ presenter }) => ({
      presenter: { ...presenter, slide: index, slides: this.slides.length },
    }));
    this.notify();
  }

  /** Shows the last part of the explained transaction. */
  #beginWalk(): void {
    const { explaining } = this.#session.store.getState();
    if (explaining.stage === 'done' && explaining.part === null)
      void this.#session.commands.perform('explain.earlier_part');
  }

  #perform(index: number, slide: TaskSlide): void {
    const startsRun = slide.content.run !== null;
    const isDone = startsRun
      ? this.#performed.length === 1 && this.#performed[0] === index
      : this.#performed.includes(index);
    if (isDone) return;
    if (startsRun) this.#runs += 1;
    this.#performed = startsRun ? [index] : [...this.#performed, index];
    this.#pending.add(index);
    if (this.recorded !== null) this.recorded = startsRun ? null : this.recordedResult();
    const before = startsRun ? this.#lastStart : this.#lastTask;
    this.#lastTask = this.#carryOut(index, slide, before);
    this.notify();
  }

  /** A change of the run waits until the run has come to the pause before it. */
  async #carryOut(index: number, slide: TaskSlide, before: Promise<void>): Promise<void> {
    const run = this.#runs;
    await before;
    if (run === this.#runs) {
      this.work = this.#workOf(index, slide);
      this.notify();
      this.#lastStart = this.#start(index, slide);
      await this.#lastStart;
      if (this.work.toS !== null) await this.#untilDone();
    }
    this.#pending.delete(index);
    if (this.#pending.size > 0) return;
    this.work = null;
    this.recorded = null;
    this.notify();
  }

  /** If the page refuses, which it shows, the task is still to be done. */
  async #start(index: number, { step, task }: TaskSlide): Promise<void> {
    const outcome = { isStarted: false };
    await unlessRefused(async () => {
      await this.ports.lesson.perform(step, task);
      outcome.isStarted = true;
    });
    if (!outcome.isStarted) this.#performed = this.#performed.filter((one) => one !== index);
  }

  #workOf(slide: number, { content }: TaskSlide): Work {
    const fromS = content.run === null ? this.#session.history.endS : 0;
    const [, durationS] = content.run?.find(([name]) => name === 'duration_s') ?? [];
    const lastsS = content.pause_after_s ?? (durationS === undefined ? null : Number(durationS));
    return { slide, fromS, toS: lastsS === null ? null : fromS + lastsS };
  }

  /** Settles when the run has come to its pause or its end, or when the lesson is closed. */
  #untilDone(): Promise<void> {
    const { store } = this.#session;
    const isDone = () => store.getState().lesson?.is_doing !== true;
    if (isDone()) return Promise.resolve();
    return new Promise((resolve) => {
      const unsubscribe = store.subscribe(() => {
        if (!isDone()) return;
        unsubscribe();
        resolve();
      });
    });
  }

  /** Returns the recorded run that has the tasks of the shown run; null if there is none. */
  recordedResult(): RecordedResult | null {
    const performed = this.#performed.map((index) => (this.slides[index] as TaskSlide).content);
    const tasks = performed.filter(({ explain }) => explain === null);
    const run = this.#recordings.find((one) => tasks.every((task, i) => task === one.tasks[i]?.task));
    if (run === undefined || tasks.length === 0) return null;
    const toS = run.tasks[tasks.length - 1]!.endS;
    const { actions } = run.spec;
    const fromS = actions.findLast(({ at_s }) => at_s < toS)?.at_s ?? 0;
    return { course: run.course, fromS, toS, numbers: this.#numbersOfStage(run.spec, toS) };
  }

  #numbersOfStage(spec: RunSpec, untilS: number): readonly NumberInWords[] | null {
    const passed = conditionsOf(spec, untilS).map((conditions) => this.numberOfStage(spec, conditions));
    return passed.at(-1) === null ? null : [...new Set(passed)].filter((number) => number !== null);
  }

  /** Returns the stage's number under these conditions of a run; null if it has none. */
  numberOfStage(spec: RunSpec, conditions: Conditions): NumberInWords | null {
    const { stage } = this;
    if (stage === null || !isOfSameServer(spec, stage.course.spec)) return null;
    const step = stepOfCourse(conditions, stage);
    return stage.numbersInWords.find(({ after }) => after === step) ?? null;
  }
}

type Conditions = Pick<MarkedConditions, 'design' | 'actions'>;

/** Returns the conditions that a run passes through until a time, in order. */
export function conditionsOf({ design, actions }: RunSpec, untilS: number): Conditions[] {
  const times = [...new Set(actions.map(({ at_s }) => at_s))].filter((atS) => atS < untilS);
  return [Number.NEGATIVE_INFINITY, ...times].map((atS) =>
    actions.filter(({ at_s }) => at_s <= atS).reduce(afterTimed, { design, actions: [] }),
  );
}

const afterTimed = ({ design, actions }: Conditions, one: TimedAction): Conditions =>
  'knob' in one
    ? { design: { ...design, [one.knob]: one.variant }, actions }
    : { design, actions: [...actions, one.action] };

const isOfSameServer = (a: RunSpec, b: RunSpec) =>
  a.platform === b.platform &&
  a.threads === b.threads &&
  [a, b].every(({ what_if, latch }) => (what_if ?? null) === null && (latch ?? null) === null) &&
  isSame(a.parameters, b.parameters) &&
  isSame(a.server, b.server);

const isSame = (a: unknown, b: unknown) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b))
    : value;

/** Returns the last step of the stage's run after which it is under these conditions; null if none is. */
function stepOfCourse(wanted: Conditions, { course: { spec } }: PresentersStage): number | null {
  const step = conditionsOf(spec, Number.POSITIVE_INFINITY).findLastIndex(
    ({ design, actions }) =>
      isSame(design, wanted.design) && isSame(actions.toSorted(), wanted.actions.toSorted()),
  );
  return step === -1 ? null : step;
}
