import type { OutcomeFrom, WhatIfOutcome } from '../contract/what-if-report';
import {
  Engine,
  EngineFailure,
  type ExplanationTexts,
  type WantedTransaction,
} from '../engine-client/engine';
import type { EngineLoader } from '../engine-client/engine-host';
import { resultOfEngine } from '../engine-client/engine-json';
import type { RunResult } from '../contract/run-result';
import type { RunSpec } from '../contract/run-spec';

/** No engine is available for the run, so it has not started. */
export class NoExtraEngine extends Error {
  override name = 'NoExtraEngine';
}

/**
 * A background worker: an engine of the modeled server that runs specs one at a time, without
 * showing them.
 */
export class ExtraEngine {
  readonly #load: EngineLoader;
  #engine: Promise<Engine> | null = null;
  /** The loaded engine; null until `#engine` resolves. */
  #loaded: Engine | null = null;
  #isDisposed = false;

  constructor(load: EngineLoader) {
    this.#load = load;
  }

  /** Rejects with NoExtraEngine if the run cannot start, or with the error that ended it. */
  run(
    spec: RunSpec,
    outcomeFrom?: OutcomeFrom,
  ): Promise<{ result: RunResult; marks: number; outcome?: WhatIfOutcome }> {
    return this.#carryOut(spec, async (engine) => {
      const { marksCount: marks } = engine.telemetry.header();
      const report = { result: resultOfEngine(await engine.resultJson()), marks };
      if (outcomeFrom === undefined) return report;
      return { ...report, outcome: await engine.outcome(outcomeFrom) };
    });
  }

  /** Returns the run as JSON, with the events of the window recorded. */
  async course(spec: RunSpec, notedJson: string): Promise<string> {
    await (await this.ready()).noteCourse(notedJson);
    return this.#carryOut(spec, (engine) => engine.course());
  }

  /** Explains why a transaction of a run was slow. Rejects as `run` does. */
  async explain(
    spec: RunSpec,
    wanted: WantedTransaction,
    onProgress: (partDone: number) => void,
  ): Promise<ExplanationTexts> {
    return this.#discardIfItFails((engine) => engine.explain(spec, wanted, onProgress));
  }

  /** Checks whether a latch of the lab is correct. Rejects as `run` does. */
  async checkLatch(
    ...asked: Parameters<Engine['checkLatch']>
  ): Promise<Awaited<ReturnType<Engine['checkLatch']>>> {
    return this.#discardIfItFails((engine) => engine.checkLatch(...asked));
  }

  /**
   * Runs threads that compete for a latch of the lab. Rejects as `run` does.
   * REQUIRES: this engine has run nothing yet.
   */
  async compete(...asked: Parameters<Engine['compete']>): Promise<Awaited<ReturnType<Engine['compete']>>> {
    return this.#discardIfItFails((engine) => engine.compete(...asked));
  }

  #carryOut<Outcome>(spec: RunSpec, read: (engine: Engine) => Promise<Outcome>): Promise<Outcome> {
    return this.#discardIfItFails(async (engine) => {
      await engine.create(spec);
      await engine.start();
      await engine.finished();
      return read(engine);
    });
  }

  async #discardIfItFails<Outcome>(ask: (engine: Engine) => Promise<Outcome>): Promise<Outcome> {
    const engine = await this.ready();
    try {
      return await ask(engine);
    } catch (error) {
      if (error instanceof EngineFailure) this.#discard(engine);
      throw error;
    }
  }

  /** Ends the engine at any stage of its run. */
  dispose(): void {
    this.#isDisposed = true;
    this.#loaded?.dispose();
    void this.#engine?.then(
      (engine) => {
        engine.dispose();
      },
      () => undefined,
    );
  }

  /** Rejects with NoExtraEngine. */
  async ready(): Promise<Engine> {
    this.#engine ??= Engine.load(this.#load);
    try {
      const engine = await this.#engine;
      this.#loaded = engine;
      if (!this.#isDisposed) return engine;
    } catch (error) {
      this.#engine = null;
      throw new NoExtraEngine(error instanceof Error ? error.message : String(error));
    }
    throw new NoExtraEngine('The series ended.');
  }

  #discard(engine: Engine): void {
    engine.dispose();
    this.#engine = null;
    this.#loaded = null;
  }
}
