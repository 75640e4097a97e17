// Plays the stage of a bug: the recorded course at once, and the run itself as soon as the engine
// has computed it.
import { stages } from 'virtual:stages';

import { numberInWords, ratioInWords, stageNumbersOf, type StageNumber } from '../../analysis/stage-numbers';
import { frames } from '../../charts/frames';
import type { StoredStageCourse } from '../../contract/client-queue';
import { defaultRunSpec, type RunSpec } from '../../contract/run-spec';
import type { StageStep, StageStory } from '../../contract/scenario-files/stage';
import { Listeners } from '../../recording/listeners';
import { courseOf, type Course } from '../../session/course';
import type { Session } from '../../session/session';
import { isLive } from '../../session/store';
import { unlessRefused } from '../../session/command-registry';
import { actionsOf, actionsOfSteps, courseSpec, designOf, stepsOf } from './course';
import { stagePicture, type StagePicture } from './stage-picture';
import { StageTimeline } from './timeline';

/** The stage draws this often. */
export const DRAW_INTERVAL_MS = 80;
/** The engine may be this much of a real second ahead of the stage. */
const AHEAD_S = 0.3;

/** A bug's stage, loaded. */
export interface LoadedStage {
  scenario: string;
  story: StageStory;
  course: Course;
  numbers: readonly StageNumber[];
}

/** Rejects if this build has no stage for the bug. */
export async function loadStage(session: Session, scenario: string): Promise<LoadedStage> {
  const load = stages[scenario];
  if (load === undefined) throw new Error(`This build has no stage for ${scenario}.`);
  const loaded = await load();
  const story = loaded.story as StageStory;
  const { scenarios, machine } = session.store.getState();
  const { manifest } = scenarios.find(({ manifest: { id } }) => id === scenario)!;
  const spec = courseSpec(story, manifest, machine);
  const stored = loaded.course as StoredStageCourse;
  const course = courseOf(stored, spec, manifest);
  return { scenario, story, course, numbers: stageNumbersOf(story.numbers, stored.numbers) };
}

/** What the numbers of a stage show, in their order: the server before, broken and fixed. */
const changes = [undefined, 'worse', 'better'] as const;

/** Returns the numbers as texts. `after` is the step of the course after which each applies. */
export const numbersInWords = ({ story, numbers }: LoadedStage) =>
  numbers.map((number, place) => ({
    after: story.numbers[place]!.after,
    number: number.value,
    title: number.title,
    value: numberInWords(number),
    ratioInWords: ratioInWords(number),
    change: changes[place],
  }));

/** Returns the timeline of a stage at its beginning. */
export function timelineOf({
  story,
  course,
  numbers,
}: Pick<LoadedStage, 'story' | 'course' | 'numbers'>): StageTimeline {
  const rates = numbers.filter(({ figure }) => figure === 'rate').map(({ value }) => value);
  return new StageTimeline(story, course, course.spec.threads / Math.min(...rates));
}

export class StagePlayer extends Listeners {
  loaded: LoadedStage | null = null;
  /** Why the last bug has no stage; null if it has one. */
  failure: Error | null = null;
  #timeline: StageTimeline | null = null;
  #picture: StagePicture | null = null;
  readonly #session: Session;
  #opened = '';
  #isShown = false;
  #drawnAtMs = 0;
  #playedAtMs = 0;
  #pace: number | null | undefined;
  /** The number of the run that the engine computes for the stage, and the start of the last one. */
  #runs = 0;
  #spec: RunSpec | null = null;
  #started: Promise<void> = Promise.resolve();

  constructor(session: Session) {
    super();
    this.#session = session;
  }

  /** Whether the stage of this bug is open already, since the same link. */
  continues(scenario: string, opened: number): boolean {
    return this.#opened === `${scenario} ${opened}`;
  }

  /** Loads the bug's stage and plays it from its beginning. */
  async open(scenario: string, opened: number): Promise<void> {
    this.#opened = `${scenario} ${opened}`;
    this.loaded = null;
    this.#timeline = null;
    this.#picture = null;
    this.notify();
    this.failure = null;
    const loaded = await loadStage(this.#session, scenario).catch((error: unknown) => {
      this.failure = error instanceof Error ? error : new Error(String(error));
      this.notify();
    });
    if (loaded === undefined) return;
    if (this.#session.store.getState().scenario.manifest.id !== scenario) return;
    this.loaded = loaded;
    this.restart();
  }

  /** Plays the stage from its beginning. */
  restart(): void {
    if (this.loaded === null) return;
    this.#timeline = timelineOf(this.loaded);
    this.#playedAtMs = performance.now();
    this.#draw();
    void this.#run();
  }

  get picture(): StagePicture | null {
    return this.#picture;
  }

