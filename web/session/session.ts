// Implements the session: all operations on runs that the page, scripts and tests use.
import type { Design } from '../contract/design';
import type { Moment } from '../contract/page-readings';
import type { Draft } from '../contract/draft';
import { describeValue } from '../contract/fault';
import { refusedByState } from '../engine-client/command-refused';
import { type Engine, CommandRefused, EngineFailure } from '../engine-client/engine';
import type { EngineLoader, Rewound, Step } from '../engine-client/engine-host';
import type { HotLatch, OutcomeFrom, WhatIfStudy } from '../contract/what-if-report';
import { all_platforms, type Platform } from '../contract/platforms';
import { checkDraft, draftOf } from './draft';
import type { LanesNow } from '../recording/lane-history';
import { EngineSlot } from './engine-slot';
import { CommandRegistry } from './command-registry';
import type { Feature, LinkFields } from './feature';
import type { LinkTarget } from './link';
import type { Scenario } from '../contract/manifest';
import { OpenedFiles } from './opened-files';
import { historyRowsOf } from './opened-result';
import type { RunResult } from '../contract/run-result';
import { parseWhatIf } from './what-if-input';
import { defaultRunSpec, latchMissing, parseRunSpec, type Parsed, type RunSpec } from '../contract/run-spec';
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
import {
  createExplorerStore,
  isLive,
  nothingRefused,
  type ExplorerStore,
  type FeatureSlices,
  type Selected,
  type StoreOptions,
  type View,
} from './store';

export interface SessionOptions extends Omit<StoreOptions, 'slices'> {
  loaders: Record<Platform, EngineLoader>;
  features?: readonly Feature[];
  /** Memory for checkpoints of a run on the virtual server; 0 disables them. */
  checkpointBytes?: number;
}

/**
 * Does everything that a reader or a test can do with the page. Owns the engine (engine-slot.ts)
 * and the run lock, and updates the store and the history. Does not depend on React.
 */
export class Session {
  readonly store: ExplorerStore;
  readonly shownRun = new ShownRun(() => this.store);
  readonly history = this.shownRun.history;
  readonly lanes = this.shownRun.lanes;
  readonly latchTrace = this.shownRun.latchTrace;
  readonly phaseReadings = this.shownRun.phaseReadings;
  readonly pointing = this.shownRun.pointing;
  readonly scenarios: readonly Scenario[];
  readonly commands = new CommandRegistry(() => this.store.getState());
  readonly linkFields: readonly LinkFields[];
  readonly files: OpenedFiles;
  /** Background workers; the caller that requests one must dispose of it. */
  readonly extraEngines: ExtraEngines;
  readonly #features: readonly Feature[];
  readonly #linkListeners = new Set<(ofFeatures: object) => void>();
  #cancelSeries: (() => Promise<void>) | null = null;
  readonly #outstanding = new Set<Promise<unknown>>();
  readonly #slot: EngineSlot;
  #watch: RunWatch | null = null;
  readonly #turn: RunLock;
  #wasHidden = false;

