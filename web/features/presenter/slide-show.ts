// Goes through the slides of a bug: performs the tasks of its lesson, and decides whether a slide
// shows the run or its recording.
import { texts } from 'virtual:scenario-texts';

import type { Design } from '../../contract/design';
import type { Manifest } from '../../contract/manifest';
import type { RunSpec, TimedAction } from '../../contract/run-spec';
import { Listeners } from '../../recording/listeners';
import { unlessRefused } from '../../session/command-registry';
import { measuredPhases } from '../../session/measured-phases';
import type { Session } from '../../session/session';
import type { NumberInWords, PresenterPorts, PresentersStage } from './ports';
import { slidesOf, type Slide, type TaskSlide } from './slides';

/** A part of the recorded run, which shows the result of a step. */
export interface RecordedResult {
  stage: PresentersStage;
  /** Run time at which the last step was taken, and at which its result ends. */
  fromS: number;
  toS: number;
  /** The numbers of the conditions that the shown run has passed through. */
  numbers: readonly NumberInWords[];
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
  /** Rates at the pauses of the shown run, by the beginnings of its phases: later slides show the same. */
  measured: ReadonlyMap<number, number> = new Map();
  readonly #session: Session;
  #scenario = '';
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
    this.#performed = [];
    this.ports.loadStage(scenario).then(
      (stage) => {
        if (scenario !== this.#scenario) return;
        this.stage = stage;
        this.notify();
      },
      () => undefined,
    );
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
    return this.isWaiting && this.recorded === null ? this.recordedResult() : null;
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
    if (startsRun) {
      this.#runs += 1;
      this.measured = new Map();
    }
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
      if (run === this.#runs) this.#measure();
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

  #measure(): void {
    const { history, store } = this.#session;
    const { marks, spec, scenario } = store.getState();
    if (spec === null) return;
    const phases = measuredPhases({ marks, history, spec }, scenario.manifest);
    const settled = phases.flatMap(({ fromS, tps, isSettled }) =>
      tps !== null && isSettled ? [[fromS, tps] as const] : [],
    );
    this.measured = new Map([...settled, ...this.measured]);
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

  /** Returns the recorded run under the present conditions of the shown run; null if there is none. */
  recordedResult(): RecordedResult | null {
    const { stage } = this;
    const tasks = this.#performed.map((index) => this.slides[index] as TaskSlide);
    const [first] = tasks;
    if (stage === null || first?.content.run == null) return null;
    const { manifest } = this.#session.store.getState().scenario;
    const spec = this.ports.lesson.specOf(first.content);
    if (!isOfSameServer(spec, stage.course.spec)) return null;
    const commands = tasks.flatMap(({ content }) => content.commands);
    const steps = conditionsOf(spec, commands, manifest).map((wanted) => stepOfRecorded(wanted, stage));
    const last = steps.at(-1) ?? null;
    if (last === null) return null;
    const { course } = stage.story;
    return {
      stage,
      fromS: course.steps[last - 1]?.at_s ?? 0,
      toS: course.steps[last]?.at_s ?? course.duration_s,
      numbers: stage.numbersInWords.filter(({ after }) => steps.includes(after)),
    };
  }
}

/** Design and actions of a run. */
interface Conditions {
  design: Design;
  actions: readonly string[];
}

/** Returns the conditions that a run passes through with the changes of these commands, in order. */
export function conditionsOf(spec: RunSpec, commands: readonly string[], manifest: Manifest): Conditions[] {
  const passed: Conditions[] = [{ design: spec.design, actions: [] }];
  const add = (change: Partial<Conditions>) => passed.push({ ...passed.at(-1)!, ...change });
  const now = () => passed.at(-1)!;
  for (const one of spec.actions) add(afterTimed(now(), one));
  for (const command of commands) {
    const [kind, subject = '', variant = ''] = command.split('.');
    if (kind === 'design') add({ design: { ...now().design, ...manifest.designs[subject] } });
    if (kind === 'knob') add({ design: { ...now().design, [subject]: variant } });
    if (kind === 'action') add({ actions: [...now().actions, subject] });
  }
  return passed;
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

/** Returns the last step of the recorded run after which it is under these conditions; null if none is. */
function stepOfRecorded(wanted: Conditions, { story, course: { spec } }: PresentersStage): number | null {
  const times = [Number.NEGATIVE_INFINITY, ...story.course.steps.map(({ at_s }) => at_s)];
  const step = times.findLastIndex((atS) => {
    const taken = spec.actions.filter(({ at_s }) => at_s <= atS);
    const { design, actions } = taken.reduce(afterTimed, { design: spec.design, actions: [] });
    return isSame(design, wanted.design) && isSame(actions.toSorted(), wanted.actions.toSorted());
  });
  return step === -1 ? null : step;
}
