// A series of runs, such as a sweep, and the engines that run beside the one that is shown.
import type { EngineLoader } from '../engine-client/engine-host';
import type { OutcomeFrom, WhatIfOutcome } from '../contract/what-if-report';
import type { Platform } from '../contract/platforms';
import type { RunResult } from '../contract/run-result';
import type { Machine, RunSpec } from '../contract/run-spec';
import { BesideEngine } from './beside-engine';
import type { EnginePair } from './course-diff';
import type { ExplorerStore } from './store';

/** Runs that a view starts, such as a sweep. */
export interface RunSeries {
  /** At least one. The first shows its runs. What comes out of a run does not depend on which worker it takes. */
  workers: readonly SeriesWorker[];
  /** Ends the runs that are going or starting. */
  stop: () => Promise<void>;
  /** The reader may run again. */
  end: () => void;
}

/** One run at a time. */
export interface SeriesWorker {
  /** Runs a spec to its end. Rejects with NoEngineBeside if this worker is no longer usable; then the run has not begun. */
  run: (spec: RunSpec, outcome_from?: OutcomeFrom) => Promise<SeriesRunReport>;
}

/** More would wait for each other's memory rather than for cores. */
const WORKERS_MAX = 8;

/** As many runs of the modelled server as there are cores, and GiB of memory where the browser tells; real threads need the machine for themselves. */
export function workersFor(platform: Platform, { cores, memory_gib = WORKERS_MAX }: Machine): number {
  if (platform === 'threads') return 1;
  return Math.max(1, Math.min(cores, WORKERS_MAX, Math.floor(memory_gib)));
}

export interface SeriesRunReport {
  result: RunResult;
  /** Knobs that were turned, actions that were fired and pauses; those of the spec's own script among them. */
  marks: number;
  /** The page was hidden for some of the time; a browser may slow a hidden page down. */
  was_hidden: boolean;
  /** What the engine keeps of the run for a what-if, if that was asked for. */
  outcome?: WhatIfOutcome;
}

/** Makes engines that run beside the one that is shown, of whose runs nobody sees anything until they are over. */
export class EnginesBeside {
  readonly #store: ExplorerStore;
  readonly #loaders: Record<Platform, EngineLoader>;

  constructor(store: ExplorerStore, loaders: Record<Platform, EngineLoader>) {
    this.#store = store;
    this.#loaders = loaders;
  }

  /** An engine on the virtual server, beside the run that is shown. Whoever asked for it disposes of it. */
  engine(): BesideEngine {
    return new BesideEngine(this.#loaders.virtual);
  }

  /** So many runs on the virtual server, beside the one that is shown, which the reader may do anything with meanwhile. */
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

  /** Pairs of them, at most so many: as many engines as a series of runs has workers, and at least one pair. */
  pairs(most: number): EnginePair[] {
    const workers = workersFor('virtual', this.#store.getState().machine);
    const pairs = Math.max(1, Math.min(most, Math.floor(workers / 2)));
    return Array.from({ length: pairs }, () => [this.engine(), this.engine()] as const);
  }

  /** For all but one of the workers of a series of so many runs, on the platform that is shown. */
  forSeries(runs: number): BesideEngine[] {
    const { draft, machine } = this.#store.getState();
    const workers = Math.min(runs, workersFor(draft.platform, machine));
    return Array.from(
      { length: Math.max(0, workers - 1) },
      () => new BesideEngine(this.#loaders[draft.platform]),
    );
  }
}

/** Nobody sees its runs, so nothing slows them down. */
export const workerOf = (engine: BesideEngine): SeriesWorker => ({
  run: async (spec, outcome_from) => ({ ...(await engine.run(spec, outcome_from)), was_hidden: false }),
});
