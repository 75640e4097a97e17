import { paceCommandId } from '../../session/commands';
import type { LessonLink } from './lesson-state';
import {
  tasksOf,
  observationsOf,
  progressAt,
  questionOf,
  runUpTo,
  type ChosenTransaction,
  type Lesson,
  type LessonTask,
  type LessonProgress,
} from '../../contract/lesson';
import type { RunSpec } from '../../contract/run-spec';
import { specOfTask } from '../../session/lesson-runs';
import { refusalToReplace } from '../../session/run-lock';
import type { Session } from '../../session/session';
import { isLive, type ExplorerState, type ExplorerStore } from '../../session/store';

/** What the lesson needs from the feature that explains transactions. */
export interface LessonPorts {
  /** Settles when the page shows the explanation; rejects if there is none. */
  explainChosen: (chosen: ChosenTransaction) => Promise<unknown>;
  /** Returns why nothing can be explained now; null if it can. */
  whyNotExplained: () => string | null;
}

/** A task of the lesson. */
interface TaskPlace {
  step: number;
  index: number;
}

/** Guides a reader through the lesson of the shown scenario, and runs the tasks of its steps. */
export class LessonGuide {
  readonly ports: LessonPorts;
  readonly #session: Session;
  readonly #store: ExplorerStore;
  /**
   * Stops watching for the time at which the run must wait for the reader, and restores the
   * reader's pace.
   */
  #endWatch: () => void = () => undefined;

  constructor(session: Session, ports: LessonPorts) {
    this.#session = session;
    this.ports = ports;
    this.#store = session.store;
  }

  /** Opens the lesson at a step, by its index from 0. Does nothing if there is no such step. */
  open(step = 0): void {
    const { scenario, lesson } = this.#state();
    if (scenario.lesson?.steps[step] === undefined) return;
    this.#store.setState({ lesson: progressAt(scenario.lesson, step, lesson), isStoryOpen: false });
  }

