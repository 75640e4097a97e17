// Runs specs on the engine of the shown platform: start, pause, steps, changes and rewinds.
import type { Design } from '../contract/design';
import type { Draft } from '../contract/draft';
import { describeValue } from '../contract/fault';
import type { Scenario } from '../contract/manifest';
import type { Moment } from '../contract/page-readings';
import type { Platform } from '../contract/platforms';
import type { RunResult } from '../contract/run-result';
import { latchMissing, type RunSpec } from '../contract/run-spec';
import type { OutcomeFrom } from '../contract/what-if-report';
import { refusedByState } from '../engine-client/command-refused';
import { CommandRefused, type Engine, type EngineFailure } from '../engine-client/engine';
import type { EngineLoader, Rewound, Step } from '../engine-client/engine-host';
import type { LanesNow } from '../recording/lane-history';
import { checkDraft } from './draft';
import { EngineSlot } from './engine-slot';
import {
  refusalInSeries,
  refusalToReplace,
  refusalToStart,
  RunCalledOff,
  RunLock,
  type RunLockTicket,
} from './run-lock';
import { ExtraEngines, workerOf, type RunSeries, type SeriesRunReport } from './run-series';
import { RunWatch } from './run-watch';
import { ShownRun } from './shown-run';
import { createExplorerStore, isLive, nothingRefused, type ExplorerStore, type StoreOptions } from './store';
import { parseWhatIf } from './what-if-input';

export interface RunControlOptions extends StoreOptions {
  loaders: Record<Platform, EngineLoader>;
  /** Memory for checkpoints of a run on the virtual server; 0 disables them. */
  checkpointBytes?: number;
}

/** Owns the engine (engine-slot.ts) and the run lock, and updates the store and the history. */
export class RunControl {
  readonly store: ExplorerStore;
  readonly scenarios: readonly Scenario[];
  readonly shownRun: ShownRun;
  readonly history;
  readonly lanes;
  readonly latchTrace;
  readonly phaseReadings;
  readonly pointing;
  /** Background workers; the caller that requests one must dispose of it. */
  readonly extraEngines: ExtraEngines;
  protected readonly slot: EngineSlot;
  readonly #lock: RunLock;
  #cancelSeries: (() => Promise<void>) | null = null;
  readonly #outstanding = new Set<Promise<unknown>>();
  #watch: RunWatch | null = null;
  #wasHidden = false;

  constructor(options: RunControlOptions) {
    const { scenarios, loaders, checkpointBytes } = options;
    const store = createExplorerStore(options);
    const shownRun = new ShownRun(store);
    this.store = store;
    this.scenarios = scenarios;
    this.shownRun = shownRun;
    this.history = shownRun.history;
    this.lanes = shownRun.lanes;
    this.latchTrace = shownRun.latchTrace;
    this.phaseReadings = shownRun.phaseReadings;
    this.pointing = shownRun.pointing;
    this.extraEngines = new ExtraEngines(store, loaders);
    this.slot = new EngineSlot({
      store,
      loaders,
      checkpointBytes,
      modelListeners: {
        onLanes: (batch) => shownRun.lanes.add(batch),
        onLatchEvents: (batch) => shownRun.latchTrace.add(batch),
        onRewound: (rewound) => this.#onRewound(rewound),
        onKeptReadings: (numbers) => this.#watch?.keepOnly(numbers),
      },
      onFailure: (failure) => this.#watch?.end(failure),
    });
    this.#lock = new RunLock((runLock) => store.setState({ runLock }));
  }

  /**
   * Loads the engine of the shown platform once, and again after a failure. Rejects if the page
   * lacks a capability that the engine needs.
   */
  engine(): Promise<Engine> {
    return this.slot.load();
  }

  /** Changes the next run. Its faults appear in the store, under the names of their fields. */
  editDraft(change: Partial<Draft>): void {
    const { scenarios, machine, draft } = this.store.getState();
    this.store.setState({ ...checkDraft({ ...draft, ...change }, scenarios, machine), ...nothingRefused });
    void this.slot.checkDraft();
  }

  /** Creates and starts the reader's next run. */
  async runDraft(): Promise<void> {
    const { draftSpec, draftErrors } = this.store.getState();
    if (draftSpec === null || draftErrors.length > 0) throw new CommandRefused(draftErrors);
    await this.start(draftSpec);
  }