  /** Draws while the stage is shown; returns a function that ends that. */
  show(): () => void {
    this.#isShown = true;
    const unfollow = this.#session.shownRun.queues.follow();
    this.#playedAtMs = performance.now();
    this.#returnToRun();
    frames.schedule('draw', this.#onFrame);
    return () => {
      this.#isShown = false;
      unfollow();
      this.#setPace(null);
    };
  }

  /** The run may have continued, or be another one, while the stage was not shown. */
  #returnToRun(): void {
    const { spec, marks, scenario } = this.#session.store.getState();
    if (this.#timeline === null || this.loaded === null || spec === null) return;
    if (spec.scenario !== this.loaded.scenario) return;
    if (spec !== this.#spec) {
      this.#spec = spec;
      this.#timeline = timelineOf(this.loaded);
      this.#timeline.followAnotherRun();
    }
    this.#timeline.adopt(stepsOf(marks, this.loaded.story, scenario.manifest), this.#liveEndS());
    this.#draw();
  }

  canPress(step: StageStep): boolean {
    return this.#timeline?.canTake(step) ?? false;
  }

  /** Takes a step: shows its effect at once, and has the engine compute it. */
  press(step: StageStep): void {
    const timeline = this.#timeline;
    if (timeline === null || this.loaded === null || !timeline.canTake(step)) return;
    const liveEndS = this.#liveEndS();
    const isUpToDate = this.#isRunning() && liveEndS >= timeline.playS;
    const { breaks } = timeline.condition;
    timeline.take(step, liveEndS);
    this.#draw();
    // The engine has to take a recorded step at its recorded time, which is still to come.
    if (isUpToDate && !timeline.isAsRecorded) void this.#change(step, breaks);
    else void this.#run();
  }

  /** Computes the run again, with all steps so far as timed actions. Starts follow each other. */
  #run(): Promise<void> {
    this.#runs += 1;
    const run = this.#runs;
    const spec = this.#specNow();
    this.#pace = undefined;
    this.#started = this.#started.then(async () => {
      if (run !== this.#runs || !this.#isShown) return;
      this.#spec = spec;
      await unlessRefused(() => this.#session.startRun(spec));
    });
    return this.#started;
  }

  #specNow(): RunSpec {
    const { story } = this.loaded!;
    const { scenario, machine } = this.#session.store.getState();
    const { manifest } = scenario;
    const actions = actionsOfSteps(this.#timeline!.taken, story, manifest);
    return defaultRunSpec(manifest, machine, 'virtual', { ...story.spec, actions });
  }

  /** Changes the run in progress. */
  async #change(step: StageStep, breaks: number): Promise<void> {
    const { manifest } = this.#session.store.getState().scenario;
    const { story } = this.loaded!;
    const actions = actionsOf(step, 0, { story, manifest, breaks });
    const timeline = this.#timeline!;
    const steps = timeline.taken.length;
    const design = designOf(step === 'fixed' ? 'fixed' : 'original', manifest);
    const fired = actions.flatMap((action) => ('action' in action ? action.action : []));
    await unlessRefused(async () => {
      if (fired.length === 0) await this.#session.setDesign(design);
      for (const action of fired) await this.#session.fire(action);
    });
    const mark = this.#session.store.getState().marks.at(-1);
    if (timeline === this.#timeline && timeline.taken.length === steps && mark !== undefined)
      timeline.moveLast(mark.step_ns / 1e9);
  }

  #isRunning(): boolean {
    const { run_state, runLock } = this.#session.store.getState();
    return runLock === 'going' && isLive(run_state);
  }

  #liveEndS(): number {
    return this.#session.history.endS;
  }

  readonly #onFrame = (nowMs: number): void => {
    if (!this.#isShown) return;
    frames.schedule('draw', this.#onFrame);
    if (nowMs - this.#drawnAtMs < DRAW_INTERVAL_MS) return;
    this.#drawnAtMs = nowMs;
    this.#play(nowMs);
    this.#draw();
  };

  #play(nowMs: number): void {
    const timeline = this.#timeline;
    if (timeline === null || this.loaded === null) return;
    const { pace } = this.loaded.story;
    const passedS = Math.max(0, nowMs - this.#playedAtMs) / 1000;
    this.#playedAtMs = nowMs;
    const { run_state } = this.#session.store.getState();
    if (run_state === 'paused') return;
    const liveEndS = this.#liveEndS();
    timeline.advance(passedS * pace, liveEndS);
    // An engine that lags behind runs as fast as it can.
    const isAhead = liveEndS > timeline.playS + AHEAD_S * pace;
    const isLate = liveEndS < timeline.playS;
    if (isAhead) this.#setPace(pace * 1e9);
    else if (isLate) this.#setPace(null);
  }

  #setPace(nsPerS: number | null): void {
    if (this.#pace === nsPerS) return;
    this.#pace = nsPerS;
    // The next engine takes the pace from the session if this one is closed meanwhile.
    void this.#session.setPace(nsPerS).catch(() => undefined);
  }

  #draw(): void {
    const { loaded } = this;
    const timeline = this.#timeline;
    this.#picture =
      timeline === null || loaded === null ? null : stagePicture(timeline, loaded.story, this.#session);
    this.notify();
  }
}

const players = new WeakMap<Session, StagePlayer>();

/** Returns the page's player. */
export function stagePlayerOf(session: Session): StagePlayer {
  const known = players.get(session);
  if (known !== undefined) return known;
  const player = new StagePlayer(session);
  players.set(session, player);
  return player;
}
