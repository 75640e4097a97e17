import type { TableOfTimes } from '../contract/explanation';
import type { LabCheckOptions, LabContestSpec } from '../contract/lab-exercise';
import type { LabCheckProgress, LabCheckResult, LabContest } from '../contract/lab-results';
import type { RunResult } from '../contract/run-result';
import type { RunSpec } from '../contract/run-spec';
import type { OutcomeFrom, WhatIfOutcome } from '../contract/what-if-report';
import { Engine, EngineFailure } from '../engine-client/engine';
import type { EngineLoader } from '../engine-client/engine-host';
import { resultOfEngine } from '../engine-client/engine-json';
import { checkLatch } from '../engine-client/latch-check';

/**
 * Selects a transaction, as docs/guide/explain.md names it. `blame` adds where the slowest transactions
 * spent their time.
 */
export interface WantedTransaction {
  transaction: string;
  blame: boolean;
}

/** An explanation as text and as JSON. Both equal the command line's output byte for byte. */
export interface ExplanationTexts {
  json: string;
  text: string;
  /** The tables of `text`. */
  tables: readonly TableOfTimes[];
}

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

  /**
   * Returns the run as JSON: hashes of its events, and counts since the first recorded event. Records
   * the events of the window in detail.
   */
  async course(spec: RunSpec, notedJson: string): Promise<string> {
    await (await this.ready()).ask('note_course', notedJson);
    return this.#carryOut(spec, (engine) => engine.ask('course'));
  }

  /**
   * Runs a run spec twice and explains why a transaction was slow. Calls `onProgress` with the
   * completed part, from 0 to 1. Rejects as `run` does.
   */
  explain(
    spec: RunSpec,
    wanted: WantedTransaction,
    onProgress: (partDone: number) => void,
  ): Promise<ExplanationTexts> {
    return this.#discardIfItFails(async (engine) => {
      let goesOn = true;
      const reportProgress = async () => {
        while (goesOn) {
          onProgress(JSON.parse(await engine.ask('explanation_progress')) as number);
          await engine.nextPoll();
        }
      };
      const reported = reportProgress();
      try {
        await engine.command('explain', JSON.stringify(spec), JSON.stringify(wanted));
      } finally {
        goesOn = false;
        await reported.catch(() => undefined);
      }
      return {
        json: await engine.ask('explanation'),
        text: await engine.ask('explanation_text'),
        tables: JSON.parse(await engine.ask('explanation_tables')) as TableOfTimes[],
      };
    });
  }

  /** Checks whether a latch of the lab is correct. Rejects as `run` does. */
  checkLatch(
    program: object,
    check: LabCheckOptions,
    onProgress: (progress: LabCheckProgress) => void,
  ): Promise<LabCheckResult> {
    return this.#discardIfItFails((engine) => checkLatch(engine, program, check, onProgress));
  }

  /**
   * Runs threads that compete for a latch of the lab. Rejects as `run` does.
   * REQUIRES: this engine has run nothing yet.
   */
  compete(program: object, contest: LabContestSpec): Promise<LabContest> {
    return this.#discardIfItFails(async (engine) => {
      await engine.command('compete', JSON.stringify({ program, contest }));
      return JSON.parse(await engine.ask('contest')) as LabContest;
    });
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
      (engine) => engine.dispose(),
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
