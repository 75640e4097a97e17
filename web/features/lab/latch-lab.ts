// Implements the latch lab: the reader's source, and the findings of the engine. Uses its own
// background worker.
import type { Judgement, LabCheckResult, LabMeasurement, LabSettings } from '../../contract/lab-results';
import type { LabCheckOptions } from '../../contract/lab-exercise';
import { CommandRefused, reasonsOf } from '../../engine-client/command-refused';
import type { RunSpec } from '../../contract/run-spec';
import type { CommandSource } from '../../session/command-registry';
import type { ExtraEngine } from '../../session/extra-engine';
import { nextExercise } from './exercise-progress';
import { judgeAnswer, solvedFrom, textOfSolved } from './lab-exercises';
import type { LabSlice, LabWork } from './lab-state';
import { placeOf, placesFor, specWithLatch } from './lab-server';
import { checkLatch, exerciseOf, measureLatches, programOf, sourceShown } from './lab-work';
import { REFERENCES_MAX } from './latches';
import type { ExplorerState, ExplorerStore } from '../../session/store';

/** What the lab needs from the page. */
export interface LabPorts {
  store: ExplorerStore;
  /** Returns an engine that has run nothing yet. */
  engine: () => ExtraEngine;
  show: () => void;
  /** Shows a run in the explorer and starts it, after stopping the current one. */
  start: (spec: RunSpec) => Promise<void>;
  /**
   * Returns the lab's text stored on this device; null if there is none or storage is forbidden.
   */
  remembered: () => string | null;
  remember: (text: string) => void;
  save: (name: string, content: Blob) => void;
  /** Adds commands to the page. */
  register: (commands: CommandSource) => () => void;
}

export class LatchLab {
  readonly #ports: LabPorts;
  /** The worker of the work in progress. */
  #engine: ExtraEngine | null = null;

  constructor(ports: LabPorts) {
    this.#ports = ports;
    this.#set({ solved: solvedFrom(ports.remembered()) });
    // Clearing the work, for example by opening a link, cancels it.
    ports.store.subscribe(({ lab }) => {
      if (lab.work === null) this.#dispose();
    });
  }

  get state(): ExplorerState {
    return this.#ports.store.getState();
  }

  get lab(): LabSlice['lab'] {
    return this.state.lab;
  }

  /** Starts with a latch of lab/latches/. */
  open(latch: string): void {
    this.#begin({ latch, exercise: null });
  }

  /** Starts an exercise, with the reader's earlier answer if it was correct. */
  openExercise(exercise: string): void {
    this.#begin({ exercise, source: this.lab.solved[exercise] ?? null });
  }

  /** Starts an exercise of the path, whose title then takes the focus. */
  goToExercise(exercise: string): void {
    this.openExercise(exercise);
    this.#set({ arrivals: this.lab.arrivals + 1 });
  }

  /** Goes to the next unsolved exercise, if there is one. */
  goToNextExercise(): void {
    const next = nextExercise(this.lab);
    if (next !== null) this.goToExercise(next.id);
  }

  /** Restores the initial source. */
  reset(): void {
    this.#begin({});
  }

  /** Shows the lab for a script, with this source; null keeps the present one. */
  begin(source: string | null): void {
    this.cancel();
    if (source !== null) this.edit(source);
    this.#ports.show();
  }

  /** Also drops the refusal of the source before. Other results know the source that they are of. */
  edit(source: string): void {
    if (source !== sourceShown(this.lab)) this.#set({ source, refusal: [] });
  }

  set(change: Partial<LabSettings>): void {
    this.#set({ settings: { ...this.lab.settings, ...change }, refusal: [] });
  }

  choose(latch: string, isChosen: boolean): void {
    const others = this.lab.references.filter((chosen) => chosen !== latch);
    this.#set({ references: isChosen ? [...others, latch].slice(0, REFERENCES_MAX) : others });
  }

