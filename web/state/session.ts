import { CommandRefused, Engine, EngineFailure } from '../engine-client/engine';
import type { EngineLoader } from '../engine-client/engine-host';
import type { Platform } from '../engine-client/platforms';
import type { Step } from '../engine-client/virtual-protocol';
import { checkDraft, draftOf, type Draft } from './draft';
import { History } from './history';
import { LaneHistory } from './lane-history';
import type { Manifest, Scenario } from './manifest';
import type { RunResult } from './run-result';
import { defaultRunSpec, parseRunSpec, type Parsed, type RunSpec } from './run-spec';
import { RunWatch } from './run-watch';
import { empty_server_log } from './server-log';
import {
  canRun,
  createExplorerStore,
  isLive,
  missingHere,
  type ExplorerStore,
  type StoreOptions,
} from './store';

/**
 * Everything that a reader or a test can do with the page. Owns the engine and replaces it when it fails; keeps the
 * store and the history up to date. Knows nothing of React.
 */
export class Session {
  readonly store: ExplorerStore;
  readonly history = new History();
  readonly scenarios: readonly Scenario[];
  readonly lanes = new LaneHistory();
  readonly #loaders: Record<Platform, EngineLoader>;
  readonly #outstanding = new Set<Promise<unknown>>();
  #loading: Promise<Engine> | null = null;
  #loads = 0;
  #engine: Engine | null = null;
  #watch: RunWatch | null = null;

  constructor(options: StoreOptions & { loaders: Record<Platform, EngineLoader> }) {
    this.store = createExplorerStore(options);
    this.scenarios = options.scenarios;
    this.#loaders = options.loaders;
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

  /** Takes what a link says as the next run, or keeps its faults for the reader. No link is the first scenario. */
  async openLink(link: Parsed<RunSpec> | null): Promise<void> {
    if (link === null) await this.openScenario(this.scenarios[0]!.manifest.id);
    else if (link.ok) await this.#show(this.#draftOfLink(link.value));
    else this.store.setState({ link_errors: link.errors });
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
    await this.#show(draftOf(parsed.value));
    await this.#tracked(() => this.#begin(parsed.value));
    const engine = await this.engine();
    await engine.finished();
    const result = (await engine.result()) as RunResult;
    // By then the page shows it, too.
    await this.#watch?.over;
    return result;
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

  /** Where thread lanes end: run time, and what each client does then (indices into `thread_states`). */
  lanesNow(): { now_ns: number; clients: number[] } {
    const telemetry = this.#engine?.telemetry;
    if (telemetry === undefined) return { now_ns: 0, clients: [] };
    return { now_ns: telemetry.header().run_ns, clients: telemetry.clientStates() };
  }

  /** Call when the page is hidden: no rate may be worked out across a time in which nobody looked. */
  breakLines(): void {
    this.#watch?.breakLines();
  }

  #scenario(id: string): Scenario {
    const scenario = this.scenarios.find(({ manifest }) => manifest.id === id);
    if (scenario !== undefined) return scenario;
    const allowed = this.scenarios.map(({ manifest }) => manifest.id).join(', ');
    throw new CommandRefused([{ field: 'scenario', value: id, allowed }]);
  }

  /**
   * Makes `draft` the next run. If it is of another scenario or platform, the run that goes on ends, and that one is
   * shown.
   */
  async #show(draft: Draft): Promise<void> {
    const { scenario, draft: shown, run_state } = this.store.getState();
    if (draft.scenario === scenario.manifest.id && draft.platform === shown.platform) {
      this.store.setState({ opening: null });
      this.editDraft(draft);
      return;
    }
    const has_run = !canRun(run_state) || this.#outstanding.size > 0;
    if (has_run) {
      this.store.setState({ opening: draft });
      await this.#endRun();
      // Meanwhile the reader may have wished for yet another one.
      if (this.store.getState().opening !== draft) return;
    }
    this.#leaveRun();
    const { scenarios, machine } = this.store.getState();
    if (draft.platform !== shown.platform) this.#leaveEngine();
    this.store.setState({
      scenario: this.#scenario(draft.scenario),
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
    this.history.clear();
    this.lanes.clear();
    this.store.setState({ ...nothing_seen_yet, engine_failure, spec: null, run_state: 'idle' });
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

  #refuseWhileRunning(): Promise<void> {
    const { run_state } = this.store.getState();
    const allowed = 'when the run before is stopped';
    return canRun(run_state)
      ? Promise.resolve()
      : Promise.reject(new CommandRefused([{ field: 'run', value: run_state, allowed }]));
  }

  async #begin(spec: RunSpec): Promise<void> {
    const engine = await this.engine();
    await this.#refuseWhileRunning();
    this.#watch?.end();
    this.history.clear();
    this.lanes.clear();
    this.store.setState({ ...nothing_seen_yet, spec, run_state: 'building' });
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

const nothing_refused = { refusals: [], link_errors: [] };

const nothing_seen_yet = {
  ...nothing_refused,
  announcement: '',
  engine_failure: null,
  marks: [],
  log: [],
  server_log: empty_server_log,
  intervals: [],
  live: null,
  model: null,
  sysbench_report: null,
  result: null,
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
