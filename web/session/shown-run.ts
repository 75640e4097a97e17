// Stores the data of the shown run, and what remains of runs and branches before it.
import { createPointingStore, nothingPointedAt, viewportOfNewRun } from '../charts/chart-viewport';
import type { RunSpec } from '../contract/run-spec';
import { scenarioOfSpec } from '../contract/workload-manifest';
import { History } from '../recording/history';
import { LaneHistory } from '../recording/lane-history';
import { LatchTrace } from '../recording/latch-trace';
import { Listeners } from '../recording/listeners';
import { PhaseReadings } from '../recording/phase-readings';
import { QueueHistory } from '../recording/queue-history';
import type { RunMark } from '../recording/run-marks';
import { baselineRun, specWithWhatIf } from './baseline-run';
import { axesKey, previousRunOf, type PreviousRun } from './previous-run';
import { recordedRunOf } from './recorded-run';
import { nothingSeenYet, type ExplorerStore } from './store';

/** A run as the page has shown it. */
export interface SeenBranch {
  /** Includes interactive changes. */
  spec: RunSpec;
  seen: PreviousRun;
}

/** The reader went back in a run and changed something. */
export interface Fork {
  left: SeenBranch;
  taken: RunSpec;
  /** Run time of the change, in seconds. */
  atS: number;
}

/** The shown run: its data in charts and lanes, the run before it, and its abandoned branches. */
export class ShownRun {
  readonly history = new History();
  readonly lanes = new LaneHistory();
  /** Events recorded for the watched latches, which are the most expensive ones. */
  readonly latchTrace = new LatchTrace();
  /** Counts from mark to mark. */
  readonly phaseReadings = new PhaseReadings();
  /** Samples of the clients' queues, while a view shows them. */
  readonly queues = new QueueHistory();
  /** What the reader points at in the charts. */
  readonly pointing = createPointingStore();
  readonly #store: ExplorerStore;
  /** The previous run of each scenario and platform. */
  readonly #previousRuns = new Map<string, PreviousRun>();
  /** The run up to its furthest moment, while it is at an earlier one. */
  #courseLeft: SeenBranch | null = null;
  /** Notified with the abandoned branch whenever the run branches off at an earlier moment. */
  readonly forked = new Listeners<[Fork]>();

  constructor(store: ExplorerStore) {
    this.#store = store;
  }

  /** Shows a run that is about to be created. */
  begin(spec: RunSpec): void {
    this.clear();
    const { scenarios, machine } = this.#store.getState();
    const scenario = scenarioOfSpec(spec, scenarios)!;
    const previousRun = this.#previousRuns.get(axesKey(spec)) ?? recordedRunOf(scenario, spec, machine);
    this.#store.setState({ ...nothingSeenYet, previousRun, spec, run_state: 'building' });
  }

  /** Forgets all data of the last run, except why its engine failed. */
  leave(): void {
    const { engine_failure } = this.#store.getState();
    this.clear();
    this.#store.setState({ ...nothingSeenYet, engine_failure, spec: null, run_state: 'idle' });
  }

  /** Clears the charts for another run; their data becomes the previous run. */
  clear(): void {
    const state = this.#store.getState();
    const { marks, chart } = state;
    const spec = specWithWhatIf(state);
    if (spec !== null && this.history.length > 0)
      this.#previousRuns.set(axesKey(spec), this.#asPreviousRun(spec, marks));
    this.#courseLeft = null;
    this.#store.setState({ chart: viewportOfNewRun(chart), selected: null });
    this.pointing.setState(nothingPointedAt);
    this.history.clear();
    this.lanes.clear();
    this.latchTrace.clear();
    this.phaseReadings.clear();
    this.queues.clear();
  }

  #asPreviousRun(spec: RunSpec, marks: readonly RunMark[]): PreviousRun {
    const { scenarios } = this.#store.getState();
    const { manifest } = scenarioOfSpec(spec, scenarios)!;
    return previousRunOf({ history: this.history.copy(), kind: 'previous', spec, marks }, manifest);
  }

  /** Stores the run so far, in case the reader changes it at an earlier moment. */
  keepCourse(): void {
    const isNewer = this.history.endS > (this.#courseLeft?.seen.history.endS ?? 0);
    if (isNewer) this.#courseLeft = this.courseShown();
  }

  /**
   * Returns the shown run with its interactive changes, and its data in the charts; null before the
   * first one.
   */
  courseShown(): SeenBranch | null {
    const state = this.#store.getState();
    const went = baselineRun(state);
    return went && { spec: went, seen: this.#asPreviousRun(specWithWhatIf(state)!, state.marks) };
  }

  /** Draws this run behind the present one in the charts. */
  showBehind(previousRun: PreviousRun): void {
    const { chart } = this.#store.getState();
    this.#store.setState({ previousRun, chart: { ...chart, isPreviousRunShown: true } });
  }

  /** Draws the abandoned branch behind the present run and reports the fork. */
  takeOtherCourse(): void {
    const left = this.#courseLeft;
    const taken = this.courseShown();
    if (left === null || taken === null || left.seen.history.endS <= this.history.endS) return;
    this.#courseLeft = null;
    this.#store.setState({ previousRun: { ...left.seen, kind: 'other_course' } });
    const atS = this.#store.getState().marks.at(-1)?.step_ns ?? 0;
    this.forked.notify({ left, taken: taken.spec, atS: atS / 1e9 });
  }
}