  constructor(options: SessionOptions) {
    const { features = [] } = options;
    this.store = createExplorerStore({ ...options, slices: merged(features.map(({ slice }) => slice)) });
    this.scenarios = options.scenarios;
    this.#features = features;
    this.extraEngines = new ExtraEngines(this.store, options.loaders);
    this.files = new OpenedFiles({
      store: this.store,
      scenarios: this.scenarios,
      makeRoomFor: (draft) => this.#show(draft, { leavesRun: true }),
      openView: (view) => {
        this.openView(view);
      },
      openScenario: (id) => this.openScenario(id),
      drawResult: (result) => {
        this.history.show(historyRowsOf(result));
      },
      leaveRun: () => {
        this.shownRun.leave();
      },
    });
    this.linkFields = features.flatMap(({ link }) => link ?? []);
    this.#slot = new EngineSlot({
      store: this.store,
      loaders: options.loaders,
      checkpointBytes: options.checkpointBytes,
      onLanes: (batch) => {
        this.lanes.add(batch);
      },
      onLatchEvents: (batch) => {
        this.latchTrace.add(batch);
      },
      onRewound: (rewound) => {
        this.#onRewound(rewound);
      },
      onKeptReadings: (numbers) => this.#watch?.keepOnly(numbers),
      onFailure: (failure) => this.#watch?.end(failure),
    });
    this.#turn = new RunLock((turn) => {
      this.store.setState({ runLock: turn });
    });
  }

  /**
   * Loads the engine of the shown platform once, and again after a failure. Rejects if the page
   * lacks a capability that the engine needs.
   */
  engine(): Promise<Engine> {
    return this.#slot.load();
  }

  /** Changes the next run. Its faults appear in the store, under the names of their fields. */
  editDraft(change: Partial<Draft>): void {
    const { scenarios, machine, draft } = this.store.getState();
    this.store.setState({ ...checkDraft({ ...draft, ...change }, scenarios, machine), ...nothingRefused });
    void this.#slot.checkDraft();
  }

  /**
   * Makes a link's run the next run, or shows the link's faults. Without a link, shows the start
   * page.
   */
  async openLink(link: Parsed<LinkTarget> | null): Promise<void> {
    if (link === null) {
      this.openView('front');
    } else if (link.ok) {
      const { view, spec, starts } = link.value;
      const draft = this.#draftOfLink(spec);
      const isShown = await this.#show(draft, { view, leavesRun: starts !== undefined });
      if (!isShown) return;
      this.#openSettings(link.value);
      if (starts !== undefined) await this.#startByItself(spec, starts);
    } else {
      this.openView('explorer');
      this.store.setState({ linkErrors: link.errors });
    }
  }

  // If the run does not start, the page already shows why.
  async #startByItself({ scenario, platform }: RunSpec, starts: 'as_linked' | 'first_run'): Promise<void> {
    if (starts === 'first_run') this.store.setState({ firstRun: { scenario, platform } });
    await this.runDraft().catch((error: unknown) => {
      if (!(error instanceof CommandRefused || error instanceof EngineFailure)) throw error;
    });
  }

  /**
   * Calls `listener` with the features' fields whenever a link is opened. Returns a function that
   * stops it.
   */
  onLinkOpened(listener: (ofFeatures: object) => void): () => void {
    this.#linkListeners.add(listener);
    return () => this.#linkListeners.delete(listener);
  }

  #openSettings({ ofFeatures }: LinkTarget): void {
    for (const listener of this.#linkListeners) listener(ofFeatures);
  }

  /** Selects a part of the run for the inspector; null selects nothing. */
  select(selected: Selected | null): void {
    this.store.setState({ selected });
  }

  /** A run continues behind any view. */
  openView(view: View): void {
    this.store.setState({ view });
  }

  // A link without an interval gets the page's sample, not the engine's full seconds.
  #draftOfLink(spec: RunSpec): Draft {
    const { manifest } = this.#scenario(spec.scenario);
    const defaults = defaultRunSpec(manifest, this.store.getState().machine, spec.platform);
    return { ...draftOf(spec), interval_s: spec.interval_s ?? defaults.interval_s ?? null };
  }

  /** Shows a scenario, with its defaults as the next run. Stops a run of another scenario first. */
  async openScenario(id: string): Promise<void> {
    const { manifest } = this.#scenario(id);
    if (this.store.getState().view === 'front') this.openView('explorer');
    const { draft, opening, machine } = this.store.getState();
    if ((opening ?? draft).scenario === id) return;
    const platform = (opening ?? draft).platform;
    if (await this.#show(draftOf(defaultRunSpec(manifest, machine, platform)))) await this.#slot.checkDraft();
  }

  /**
   * Shows the same scenario and design on another platform, with its defaults. Stops the current
   * run first.
   */
  async openPlatform(platform: Platform): Promise<void> {
    if (!all_platforms.includes(platform)) {
      const allowed = all_platforms.join(' or ');
      throw new CommandRefused([{ field: 'platform', value: describeValue(platform), allowed }]);
    }
    const { draft, opening, machine, missing } = this.store.getState();
    const shown = opening ?? draft;
    if (shown.platform === platform) return;
    if (missing[platform].length > 0) {
      const allowed = missing[platform].map(({ explanation }) => explanation).join(' ');
      throw new CommandRefused([{ field: 'platform', value: platform, allowed: `unavailable: ${allowed}` }]);
    }
    const { manifest } = this.#scenario(shown.scenario);
    const { design, latch } = shown;
    await this.#show({ ...draftOf(defaultRunSpec(manifest, machine, platform)), design, latch });
  }

  /**
   * Shows a run spec as the next run, after stopping the current run. Rejects with a CommandRefused
   * that names every fault.
   */
  async openRun(input: unknown): Promise<void> {
    const spec = this.#parsed(input);
    await this.#show(draftOf(spec), { leavesRun: true, view: this.#viewOfRun() });
  }

  /** Creates and starts the reader's next run. */
  async runDraft(): Promise<void> {
    const { draftSpec, draftErrors } = this.store.getState();
    if (draftSpec === null || draftErrors.length > 0) throw new CommandRefused(draftErrors);
    await this.#start(draftSpec);
  }

  /** Runs a spec to its end. Rejects with a CommandRefused that names every fault. */
  async run(input: unknown): Promise<RunResult> {
    const spec = this.#parsed(input);
    return this.#resultOf(
      this.#start(spec, () => {
        this.#place(draftOf(spec), this.#viewOfRun());
      }),
    );
  }

  #parsed(input: unknown): RunSpec {
    const parsed = parseRunSpec(input, this.scenarios, this.store.getState().machine);
    if (!parsed.ok) throw new CommandRefused(parsed.errors);
    return parsed.value;
  }

  /** Returns the shown view, or the explorer if the start page is shown. */
  #viewOfRun(): View {
    const { view } = this.store.getState();
    return view === 'front' ? 'explorer' : view;
  }

  /**
   * Shows what a link would show, at once and without starting a run. Throws CommandRefused during
   * a run.
   */
  place(target: LinkTarget): void {
    this.#refuseToStart();
    this.#place(this.#draftOfLink(target.spec), target.view);
    this.#openSettings(target);
  }

  /**
   * Prevents the reader from running until the series of `runs` runs ends. `cancel` settles when
   * the last of them is over.
   */
  beginSeries(name: string, cancel: () => Promise<void>, runs = 1): RunSeries {
    this.#refuseToStart();
    this.#cancelSeries = cancel;
    this.store.setState({ series: name, refusals: [] });
    // No one rewinds a series, so its runs take no checkpoints.
    void this.#slot.engine?.keepKeyframes(0).catch(() => undefined);
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
        void this.#slot.keepKeyframes().catch(() => undefined);
        this.store.setState({ series: null });
      },
    };
  }

  /** Settles when no series is running. */
  async cancelSeries(): Promise<void> {
    await this.#cancelSeries?.();
  }

  async #resultOf(starting: Promise<RunWatch>): Promise<RunResult> {
    const watch = await starting;
    const outcome = await watch.over;
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }

  /** Does not change the reader's next run. */
  async #runOfSeries(spec: RunSpec, outcomeFrom?: OutcomeFrom): Promise<SeriesRunReport> {
    this.#wasHidden = false;
    const result = await this.#resultOf(this.#start(spec, () => undefined, 'series'));
    const report = { result, marks: this.store.getState().marks.length, wasHidden: this.#wasHidden };
    if (outcomeFrom === undefined) return report;
    return { ...report, outcome: await this.#running().outcome(outcomeFrom) };
  }

  /** Returns the report of a study. The engine computes its figures, as on the command line. */
  async whatIfReport(study: WhatIfStudy): Promise<string> {
    return (await this.#slot.load()).whatIfReport(study);
  }

  /** Returns the most expensive latches of a study's unchanged runs. */
  async hotLatches(study: WhatIfStudy): Promise<HotLatch[]> {
    return (await this.#slot.load()).hotLatches(study);
  }

  /**
   * Shows a run spec and starts it, after stopping the current run. Settles when it has started.
   */
  async startRun(spec: RunSpec): Promise<void> {
    const refusal = refusalToReplace(this.store.getState());
    if (refusal !== null) throw refusal;
    if (this.#hasRun()) await this.#endRuns();
    await this.#start(spec, () => {
      this.#place(draftOf(spec));
    });
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
      const run = this.#turn.run;
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
      const again = this.#turn.stage === 'none' ? this.#takeAgain() : null;
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
    const run = this.#turn.take();
    run.hasBegun();
    return run;
  }

  /**
   * Sets the memory budget for checkpoints of the next run; 0 disables them. Real threads have
   * none.
   */
  async keepMoments(budgetBytes: number): Promise<void> {
    await (await this.engine()).keepKeyframes(budgetBytes);
  }

  #onRewound({ reading, laneSegments }: Rewound): void {
    this.shownRun.keepCourse();
    this.lanes.cutFrom(laneSegments);
    this.latchTrace.clear();
    const watch = this.#watch;
    if (watch === null) return;
    // The run may have ended while the worker handled the request.
    const run = this.#turn.run ?? this.#takeAgain();
    if (watch.isOver) {
      watch.reopen();
      void watch.over.then(() => {
        run.end();
      });
    }
    watch.goBackTo(reading);
  }

  /** Sets virtual nanoseconds per real second; null means as fast as possible. */
  async setPace(paceNsPerS: number | null): Promise<void> {
    this.store.setState({ paceNsPerS });
    await this.#slot.engine?.setPace(paceNsPerS);
  }

  async fire(action: string): Promise<void> {
    refuseUnknown('action', action, this.store.getState().scenario.manifest.actions);
    await this.#command('fire', (engine) => engine.fire(action));
    this.shownRun.takeOtherCourse();
  }

  /** Changes a knob of the next run, and of the current run if there is one. */
  setKnob(knob: string, variant: string): Promise<void> {
    return this.setDesign({ [knob]: variant });
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
    const run = this.#turn.run;
    await run?.begun;
    const runState = this.#slot.engine?.telemetry.header().runState ?? 'idle';
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
    await this.#slot.engine?.idle();
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
    const telemetry = this.#slot.engine?.telemetry;
    if (telemetry === undefined) return null;
    const { runNs: nowNs } = telemetry.header();
    return { nowNs, threads: telemetry.threadsOfRun(), names: telemetry.names() };
  }

  /** Call when the page is hidden, so that no rate spans a time without samples. */
  breakLines(): void {
    this.#wasHidden = true;
    this.#watch?.breakLines();
  }

  #scenario(id: string): Scenario {
    const { id: known } = refuseUnknown(
      'scenario',
      id,
      this.scenarios.map(({ manifest }) => manifest),
    );
    return this.scenarios.find(({ manifest }) => manifest.id === known)!;
  }

  /**
   * Makes `draft` the next run. Ends the current run first if the draft has another scenario or
   * platform, or if the run is to be left. Returns false if the reader has requested something else
   * meanwhile. View and scenario change together, so that the address bar changes only once.
   */
  async #show(
    draft: Draft,
    { leavesRun = false, view = this.store.getState().view }: { leavesRun?: boolean; view?: View } = {},
  ): Promise<boolean> {
    const leaves = leavesRun || !this.#isShown(draft);
    const hasRun = this.#hasRun();
    const { bug } = this.store.getState().scenario.manifest;
    if (leaves && hasRun) {
      this.store.setState({ opening: draft, view });
      await this.#endRuns();
      if (this.store.getState().opening !== draft) return false;
    }
    if (leaves) this.#leaveFor(draft, view, hasRun ? `Run of bug #${bug} stopped` : '');
    else this.#place(draft, view);
    return true;
  }

  #isShown({ scenario, platform }: Draft): boolean {
    const { scenario: shown, draft } = this.store.getState();
    return scenario === shown.manifest.id && platform === draft.platform;
  }

  #hasRun(): boolean {
    return this.#turn.run !== null || this.#cancelSeries !== null;
  }

  /**
   * Makes `draft` the next run at once.
   * REQUIRES: no run is in progress if the draft has another scenario or platform.
   */
  #place(draft: Draft, view = this.store.getState().view): void {
    if (!this.#isShown(draft)) {
      this.#leaveFor(draft, view, '');
      return;
    }
    this.store.setState({ opening: null, view });
    this.editDraft(draft);
  }

  /** Makes `draft` the next run and forgets the last run. */
  #leaveFor(draft: Draft, view: View, announcement: string): void {
    this.shownRun.leave();
    const before = this.store.getState();
    const { scenarios, machine, draft: shown } = before;
    const isOtherScenario = draft.scenario !== shown.scenario;
    if (draft.platform !== shown.platform) this.#slot.leave();
    this.store.setState({
      view,
      scenario: this.#scenario(draft.scenario),
      ...merged(this.#features.map((feature) => feature.sliceAfterLeaving?.(before, isOtherScenario))),
      opening: null,
      announcement,
      ...checkDraft(draft, scenarios, machine),
    });
    if (draft.platform === shown.platform) void this.#slot.checkDraft();
    else this.engine().catch(() => undefined);
  }

  /** Settles when neither a run nor a series is in progress. */
  async #endRuns(): Promise<void> {
    await this.cancelSeries();
    await this.#endRun();
  }

  /** Settles when the run has ended: stopped here, by itself or by a failure of the engine. */
  async #endRun(): Promise<void> {
    const run = this.#turn.run;
    if (run === null) return;
    // The run or its engine may be over by then.
    if (run.stage !== 'ending') await this.#stop(run).catch(() => undefined);
    await run.over;
  }

  #refuseToStart(by: 'reader' | 'series' = 'reader'): void {
    const refusal = refusalToStart(this.store.getState(), by);
    if (refusal !== null) throw refusal;
  }

  /**
   * Starts a run unless another is in progress; settles when its clients run. `prepare` shows it
   * once this run holds the run lock. The lock is released however the run ends.
   */
  async #start(
    spec: RunSpec,
    prepare: () => void = () => undefined,
    by: 'reader' | 'series' = 'reader',
  ): Promise<RunWatch> {
    return this.#tracked(async () => {
      this.#refuseToStart(by);
      const run = this.#turn.take();
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
    void watch.over.then(() => {
      run.end();
    });
    run.hasBegun();
    await engine.start();
    watch.lookNow();
    return watch;
  }

  #watchRun(engine: Engine, spec: RunSpec): RunWatch {
    const { store, history, phaseReadings } = this;
    const { manifest } = store.getState().scenario;
    const onFailure = (failure: EngineFailure) => {
      this.#slot.replace(failure);
    };
    const watch = new RunWatch({
      ...{ engine, manifest, spec, history, phaseReadings, store },
      onFailure,
    });
    watch.start();
    return watch;
  }

  /** Sends a command to the current run. After the command the page shows its effect. */
  #command(name: string, send: (engine: Engine) => Promise<void>): Promise<void> {
    return this.#tracked(async () => {
      if (this.#turn.stage !== 'going') throw this.#refusedNow(name);
      await send(this.#running());
      this.#watch?.lookNow();
    });
  }

  #refusedNow(command: string): CommandRefused {
    const { run_state } = this.store.getState();
    const ofStage = { none: run_state, starting: 'building', going: run_state, ending: 'stopping' } as const;
    return refusedByState(command, ofStage[this.#turn.stage], 'an active run');
  }

  /** Returns the engine of the current run. */
  #running(): Engine {
    const { engine } = this.#slot;
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

/** Merges the slices of several features. */
const merged = (slices: readonly (Partial<FeatureSlices> | undefined)[]): Partial<FeatureSlices> =>
  Object.assign({}, ...slices) as Partial<FeatureSlices>;

/** Returns the entry with this id. Throws CommandRefused if there is none. */
function refuseUnknown<Known extends { id: string }>(
  field: string,
  id: unknown,
  all: readonly Known[],
): Known {
  const known = all.find((candidate) => candidate.id === id);
  if (known !== undefined) return known;
  const allowed = all.length === 0 ? 'none: this bug has none' : all.map((one) => one.id).join(', ');
  throw new CommandRefused([{ field, value: describeValue(id), allowed }]);
}
