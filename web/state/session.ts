import { CommandRefused, Engine, EngineFailure } from '../engine-client/engine';
import type { EngineLoader } from '../engine-client/engine-host';
import type { FieldError } from '../engine-client/field-error';
import type { Platform } from '../engine-client/platforms';
import type { Step } from '../engine-client/virtual-protocol';
import { createPointingStore, nothing_pointed_at, viewportOfNewRun } from './chart-viewport';
import type { BatchRunReport } from './batch';
import { checkDraft, draftOf, type Draft } from './draft';
import { no_experiments } from './experiment-plan';
import { Experiments } from './experiments';
import { History } from './history';
import { LaneHistory, type LanesNow } from './lane-history';
import { LessonGuide } from './lesson-guide';
import type { LinkTarget } from './link';
import type { Manifest, Scenario } from './manifest';
import { historyRowsOf, shownOfResult } from './opened-result';
import type { RunResult } from './run-result';
import { FILE_BYTES_MAX, fileTooLarge, parseRunResult } from './run-result-file';
import { axesKey, designsInWords, type RunBefore } from './run-before';
import { Presenter } from './presenter';
import { defaultRunSpec, parseRunSpec, type Parsed, type RunSpec } from './run-spec';
import { RunWatch } from './run-watch';
import { empty_server_log } from './server-log';
import type { PictureDrawer } from './take-away';
import {
  canRun,
  createExplorerStore,
  isLive,
  missingHere,
  type ExplorerStore,
  type StoreOptions,
  type View,
} from './store';

export interface SessionOptions extends StoreOptions {
  loaders: Record<Platform, EngineLoader>;
  /** Draws the charts into a file; what draws on the page is no business of a session. */
  drawPicture?: PictureDrawer;
}

/**
 * Everything that a reader or a test can do with the page. Owns the engine and replaces it when it fails; keeps the
 * store and the history up to date. Knows nothing of React.
 */
export class Session {
  readonly store: ExplorerStore;
  readonly history = new History();
  readonly scenarios: readonly Scenario[];
  readonly lanes = new LaneHistory();
  readonly lesson = new LessonGuide(this);
  readonly presenter = new Presenter(this);
  readonly experiments: Experiments;
  /** What the reader points at in the charts. */
  readonly pointing = createPointingStore();
  /** The last run of each scenario and platform that is not shown any more. */
  readonly #runs_before = new Map<string, RunBefore>();
  readonly drawPicture: PictureDrawer;
  readonly #loaders: Record<Platform, EngineLoader>;
  readonly #outstanding = new Set<Promise<unknown>>();
  #loading: Promise<Engine> | null = null;
  #loads = 0;
  #engine: Engine | null = null;
  #watch: RunWatch | null = null;
  #was_hidden = false;

  constructor(options: SessionOptions) {
    this.store = createExplorerStore(options);
    this.scenarios = options.scenarios;
    this.#loaders = options.loaders;
    this.drawPicture = options.drawPicture ?? refuseToDraw;
    this.experiments = new Experiments({
      store: this.store,
      run: (spec, onStarted) => this.#runForBatch(spec, onStarted),
      stop: () => this.stop(),
      now_ms: () => performance.now(),
    });
  }

  /** Loads the engine of the platform that is shown, once, and again after a failure. Rejects where the page lacks what it needs. */
  engine(): Promise<Engine> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Changes the next run; faults are kept in the store, under the names of their fields. */
  editDraft(change: Partial<Draft>): void {
    const { scenarios, machine, draft } = this.store.getState();
    this.store.setState({ ...checkDraft({ ...draft, ...change }, scenarios, machine), ...nothing_refused });
    void this.#checkByEngine();
  }

  /** Takes what a link says as the next run, or keeps its faults for the reader. No link is the start page. */
  async openLink(link: Parsed<LinkTarget> | null): Promise<void> {
    if (link === null) {
      this.openView('front');
    } else if (link.ok) {
      const { view, spec, starts, comparison_settings, sweep_settings } = link.value;
      await this.#show(this.#draftOfLink(spec), { view, leaves_run: starts !== undefined });
      this.store.setState({ comparison_settings, sweep_settings });
      this.#openGuidance(link.value);
      if (starts !== undefined) await this.#startByItself(spec, starts);
    } else {
      this.openView('explorer');
      this.store.setState({ link_errors: link.errors });
    }
  }

