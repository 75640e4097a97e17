// Loads and replaces the engine of the shown platform.
import { frames } from '../charts/frames';
import { Engine, EngineFailure } from '../engine-client/engine';
import type { EngineLoader, ModelControls } from '../engine-client/engine-host';
import type { Platform } from '../contract/platforms';
import type { Machine } from '../contract/run-spec';
import { canRun, missingHere, type ExplorerStore } from './store';

/** Handles the engine's messages in frames in which nothing is drawn. */
const takeIn = (work: () => void) => {
  frames.schedule('data', () => {
    frames.claim();
    work();
  });
};

export interface EngineSlotOptions {
  store: ExplorerStore;
  loaders: Record<Platform, EngineLoader>;
  modelListeners: Pick<ModelControls, 'onLanes' | 'onLatchEvents' | 'onRewound' | 'onKeptReadings'>;
  /** Called when an engine has failed for good, before the next one loads. */
  onFailure: (failure: EngineFailure) => void;
  /** Memory for checkpoints of a run; default: as much as this device has for them. */
  checkpointBytes?: number | undefined;
}

/**
 * Holds the engine of the shown platform, one at a time. Loads it once, and again after a failure
 * or for another platform. Publishes its status in the store.
 */
export class EngineSlot {
  readonly #options: EngineSlotOptions;
  #engine: Engine | null = null;
  #loading: Promise<Engine> | null = null;
  #loads = 0;
  #isClosed = false;

  constructor(options: EngineSlotOptions) {
    this.#options = options;
  }

  /** Null until it is loaded. */
  get engine(): Engine | null {
    return this.#engine;
  }

  /** Rejects if the page lacks a capability that the engine needs. */
  load(): Promise<Engine> {
    if (this.#isClosed) return Promise.reject(new EngineFailure('The view of this run was left.'));
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Drops the engine, because the page now shows another platform. */
  leave(): void {
    const engine = this.#engine;
    this.#engine = null;
    this.#loading = null;
    this.#loads += 1;
    this.#options.store.setState({ engine_status: 'not_loaded', engine_version: null, engine_failure: null });
    engine?.dispose();
  }

  /** Drops the engine for good: there is no other one. */
  close(): void {
    this.#isClosed = true;
    this.leave();
  }

  /**
   * Lets the engine check the next run for limits that involve several fields. Checks nothing while
   * no engine is loaded.
   */
  async checkDraft(): Promise<void> {
    const { store } = this.#options;
    const { draftSpec } = store.getState();
    if (draftSpec === null || this.#engine === null) return;
    const draftErrors = await this.#engine.check(draftSpec).catch(() => null);
    if (draftErrors !== null && store.getState().draftSpec === draftSpec) {
      store.setState({ draftErrors });
    }
  }

  /** Replaces a failed engine with a new one. */
  replace(failure: EngineFailure): void {
    const { store, onFailure } = this.#options;
    const failed = this.#engine;
    if (failed?.failure() !== failure) return;
    this.#engine = null;
    this.#loading = null;
    onFailure(failure);
    const { run_state } = store.getState();
    store.setState({
      run_state: canRun(run_state) ? run_state : 'idle',
      engine_status: 'not_loaded',
      engine_failure: failure.message,
    });
    failed.dispose();
    this.load().catch(() => undefined);
  }

  async #load(): Promise<Engine> {
    const { store, loaders } = this.#options;
    const { platform } = store.getState().draft;
    this.#loads += 1;
    const load = this.#loads;
    // The reader has chosen another platform meanwhile.
    const isLeft = () => this.#loads !== load;
    try {
      this.#refuseIncapablePage();
      store.setState({ engine_status: 'loading' });
      const engine = await Engine.load(loaders[platform], { inNextFrame: takeIn });
      if (isLeft()) {
        engine.dispose();
        return await this.load();
      }
      await this.#take(engine);
      store.setState({ engine_status: 'ready', engine_version: engine.version });
      return engine;
    } catch (error) {
      if (isLeft()) return this.load();
      this.#loading = null;
      store.setState({ engine_status: 'not_loaded', engine_failure: messageOf(error) });
      throw error instanceof EngineFailure ? error : new EngineFailure(messageOf(error));
    }
  }

  async #take(engine: Engine): Promise<void> {
    const { store, modelListeners } = this.#options;
    this.#engine = engine;
    engine.onFailure = (failure) => this.replace(failure);
    if (engine.model !== null) {
      Object.assign(engine.model, modelListeners);
      await this.keepKeyframes();
      await engine.watchHottest(LATCHES_WATCHED);
      await engine.setPace(store.getState().paceNsPerS);
    }
    await this.checkDraft();
  }

  /** Enables checkpoints for the next run. */
  async keepKeyframes(): Promise<void> {
    const { store, checkpointBytes = keyframeBudget(store.getState().machine) } = this.#options;
    await this.#engine?.keepKeyframes(checkpointBytes);
  }

  #refuseIncapablePage(): void {
    const missing = missingHere(this.#options.store.getState());
    if (missing.length === 0) return;
    throw new EngineFailure(missing.map(({ explanation, remedy }) => `${explanation} ${remedy}`).join('\n'));
  }
}

/** Number of latch tracks on the page. */
const LATCHES_WATCHED = 4;
const MIB = 2 ** 20;
const BUDGET_MAX_MIB = 512;
/** Part of the memory that the browser reports. */
const BUDGET_PART = 1 / 8;

/** Returns the memory for checkpoints of a run on the modeled server, in bytes. */
export function keyframeBudget({ memory_gib }: Pick<Machine, 'memory_gib'>): number {
  const ofDeviceMib = memory_gib === undefined ? BUDGET_MAX_MIB : memory_gib * 1024 * BUDGET_PART;
  return Math.min(BUDGET_MAX_MIB, ofDeviceMib) * MIB;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