  /**
   * Prevents the reader from running until the series of `runs` runs ends. `cancel` settles when
   * the last of them is over.
   */
  beginSeries(name: string, cancel: () => Promise<void>, runs = 1): RunSeries {
    this.refuseToStart();
    this.#cancelSeries = cancel;
    this.store.setState({ series: name, refusals: [] });
    // No one rewinds a series, so its runs take no checkpoints.
    void this.slot.engine?.keepKeyframes(0).catch(() => undefined);
    const extraEngines = this.extraEngines.forSeries(runs);
    const endThem = () => {
      for (const engine of extraEngines) engine.dispose();
    };
    return {
      workers: [
        { run: (spec, outcomeFrom) => this.#runOfSeries(spec, outcomeFrom) },
        ...extraEngines.map(workerOf),
      ],
      stop: () => {
        endThem();
        return this.#endRun();
      },
      end: () => {
        endThem();
        this.#cancelSeries = null;
        void this.slot.keepKeyframes().catch(() => undefined);
        this.store.setState({ series: null });
      },
    };
  }

  /** Settles when no series is running. */
  async cancelSeries(): Promise<void> {
    await this.#cancelSeries?.();
  }

  protected async resultOf(starting: Promise<RunWatch>): Promise<RunResult> {
    const watch = await starting;
    const outcome = await watch.over;
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }

  /** Does not change the reader's next run. */
  async #runOfSeries(spec: RunSpec, outcomeFrom?: OutcomeFrom): Promise<SeriesRunReport> {
    this.#wasHidden = false;
    const result = await this.resultOf(this.start(spec, () => undefined, 'series'));
    const report = { result, marks: this.store.getState().marks.length, wasHidden: this.#wasHidden };
    if (outcomeFrom === undefined) return report;
    return { ...report, outcome: await this.#running().outcome(outcomeFrom) };
  }

  pause(): Promise<void> {
    return this.#command('pause', (engine) => engine.pause());
  }

  resume(): Promise<void> {
    return this.#command('resume', (engine) => engine.resume());
  }

  /**
   * Ends the run, or prevents a starting run from beginning. Settles when the page shows what there
   * is of it.
   */
  stop(): Promise<void> {
    return this.#tracked(async () => {
      const run = this.#lock.run;
      if (run === null || run.stage === 'ending') throw this.#refusedNow('stop');
      await this.#stop(run);
    });
  }

  async #stop(run: RunLockTicket): Promise<void> {
    if (run.stage === 'starting') run.callOff();
    else await run.isStopping(this.#running().stop());
    this.#watch?.lookNow();
    await run.over;
  }

  /** Advances paused virtual time by one step. */
  async step(step: Step): Promise<void> {
    await this.#command('step', (engine) => engine.step(step));
  }

  /**
   * Moves to an earlier moment of the run, or forward to a moment reached before. Virtual time then
   * stops there. A finished run can continue from there.
   */
  async goTo(moment: Moment): Promise<void> {
    return this.#tracked(async () => {
      const state = this.store.getState();
      const refusal = refusalToReplace(state) ?? refusalInSeries(state);
      if (refusal !== null) throw refusal;
      if (this.#watch === null || state.opened !== null || state.spec === null)
        throw this.#refusedNow('goTo');
      const engine = this.#running();
      const again = this.#lock.stage === 'none' ? this.#takeAgain() : null;
      try {
        await engine.rewind(moment);
      } catch (error) {
        if (this.#watch.isOver) again?.end();
        throw error;
      }
      this.#watch.lookNow();
    });
  }