  /** Opens the lesson where it was closed, or its first step. */
  openAgain(): void {
    this.open(this.#state().lesson?.step);
  }

  // A link without a lesson, for example after Back, closes the lesson.
  openLink({ lessonStep }: Partial<LessonLink>): void {
    if (lessonStep === undefined) return;
    if (lessonStep === null) this.close();
    else if (lessonStep !== this.#state().lesson?.step) this.open(lessonStep);
  }

  close(): void {
    this.#endWatch();
    this.#store.setState({ lesson: null });
  }

  /** Shows the story in place of the lesson. */
  showStory(isOpen: boolean): void {
    if (isOpen) {
      this.#session.openView('explorer');
      this.close();
    }
    this.#store.setState({ isStoryOpen: isOpen });
  }

  /** Moves by this many steps; does nothing beyond either end. */
  turn(steps: number): void {
    const { lesson } = this.#state();
    if (lesson !== null) this.open(lesson.step + steps);
  }

  answer(choice: number): void {
    const shown = this.#shown();
    if (shown === null || questionOf(shown.step)?.choices[choice] === undefined) return;
    const { step, answers } = shown.progress;
    this.#note({ answers: { ...answers, [step]: choice } });
  }

  /** Points at the subject of an observation of this step; null points at nothing. */
  look(index: number | null): void {
    const shown = this.#shown();
    if (shown === null || (index !== null && observationsOf(shown.step)[index] === undefined)) return;
    this.#note({ look: index });
  }

  /** Points at the subject of an observation, or at nothing if it was pointed at already. */
  toggleLook(index: number): void {
    this.look(this.#state().lesson?.look === index ? null : index);
  }

  /**
   * Runs a task of this step. Settles when its run has started, its commands are done, or it has
   * explained.
   */
  async do(index: number): Promise<void> {
    const { lesson } = this.#state();
    if (lesson !== null) await this.perform(lesson.step, index);
  }

  /** Runs a task of any step of the open lesson. */
  async perform(step: number, index: number): Promise<void> {
    const shown = this.#shown();
    const task = shown && tasksOf(shown.lesson.steps[step]!)[index];
    if (!shown || !task) return;
    if (task.explain !== null) {
      await this.#explain({ step, index }, task.explain);
      return;
    }
    const refusal = refusalToReplace(this.#state());
    if (refusal !== null) throw refusal;
    this.#endWatch();
    this.#note({ is_doing: true });
    this.#noteDone(step, index + 1);
    try {
      await this.#follow(shown.lesson, step, task);
    } catch (error) {
      this.#note({ is_doing: false });
      throw error;
    }
  }

  /** Does not affect the run. */
  async #explain({ step, index }: TaskPlace, chosen: ChosenTransaction): Promise<void> {
    this.#note({ explained: 'under_way' });
    this.#noteDone(step, index + 1);
    try {
      await this.ports.explainChosen(chosen);
      this.#note({ explained: 'yes' });
    } catch (error) {
      this.#note({ explained: 'no' });
      this.#noteDone(step, index);
      throw error;
    }
  }

  async #follow(lesson: Lesson, step: number, task: LessonTask): Promise<void> {
    const { paceNsPerS } = this.#state();
    if (task.pace !== null) {
      await this.#command([paceCommandId(task.pace)]);
      this.#endWatch = () => void this.#session.setPace(paceNsPerS);
    }
    if (task.run !== null) {
      await this.#session.startRun(this.#specOf(task));
      this.#pauseAfter(task, 0);
    } else if (isLive(this.#state().run_state)) {
      await this.#command(task.commands);
      if (this.#state().run_state === 'paused') await this.#session.resume();
      this.#pauseAfter(task, this.#runTimeS());
    } else {
      await this.#runAgain(lesson, step, task);
    }
  }

  /**
   * Starts a run that has ended meanwhile again, with the design that the commands would have
   * selected.
   */
  async #runAgain(lesson: Lesson, step: number, task: LessonTask): Promise<void> {
    const first = runUpTo(lesson, step);
    await this.#command(task.commands.filter((id) => /^(design|knob)\./.test(id)));
    if (first?.run == null) {
      this.#note({ is_doing: false });
      return;
    }
    const { design } = this.#state().draft;
    await this.#session.startRun({ ...this.#specOf(first), design });
    this.#pauseAfter(first, 0);
  }

  async #command(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#session.commands.perform(id);
  }

  #specOf(task: LessonTask): RunSpec {
    const { scenario, machine } = this.#state();
    return specOfTask(task, scenario, machine);
  }

  /**
   * Lets the run continue for this long and then pauses it. So the reader has time to look, and no
   * core is busy meanwhile.
   */
  #pauseAfter({ pause_after_s }: LessonTask, fromS: number): void {
    const { history } = this.#session;
    const store = this.#store;
    const { spec } = store.getState();
    const untilS = fromS + (pause_after_s ?? Number.POSITIVE_INFINITY);
    const look = () => {
      const { run_state, spec: shown, lesson } = this.#state();
      const hasCome = run_state === 'running' && this.#runTimeS() >= untilS;
      const isOver = run_state === 'finished';
      if (!hasCome && !isOver && shown === spec && lesson !== null) return;
      // Stop watching first, because the following lines change the watched state.
      this.#endWatch();
      this.#note(hasCome || isOver ? { is_doing: false, is_shown_by_run: true } : { is_doing: false });
      if (hasCome) this.#session.pause().catch(() => undefined);
    };
    const unsubscribes = [history.subscribe(look), store.subscribe(look)];
    const restorePace = this.#endWatch;
    this.#endWatch = () => {
      this.#endWatch = () => undefined;
      for (const unsubscribe of unsubscribes) unsubscribe();
      restorePace();
    };
  }

  #runTimeS(): number {
    return (this.#session.lanesNow()?.nowNs ?? 0) / 1e9;
  }

  #shown() {
    const { lesson: progress, scenario } = this.#state();
    const lesson = scenario.lesson;
    if (progress === null || lesson === null) return null;
    return { lesson, progress, step: lesson.steps[progress.step]! };
  }

  #note(change: Partial<LessonProgress>): void {
    const { lesson } = this.#state();
    if (lesson !== null) this.#store.setState({ lesson: { ...lesson, ...change } });
  }

  /** Notes how many tasks of a step are done while it is shown. */
  #noteDone(step: number, tasksDone: number): void {
    if (this.#state().lesson?.step === step) this.#note({ tasks_done: tasksDone });
  }

  #state(): ExplorerState {
    return this.#store.getState();
  }
}