  /** Searches for a schedule under which the latch fails. Rejects if the search cannot run. */
  async check(options: LabCheckOptions = {}): Promise<LabCheckResult> {
    return this.#work('check', async (engine, tell) => {
      this.#set({ check: null });
      const check = await checkLatch(this.lab, options, engine, tell);
      return { change: { check }, outcome: check.result };
    });
  }

  /** Runs threads that compete for the latch, and for the references. */
  async measure(): Promise<LabMeasurement> {
    return this.#work('measure', async (engine, tell) => {
      const measurement = await measureLatches(this.lab, engine, tell, (soFar) =>
        this.#set({ measurement: soFar }),
      );
      return { change: { measurement }, outcome: measurement };
    });
  }

  /** Judges whether the reader's source solves the exercise. */
  async judge(): Promise<Judgement> {
    const exercise = exerciseOf(this.lab);
    const source = sourceShown(this.lab);
    const judgement = await this.#work('judge', async (engine, tell) => {
      const { scenarios, machine } = this.state;
      const outcome = await judgeAnswer(exercise, source, { engine, scenarios, machine }, tell);
      return { change: { judgement: { source, judgement: outcome } }, outcome };
    });
    if (judgement.holds) this.#solve(exercise.id, source);
    return judgement;
  }

  chooseServer(place: string): void {
    this.#set({ place });
  }

  /**
   * Starts the chosen bug with the original design, so that the reader can change to this latch;
   * `isFlipped` starts with the latch.
   */
  async takeToServer(isFlipped: boolean): Promise<void> {
    const source = sourceShown(this.lab);
    this.#set({ refusal: [] });
    try {
      const program = await programOf(source);
      const place = placeOf(placesFor(this.state, program), this.lab.place);
      const { machine } = this.state;
      await this.#ports.start(specWithLatch(place, { source, program }, { machine, isFlipped }));
    } catch (error) {
      this.#set({ refusal: reasonsOf(error) });
      throw error;
    }
  }

  showModel(): void {
    this.edit(exerciseOf(this.lab).model);
  }

  /** Saves all answers of the reader to a file. */
  saveAnswers(): void {
    this.#ports.save(
      'latchscope-lab-answers.json',
      new Blob([textOfSolved(this.lab.solved)], { type: 'application/json' }),
    );
  }

  /** Shows another step of the fault. */
  lookAt(step: number): void {
    const { check } = this.lab;
    if (check === null) return;
    const last = check.walk.length - 1;
    this.#set({ check: { ...check, step: Math.max(0, Math.min(step, last)) } });
  }

  /** Keeps the results so far. */
  cancel(): void {
    this.#set({ work: null });
  }

  async #work<Outcome>(
    kind: LabWork['kind'],
    carryOut: (
      engine: ExtraEngine,
      tell: (work: Omit<LabWork, 'kind'>) => void,
    ) => Promise<{ change: Partial<LabSlice['lab']>; outcome: Outcome }>,
  ): Promise<Outcome> {
    this.#dispose();
    const engine = this.#ports.engine();
    this.#engine = engine;
    const isCurrent = () => this.#engine === engine;
    this.#set({ work: { kind, sentence: '', partDone: 0 }, refusal: [] });
    this.#ports.show();
    try {
      const { change, outcome } = await carryOut(engine, (work) => {
        if (isCurrent()) this.#set({ work: { kind, ...work } });
      });
      if (!isCurrent()) throw new CommandRefused('Cancelled.');
      this.#set(change);
      return outcome;
    } catch (error) {
      if (!isCurrent()) throw new CommandRefused('Cancelled.');
      this.#set({ refusal: reasonsOf(error) });
      throw error;
    } finally {
      if (isCurrent()) this.cancel();
    }
  }

  #begin(change: Partial<LabSlice['lab']>): void {
    this.cancel();
    this.#set({ source: null, check: null, measurement: null, judgement: null, refusal: [], ...change });
  }

  /** Stores the answer on this device. */
  #solve(exercise: string, source: string): void {
    const solved = { ...this.lab.solved, [exercise]: source };
    this.#set({ solved });
    this.#ports.remember(textOfSolved(solved));
  }

  #dispose(): void {
    this.#engine?.dispose();
    this.#engine = null;
  }

  #set(change: Partial<LabSlice['lab']>): void {
    this.#ports.store.setState({ lab: { ...this.lab, ...change } });
  }
}