  /** Makes a finished run the current one again, so that no other starts. */
  #takeAgain(): RunLockTicket {
    const run = this.#lock.take();
    run.hasBegun();
    return run;
  }

  #onRewound({ reading, laneSegments }: Rewound): void {
    this.shownRun.keepCourse();
    this.lanes.cutFrom(laneSegments);
    this.latchTrace.clear();
    const watch = this.#watch;
    if (watch === null) return;
    // The run may have ended while the worker handled the request.
    const run = this.#lock.run ?? this.#takeAgain();
    if (watch.isOver) {
      watch.reopen();
      void watch.over.then(() => run.end());
    }
    watch.goBackTo(reading);
  }

  /** Sets virtual nanoseconds per real second; null means as fast as possible. */
  async setPace(paceNsPerS: number | null): Promise<void> {
    this.store.setState({ paceNsPerS });
    await this.slot.engine?.setPace(paceNsPerS);
  }

  async fire(action: string): Promise<void> {
    refuseUnknown('action', action, this.store.getState().scenario.manifest.actions);
    await this.#command('fire', (engine) => engine.fire(action));
    this.shownRun.takeOtherCourse();
  }

  /** Changes a knob of the next run, and of the current run if there is one. */
  async setKnob(knob: string, variant: string): Promise<void> {
    refuseUnknown('knob', knob, this.store.getState().scenario.manifest.knobs);
    await this.setDesign({ [knob]: variant });
  }

  /** Changes these knobs of the next run, and of the current run if there is one. */
  async setDesign(design: Design): Promise<void> {
    const { draft, scenario } = this.store.getState();
    for (const [knob, variant] of Object.entries(design)) {
      const { variants } = refuseUnknown('knob', knob, scenario.manifest.knobs);
      const chosen = refuseUnknown(`design.${knob}`, variant, variants);
      const allowed = latchMissing(chosen, variants, draft.latch);
      if (allowed !== null) throw new CommandRefused([{ field: `design.${knob}`, value: variant, allowed }]);
    }
    this.editDraft({ design: { ...draft.design, ...design } });
    const run = this.#lock.run;
    await run?.begun;
    const runState = this.slot.engine?.telemetry.header().runState ?? 'idle';
    if (run?.stage !== 'going' || !isLive(runState)) return;
    await this.#command('set_knob', async (engine) => {
      for (const [knob, variant] of Object.entries(design)) await engine.setKnob(knob, variant);
    });
    this.shownRun.takeOtherCourse();
  }

  /**
   * Changes costs and latches of the current run from now on, with the fields of a run spec's
   * what-if. A run has at most one what-if: the engine refuses another.
   */
  async suppose(input: unknown): Promise<void> {
    const { spec, machine } = this.store.getState();
    if (spec === null) throw this.#refusedNow('suppose');
    const whatIf = parseWhatIf(input, spec, this.scenarios, machine);
    await this.#command('suppose', (engine) => engine.suppose(whatIf));
    const mark = this.store.getState().marks.findLast(({ kind }) => kind === 'what_if');
    if (mark === undefined) return;
    const supposed = { ...whatIf, from_s: mark.step_ns / 1e9 };
    this.store.setState({ whatIfByHand: supposed });
    this.editDraft({ what_if: supposed });
    this.shownRun.takeOtherCourse();
  }

  /** Settles when no command is outstanding and the run's state will not change by itself. */
  async idle(): Promise<void> {
    while (this.#outstanding.size > 0) await Promise.allSettled(this.#outstanding);
    await this.slot.engine?.idle();
  }

  /** Makes the engine fail; settles when it has been replaced. */
  async failForTest(cause: string): Promise<void> {
    const failing = this.#tracked(async () => (await this.engine()).failForTest(cause));
    await failing.catch((error: unknown) => {
      if (error instanceof CommandRefused) throw error;
      return this.engine();
    });
  }

  /**
   * Returns the end of the thread lanes: run time, the state of each thread, and the names of the
   * numbers in lanes.
   */
  lanesNow(): LanesNow | null {
    const telemetry = this.slot.engine?.telemetry;
    if (telemetry === undefined) return null;
    const { runNs: nowNs } = telemetry.header();
    return { nowNs, threads: telemetry.threadsOfRun(), names: telemetry.names() };
  }

  /** Call when the page is hidden, so that no rate spans a time without samples. */
  breakLines(): void {
    this.#wasHidden = true;
    this.#watch?.breakLines();
  }

  protected hasRun(): boolean {
    return this.#lock.run !== null || this.#cancelSeries !== null;
  }

  /** Settles when neither a run nor a series is in progress. */
  protected async endRuns(): Promise<void> {
    await this.cancelSeries();
    await this.#endRun();
  }

  /** Settles when the run has ended: stopped here, by itself or by a failure of the engine. */
  async #endRun(): Promise<void> {
    const run = this.#lock.run;
    if (run === null) return;
    // The run or its engine may be over by then.
    if (run.stage !== 'ending') await this.#stop(run).catch(() => undefined);
    await run.over;
  }

  protected refuseToStart(by: 'reader' | 'series' = 'reader'): void {
    const refusal = refusalToStart(this.store.getState(), by);
    if (refusal !== null) throw refusal;
  }

  /**
   * Starts a run unless another is in progress; settles when its clients run. `prepare` shows it
   * once this run holds the run lock. The lock is released however the run ends.
   */
  protected async start(
    spec: RunSpec,
    prepare: () => void = () => undefined,
    by: 'reader' | 'series' = 'reader',
  ): Promise<RunWatch> {
    return this.#tracked(async () => {
      this.refuseToStart(by);
      const run = this.#lock.take();
      try {
        prepare();
        return await this.#begin(spec, run);
      } catch (error) {
        run.endUnlessBegun();
        throw error;
      }
    });
  }

  async #begin(spec: RunSpec, run: RunLockTicket): Promise<RunWatch> {
    const engine = await run.unlessCalledOff(this.engine());
    this.shownRun.begin(spec);
    try {
      await engine.create(spec);
      if (run.stage === 'ending') await engine.stop();
      run.throwIfCalledOff();
    } catch (error) {
      this.store.setState({ run_state: 'idle' });
      throw error;
    }
    const watch = this.#watchRun(engine, spec);
    this.#watch = watch;
    void watch.over.then(() => run.end());
    run.hasBegun();
    await engine.start();
    watch.lookNow();
    return watch;
  }

  #watchRun(engine: Engine, spec: RunSpec): RunWatch {
    const { store, history, phaseReadings } = this;
    const { queues } = this.shownRun;
    const { manifest } = store.getState().scenario;
    const onFailure = (failure: EngineFailure) => {
      this.slot.replace(failure);
    };
    const watch = new RunWatch({
      ...{ engine, manifest, spec, history, phaseReadings, queues, store },
      onFailure,
    });
    watch.start();
    return watch;
  }

  /** Sends a command to the current run. After the command the page shows its effect. */
  #command(name: string, send: (engine: Engine) => Promise<void>): Promise<void> {
    return this.#tracked(async () => {
      if (this.#lock.stage !== 'going') throw this.#refusedNow(name);
      await send(this.#running());
      this.#watch?.lookNow();
    });
  }

  #refusedNow(command: string): CommandRefused {
    const { run_state } = this.store.getState();
    const ofStage = { none: run_state, starting: 'building', going: run_state, ending: 'stopping' } as const;
    return refusedByState(command, ofStage[this.#lock.stage], 'an active run');
  }

  /** Returns the engine of the current run. */
  #running(): Engine {
    const { engine } = this.slot;
    if (engine === null) throw this.#refusedNow('run');
    return engine;
  }

  async #tracked<T>(work: () => Promise<T>): Promise<T> {
    const promise = work();
    this.#outstanding.add(promise);
    this.store.setState({ commandsOutstanding: this.#outstanding.size });
    try {
      const outcome = await promise;
      this.store.setState({ refusals: [] });
      return outcome;
    } catch (error) {
      // If the run was called off, the caller already knows why it did not begin.
      const isNews = error instanceof CommandRefused && !(error instanceof RunCalledOff);
      if (isNews) this.store.setState({ refusals: error.message.split('\n') });
      throw error;
    } finally {
      this.#outstanding.delete(promise);
      this.store.setState({ commandsOutstanding: this.#outstanding.size });
      this.#watch?.showTurnedKnobs();
    }
  }
}

/** Returns the entry with this id. Throws CommandRefused if there is none. */
export function refuseUnknown<Known extends { id: string }>(
  field: string,
  id: unknown,
  all: readonly Known[],
): Known {
  const known = all.find((candidate) => candidate.id === id);
  if (known !== undefined) return known;
  const allowed = all.length === 0 ? 'none: this bug has none' : all.map((one) => one.id).join(', ');
  throw new CommandRefused([{ field, value: describeValue(id), allowed }]);
}
