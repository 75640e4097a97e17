// Asks the model of a bug about a latch for which the reader's server waits.
import { CommandRefused } from '../../engine-client/engine';
import { Batch, type BatchProgress } from '../../session/batch';
import type { Session } from '../../session/session';
import type { ModelRequest } from './modeled-latches';
import type { ModelKept, ModelOutcome, ModelRun } from './model-runs';

export interface LatchModelSlice {
  modelProgress: BatchProgress<ModelRun> | null;
  modelOutcome: ModelOutcome | null;
}

export const nothingAsked: LatchModelSlice = { modelProgress: null, modelOutcome: null };

/** Runs a bug on servers like the reader's. The run that is shown elsewhere is not disturbed. */
export class LatchModel {
  readonly #session: Session;
  readonly #nowMs: () => number;
  #batch: Batch<ModelRun, ModelKept> | null = null;

  constructor(session: Session, nowMs: () => number) {
    this.#session = session;
    this.#nowMs = nowMs;
  }

  /** Settles when all runs have ended. Rejects with a CommandRefused that names every fault. */
  async start(request: ModelRequest): Promise<void> {
    const { store, extraEngines } = this.#session;
    const { planModel, modelOutcome } = await import('./model-runs');
    const plan = planModel(request, store.getState());
    if (!plan.ok) throw new CommandRefused(plan.errors);
    await this.cancel();
    const series = extraEngines.series(plan.value.batch.runs.length);
    const port = { ...series, nowMs: this.#nowMs };
    const batch = new Batch(plan.value.batch, port, (progress, finished) => {
      if (this.#batch !== batch) return;
      store.setState({ modelProgress: progress, modelOutcome: modelOutcome(plan.value, finished) });
    });
    this.#batch = batch;
    await batch.run();
    await series.stop();
    if (this.#batch !== batch) return;
    this.#batch = null;
    store.setState({
      modelProgress: null,
      announcement: batch.isCancelled() ? 'Model stopped, results kept' : 'Model done',
    });
  }

  /** Finished runs remain. */
  async cancel(): Promise<void> {
    await this.#batch?.cancel();
  }
}