  // Why it does not start, if so, the page shows already.
  async #startByItself({ scenario, platform }: RunSpec, starts: 'as_linked' | 'first_run'): Promise<void> {
    const { draft, opening } = this.store.getState();
    // Meanwhile the reader may have wished for something else.
    if (opening !== null || draft.scenario !== scenario || draft.platform !== platform) return;
    if (starts === 'first_run') this.store.setState({ first_run: { scenario, platform } });
    await this.runDraft().catch((error: unknown) => {
      if (!(error instanceof CommandRefused || error instanceof EngineFailure)) throw error;
    });
  }

  // Where the address bar says nothing of it, as after Back, the lesson is closed.
  #openGuidance({ lesson_step, is_presenting }: LinkTarget): void {
    const { lesson, presenter } = this.store.getState();
    if (lesson_step === null) this.lesson.close();
    else if (lesson_step !== lesson?.step) this.lesson.open(lesson_step);
    if (is_presenting !== presenter.is_on) this.presenter.turn(is_presenting);
  }

  /** A run that goes on goes on behind any view. */
  openView(view: View): void {
    this.store.setState({ view });
  }

  // A link that says nothing of it gets the page's sample, not the engine's full seconds.
  #draftOfLink(spec: RunSpec): Draft {
    const { manifest } = this.#scenario(spec.scenario);
    const defaults = defaultRunSpec(manifest, this.store.getState().machine, spec.platform);
    return { ...draftOf(spec), interval_s: spec.interval_s ?? defaults.interval_s ?? null };
  }

  /** Shows a scenario, with its defaults as the next run. A run of another scenario is stopped first. */
  async openScenario(id: string): Promise<void> {
    const { manifest } = this.#scenario(id);
    if (this.store.getState().view === 'front') this.openView('explorer');
    const { draft, opening, machine } = this.store.getState();
    if ((opening ?? draft).scenario === id) return;
    const platform = (opening ?? draft).platform;
    await this.#show(draftOf(defaultRunSpec(manifest, machine, platform)));
  }

  /** Shows the same scenario and design on another platform, with its defaults. A run that goes on is stopped first. */
  async openPlatform(platform: Platform): Promise<void> {
    const { draft, opening, machine, missing } = this.store.getState();
    const shown = opening ?? draft;
    if (shown.platform === platform) return;
    if (missing[platform].length > 0) {
      const allowed = missing[platform].map(({ explanation }) => explanation).join(' ');
      throw new CommandRefused([{ field: 'platform', value: platform, allowed: `not here: ${allowed}` }]);
    }
    const { manifest } = this.#scenario(shown.scenario);
    await this.#show({ ...draftOf(defaultRunSpec(manifest, machine, platform)), design: shown.design });
  }

  /** Creates and starts the run that the reader has put together. */
  async runDraft(): Promise<void> {
    const { draft_spec, draft_errors } = this.store.getState();
    if (draft_spec === null || draft_errors.length > 0) throw new CommandRefused(draft_errors);
    await this.#tracked(() => this.#begin(draft_spec));
  }

  /** Runs a spec to its end. Rejects with a CommandRefused that names every fault. */
  async run(input: unknown): Promise<RunResult> {
    const parsed = parseRunSpec(input, this.scenarios, this.store.getState().machine);
    if (!parsed.ok) throw new CommandRefused(parsed.errors);
    await this.#tracked(() => this.#refuseWhileRunning());
    if (this.store.getState().view === 'front') this.openView('explorer');
    await this.#show(draftOf(parsed.value));
    await this.#tracked(() => this.#begin(parsed.value));
    return this.#resultOfRun();
  }

  async #resultOfRun(): Promise<RunResult> {
    const engine = await this.engine();
    await engine.finished();
    const result = (await engine.result()) as RunResult;
    // By then the page shows it, too.
    await this.#watch?.over;
    return result;
  }

  /** A run of a comparison or a sweep. The reader's next run stays as it is. */
  async #runForBatch(spec: RunSpec, onStarted: () => void): Promise<BatchRunReport> {
    this.#was_hidden = false;
    await this.#tracked(() => this.#begin(spec, 'batch'));
    onStarted();
    try {
      const result = await this.#resultOfRun();
      return { result, marks: this.store.getState().marks.length, was_hidden: this.#was_hidden };
    } catch (error) {
      if (error instanceof EngineFailure) this.#replaceEngine(error);
      throw error;
    }
  }

  /** Shows a run spec and starts it; a run that goes on is stopped first. Settles when it has started. */
  async startRun(spec: RunSpec): Promise<void> {
    await this.#endRun();
    // By then the page knows that it has ended.
    await this.#watch?.over;
    await this.#show(draftOf(spec));
    await this.runDraft();
  }

  pause(): Promise<void> {
    return this.#command((engine) => engine.pause());
  }

  resume(): Promise<void> {
    return this.#command((engine) => engine.resume());
  }

  stop(): Promise<void> {
    return this.#command((engine) => engine.stop());
  }

  /**
   * Shows a run result that was saved to a file; a run that goes on is stopped first. Rejects with what is wrong with
   * the file, and then nothing has changed.
   */
  async openResult(text: string, name = 'a run result'): Promise<void> {
    const parsed = parseRunResult(text, this.scenarios);
    if (!parsed.ok) this.#refuseFile(name, parsed.errors);
    const draft = draftOf(parsed.value.spec);
    await this.#show(draft, { leaves_run: true });
    // Meanwhile the reader may have wished for something else.
    if (this.store.getState().draft !== draft) return;
    this.openView('explorer');
    const opened = { name };
    const { manifest } = this.store.getState().scenario;
    const announcement = `Opened ${name}`;
    const shown = shownOfResult(parsed.value, manifest, opened);
    this.store.setState({ ...shown, opened, result_json: text, announcement });
    for (const row of historyRowsOf(parsed.value)) this.history.append(row);
  }

  /** The same with a file of the reader's device. */
  async openResultFile(file: File): Promise<void> {
    if (file.size > FILE_BYTES_MAX) this.#refuseFile(file.name, [fileTooLarge(file.size)]);
    await this.openResult(await file.text(), file.name);
  }

  /** Keeps for the reader why a file was not opened. */
  #refuseFile(name: string, errors: FieldError[]): never {
    this.store.setState({ file_refused: { name, errors } });
    throw new CommandRefused(errors);
  }

  /** Shows no result any more. */
  closeResult(): void {
    if (this.store.getState().opened !== null) this.#leaveRun();
  }

  /** Lets frozen virtual time go on a little. */
  async step(step: Step): Promise<void> {
    await this.#command((engine) => engine.step(step));
    this.#watch?.lookNow();
  }

  /** How fast virtual time passes: nanoseconds for each real second; null: as fast as possible. */
  async setPace(pace_ns_per_s: number | null): Promise<void> {
    this.store.setState({ pace_ns_per_s });
    await this.#engine?.setPace(pace_ns_per_s);
  }

  fire(action: string): Promise<void> {
    return this.#command((engine) => engine.fire(action));
  }

  /** Turns a knob of the next run, and of the one that goes on, if there is one. */
  async setKnob(knob: string, variant: string): Promise<void> {
    const { draft, scenario, run_state } = this.store.getState();
    refuseUnknownVariant(scenario.manifest, knob, variant);
    this.editDraft({ design: { ...draft.design, [knob]: variant } });
    if (isLive(run_state)) await this.#command((engine) => engine.setKnob(knob, variant));
  }

  /** Settles when no command is outstanding and the run stands in a state that lasts. */
  async idle(): Promise<void> {
    while (this.#outstanding.size > 0) await Promise.allSettled(this.#outstanding);
    await this.#engine?.idle();
  }

  /** Makes the engine fail an assertion; settles when it has been replaced. */
  async failForTest(): Promise<void> {
    const failing = this.#command((engine) => engine.failForTest());
    await failing.catch(() => this.engine());
  }

  /** Where thread lanes end: run time, what each thread does then, and what the numbers in lanes are called. */
  lanesNow(): LanesNow | null {
    const telemetry = this.#engine?.telemetry;
    if (telemetry === undefined) return null;
    const { run_ns: now_ns } = telemetry.header();
    return { now_ns, threads: telemetry.threadsOfRun(), names: telemetry.names() };
  }

  /** Call when the page is hidden: no rate may be worked out across a time in which nobody looked. */
  breakLines(): void {
    this.#was_hidden = true;
    this.#watch?.breakLines();
  }

  #scenario(id: string): Scenario {
    const scenario = this.scenarios.find(({ manifest }) => manifest.id === id);
    if (scenario !== undefined) return scenario;
    const allowed = this.scenarios.map(({ manifest }) => manifest.id).join(', ');
    throw new CommandRefused([{ field: 'scenario', value: id, allowed }]);
  }

  /**
   * Makes `draft` the next run. If it is of another scenario or platform, or the run is to be left, the run that goes on
   * ends, and that one is shown. View and scenario change at once, so that the address bar goes to one place.
   */
  async #show(
    draft: Draft,
    { leaves_run = false, view = this.store.getState().view }: { leaves_run?: boolean; view?: View } = {},
  ): Promise<void> {
    const { scenario, draft: shown, run_state } = this.store.getState();
    const is_shown = draft.scenario === scenario.manifest.id && draft.platform === shown.platform;
    if (is_shown && !leaves_run) {
      this.store.setState({ opening: null, view });
      this.editDraft(draft);
      return;
    }
    const is_batch = this.store.getState().batch !== null;
    const has_run = is_batch || !canRun(run_state) || this.#outstanding.size > 0;
    if (has_run) {
      this.store.setState({ opening: draft, view });
      await this.experiments.cancel();
      await this.#endRun();
      // Meanwhile the reader may have wished for yet another one.
      if (this.store.getState().opening !== draft) return;
    }
    this.#leaveRun();
    const { scenarios, machine } = this.store.getState();
    if (draft.platform !== shown.platform) this.#leaveEngine();
    this.store.setState({
      view,
      scenario: this.#scenario(draft.scenario),
      evidence: { ...this.store.getState().evidence, tab: null },
      ...(draft.scenario === shown.scenario ? experiments_elsewhere : { ...no_experiments, lesson: null }),
      opening: null,
      announcement: has_run ? `The run of bug #${scenario.manifest.bug} was stopped` : '',
      ...checkDraft(draft, scenarios, machine),
    });
    if (draft.platform === shown.platform) await this.#checkByEngine();
    else this.engine().catch(() => undefined);
  }

  /** One engine at a time: that of another platform is loaded when it is shown. */
  #leaveEngine(): void {
    const engine = this.#engine;
    this.#engine = null;
    this.#loading = null;
    this.#loads += 1;
    this.store.setState({ engine_status: 'not_loaded', engine_version: null, engine_failure: null });
    engine?.dispose();
  }

  /** Settles when no run goes on any more, whether by our stop, by itself or by a failure of the engine. */
  async #endRun(): Promise<void> {
    await this.idle().catch(() => undefined);
    const run_state = this.#engine?.telemetry.header().run_state ?? 'idle';
    if (isLive(run_state)) await this.stop().catch(() => undefined);
  }

  /** Forgets everything seen of the last run, but why its engine failed. */
  #leaveRun(): void {
    const { engine_failure } = this.store.getState();
    this.#watch?.end();
    this.#clearCharts();
    this.store.setState({ ...nothing_seen_yet, engine_failure, spec: null, run_state: 'idle' });
  }

  /** Makes room for another run in the charts; what they showed becomes the run before. */
  #clearCharts(): void {
    const { spec, marks, chart } = this.store.getState();
    if (spec !== null && this.history.length > 0) {
      const design = designsInWords(spec, marks, this.#scenario(spec.scenario).manifest);
      const history = this.history.copy();
      this.#runs_before.set(axesKey(spec), { history, design, threads: spec.threads });
    }
    this.store.setState({ chart: viewportOfNewRun(chart) });
    this.pointing.setState(nothing_pointed_at);
    this.history.clear();
    this.lanes.clear();
  }

  // The engine knows limits that concern several fields at once; while it is not loaded, they are not checked yet.
  async #checkByEngine(): Promise<void> {
    const { draft_spec } = this.store.getState();
    if (draft_spec === null || this.#engine === null) return;
    const draft_errors = await this.#engine.check(draft_spec).catch(() => null);
    if (draft_errors !== null && this.store.getState().draft_spec === draft_spec) {
      this.store.setState({ draft_errors });
    }
  }

  async #load(): Promise<Engine> {
    const { platform } = this.store.getState().draft;
    this.#loads += 1;
    const load = this.#loads;
    // Meanwhile another platform was wished for.
    const is_left = () => this.#loads !== load;
    try {
      this.#refuseIncapablePage();
      this.store.setState({ engine_status: 'loading' });
      const engine = await Engine.load(this.#loaders[platform]);
      if (is_left()) {
        engine.dispose();
        return await this.engine();
      }
      this.#engine = engine;
      if (engine.model !== null) {
        engine.model.onLanes = (batch) => {
          this.lanes.add(batch);
        };
        await engine.setPace(this.store.getState().pace_ns_per_s);
      }
      await this.#checkByEngine();
      this.store.setState({ engine_status: 'ready', engine_version: engine.version });
      return engine;
    } catch (error) {
      if (is_left()) return this.engine();
      this.#loading = null;
      this.store.setState({ engine_status: 'not_loaded', engine_failure: messageOf(error) });
      throw error;
    }
  }

  #refuseIncapablePage(): void {
    const missing = missingHere(this.store.getState());
    if (missing.length === 0) return;
    throw new EngineFailure(missing.map(({ explanation, remedy }) => `${explanation} ${remedy}`).join('\n'));
  }

  #refuseWhileRunning(by: 'reader' | 'batch' = 'reader'): Promise<void> {
    const { run_state, batch } = this.store.getState();
    const allowed = 'when the run before is stopped';
    const is_taken = by === 'reader' && batch !== null;
    if (canRun(run_state) && !is_taken) return Promise.resolve();
    const value = is_taken ? `a ${batch.plan.kind} goes on` : run_state;
    return Promise.reject(new CommandRefused([{ field: 'run', value, allowed }]));
  }

  async #begin(spec: RunSpec, by: 'reader' | 'batch' = 'reader'): Promise<void> {
    const engine = await this.engine();
    await this.#refuseWhileRunning(by);
    this.#watch?.end();
    this.#clearCharts();
    const run_before = this.#runs_before.get(axesKey(spec)) ?? null;
    this.store.setState({ ...nothing_seen_yet, run_before, spec, run_state: 'building' });
    try {
      await engine.create(spec);
    } catch (error) {
      this.store.setState({ run_state: 'idle' });
      throw error;
    }
    this.#watch = this.#watchRun(engine, spec);
    await engine.start();
  }

  #watchRun(engine: Engine, spec: RunSpec): RunWatch {
    const { store, history } = this;
    const { manifest } = store.getState().scenario;
    const onFailure = (failure: EngineFailure) => {
      this.#replaceEngine(failure);
    };
    const watch = new RunWatch({ engine, manifest, spec, history, store, onFailure });
    watch.start();
    return watch;
  }

  #command(send: (engine: Engine) => Promise<void>): Promise<void> {
    return this.#tracked(async () => {
      await send(await this.engine());
    });
  }

  async #tracked(work: () => Promise<void>): Promise<void> {
    const promise = work();
    this.#outstanding.add(promise);
    this.store.setState({ commands_outstanding: this.#outstanding.size });
    try {
      await promise;
      this.store.setState({ refusals: [] });
    } catch (error) {
      if (error instanceof CommandRefused) this.store.setState({ refusals: error.message.split('\n') });
      if (error instanceof EngineFailure) this.#replaceEngine(error);
      throw error;
    } finally {
      this.#outstanding.delete(promise);
      this.store.setState({ commands_outstanding: this.#outstanding.size });
    }
  }

  /** Throws the engine that failed away and loads a fresh one, so that the page can be used again. */
  #replaceEngine(failure: EngineFailure): void {
    const failed = this.#engine;
    if (failed?.failure() !== failure) return;
    this.#watch?.end();
    this.#engine = null;
    this.#loading = null;
    this.store.setState({ run_state: 'idle', engine_status: 'not_loaded', engine_failure: failure.message });
    failed.dispose();
    this.engine().catch(() => undefined);
  }
}

const refuseToDraw: PictureDrawer = () => Promise.reject(new Error('Nothing draws charts here.'));

const nothing_refused = { refusals: [], link_errors: [], file_refused: null };

/** What is known of experiments on another platform. */
const experiments_elsewhere = { comparison: null, sweep: null };

const nothing_seen_yet = {
  ...nothing_refused,
  announcement: '',
  engine_failure: null,
  marks: [],
  run_before: null,
  log: [],
  server_log: empty_server_log,
  intervals: [],
  live: null,
  model: null,
  sysbench_report: null,
  result: null,
  result_json: null,
  latencies: null,
  opened: null,
};

function refuseUnknownVariant(manifest: Manifest, knob: string, variant: string): void {
  const known_knob = manifest.knobs.find(({ id }) => id === knob);
  if (known_knob === undefined) {
    const allowed = manifest.knobs.map(({ id }) => id).join(', ');
    throw new CommandRefused([{ field: 'knob', value: knob, allowed }]);
  }
  const variants = known_knob.variants.map(({ id }) => id);
  if (!variants.includes(variant)) {
    throw new CommandRefused([{ field: `design.${knob}`, value: variant, allowed: variants.join(', ') }]);
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
