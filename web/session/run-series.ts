// Declares series of runs, such as a sweep, and creates their background workers.
import type { EngineLoader } from '../engine-client/engine-host';
import type { OutcomeFrom, WhatIfOutcome } from '../contract/what-if-report';
import type { Platform } from '../contract/platforms';
import type { RunResult } from '../contract/run-result';
import type { Machine, RunSpec } from '../contract/run-spec';
import { ExtraEngine } from './extra-engine';
import type { EnginePair } from './branch-diff';
import type { ExplorerStore } from './store';

/** A series of runs that a view starts, such as a sweep. */
export interface RunSeries {
  /** At least one. The first one's runs are shown. A result does not depend on the worker. */
  workers: readonly SeriesWorker[];
  /** Ends the runs in progress, including those that are starting. */
  stop: () => Promise<void>;
  /** Lets the reader run again. */
  end: () => void;
}

/** Runs one spec at a time. */
export interface SeriesWorker {
  /**
   * Runs a spec to its end. Rejects with NoExtraEngine if this worker is no longer usable; the run
   * has then not started.
   */
  run: (spec: RunSpec, outcomeFrom?: OutcomeFrom) => Promise<SeriesRunReport>;
}

/** More workers would contend for memory rather than for cores. */
const WORKERS_MAX = 8;

/**
 * Returns one worker per core, at most one per GiB of memory where the browser reports it. Real
 * threads need the machine for one run.
 */
export function workersFor(platform: Platform, { cores, memory_gib = WORKERS_MAX }: Machine): number {
  if (platform === 'threads') return 1;
  return Math.max(1, Math.min(cores, WORKERS_MAX, Math.floor(memory_gib)));
}

export interface SeriesRunReport {
  result: RunResult;
  /** Number of knob changes, actions and pauses, including those of the spec itself. */
  marks: number;
  /** The page was hidden for some of the time; browsers may slow hidden pages down. */
  wasHidden: boolean;
  /** The engine's outcome of the run for a what-if, if requested. */
  outcome?: WhatIfOutcome;
}

/** Creates background workers, whose runs are not shown. */
export class ExtraEngines {
  readonly #store: ExplorerStore;
  readonly #loaders: Record<Platform, EngineLoader>;

  constructor(store: ExplorerStore, loaders: Record<Platform, EngineLoader>) {
    this.#store = store;
    this.#loaders = loaders;
  }

  /** Returns a background worker on the virtual server. The caller must dispose of it. */
  engine(): ExtraEngine {
    return new ExtraEngine(this.#loaders.virtual);
  }

  /**
   * Starts background workers for `runs` runs on the virtual server. They do not affect the shown
   * run.
   */
  series(runs: number): Pick<RunSeries, 'workers' | 'stop'> {
    const workers = Math.min(runs, workersFor('virtual', this.#store.getState().machine));
    const engines = Array.from({ length: workers }, () => this.engine());
    return {
      workers: engines.map(workerOf),
      stop: () => {
        for (const engine of engines) engine.dispose();
        return Promise.resolve();
      },
    };
  }

  /**
   * Returns at most `most` pairs of workers: as many as the workers of a series allow, but at least
   * one.
   */
  pairs(most: number): EnginePair[] {
    const workers = workersFor('virtual', this.#store.getState().machine);
    const pairs = Math.max(1, Math.min(most, Math.floor(workers / 2)));
    return Array.from({ length: pairs }, () => [this.engine(), this.engine()] as const);
  }

  /** Returns all but the first of the workers of a series of `runs` runs, on the shown platform. */
  forSeries(runs: number): ExtraEngine[] {
    const { draft, machine } = this.#store.getState();
    const workers = Math.min(runs, workersFor(draft.platform, machine));
    return Array.from(
      { length: Math.max(0, workers - 1) },
      () => new ExtraEngine(this.#loaders[draft.platform]),
    );
  }
}

/** Its runs are not shown, so a hidden page does not slow them down. */
export const workerOf = (engine: ExtraEngine): SeriesWorker => ({
  run: async (spec, outcomeFrom) => ({ ...(await engine.run(spec, outcomeFrom)), wasHidden: false }),
});
