import type { EngineVersion, Moment } from '../contract/page-readings';
import { CommandRefused, commandRefused, refusalOfOutcome, refusedByState } from './command-refused';
import type { CommandName, QuestionName } from './engine-calls';
import type {
  EngineHost,
  EngineLoader,
  HostHooks,
  ModelControls,
  ModelRequest,
  Reading,
  Step,
} from './engine-host';
import type { HotLatch, OutcomeFrom, WhatIfOutcome, WhatIfStudy } from '../contract/what-if-report';
import type { Fault } from '../contract/fault';
import { command_states, type EngineCommands, type EngineQuestions } from '../contract/gen/engine-abi';
import type { RunState } from '../contract/telemetry-states';
import type { TelemetryReader } from './telemetry-reader';

/** The engine stopped for good: discard it and load a new one. */
export class EngineFailure extends Error {
  override name = 'EngineFailure';
}

export { CommandRefused };

const passingStates: RunState[] = ['building', 'stopping'];

/** How an engine follows the animation frames of its page. */
interface Frames {
  nextFrame: () => Promise<void>;
  inNextFrame: HostHooks['inNextFrame'];
}

const atOnce = (work: () => void): void => {
  work();
};
const nextAnimationFrame = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => resolve());
  });

/**
 * One instance of the compiled engine, on either platform. Commands return promises that settle
 * when the engine has processed them. The engine polls the telemetry block once per animation frame
 * to notice that.
 */
export class Engine {
  readonly telemetry: TelemetryReader;
  readonly version: EngineVersion;
  /** Controls of a modeled server; null on real threads. */
  readonly model: ModelControls | null;
  readonly #host: EngineHost;
  readonly #nextFrame: () => Promise<void>;
  /** Called once, when the engine has stopped for good; one listener. */
  onFailure: ((failure: EngineFailure) => void) | null = null;
  #failure: EngineFailure | null = null;
  /** Wake the callers that wait for the next poll of the telemetry block. */
  readonly #wakes = new Set<() => void>();
  #lastCommand: Promise<void> = Promise.resolve();

  static async load(
    loader: EngineLoader,
    { nextFrame = nextAnimationFrame, inNextFrame = atOnce }: Partial<Frames> = {},
  ): Promise<Engine> {
    let engine: Engine | null = null;
    const host = await new Promise<EngineHost>((resolve, reject) => {
      let hasFailed = false;
      const onFailure = (text: string) => {
        hasFailed = true;
        engine?.fail(text);
        reject(new EngineFailure(text));
      };
      const take = (loaded: EngineHost) => {
        if (hasFailed) loaded.dispose();
        resolve(loaded);
      };
      loader({ onFailure, inNextFrame }).then(take, reject);
    });
    engine = new Engine(host, nextFrame);
    return engine;
  }

  private constructor(host: EngineHost, nextFrame: () => Promise<void>) {
    this.#host = host;
    this.#nextFrame = nextFrame;
    this.version = host.version;
    this.telemetry = host.telemetry;
    this.model = host.model;
  }

  /** Returns why the engine stopped for good, or null while it runs. */
  failure(): EngineFailure | null {
    if (this.#failure === null && this.telemetry.header().runState === 'failed') {
      this.fail(this.telemetry.failureText());
    }
    return this.#failure;
  }

  /** Marks the engine as failed. Each pending promise rejects with the first failure. */
  fail(text: string): void {
    if (this.#failure !== null) return;
    this.#failure = new EngineFailure(text || 'The engine stopped without a message.');
    for (const wake of this.#wakes) wake();
    this.onFailure?.(this.#failure);
  }

  /** Returns the engine's own faults for a run spec; empty if the engine would accept it. */
  async check(runSpec: object): Promise<Fault[]> {
    return JSON.parse(await this.ask('check', JSON.stringify(runSpec))) as Fault[];
  }

  create(runSpec: object): Promise<void> {
    return this.command('create', JSON.stringify(runSpec));
  }

  start(): Promise<void> {
    return this.command('start');
  }

  /**
   * On real threads, clients stop at a transaction boundary. On a modeled server, virtual time
   * stops immediately, wherever threads are.
   */
  async pause(): Promise<void> {
    if (this.model === null) return this.command('pause');
    this.#refuseUnless('pause', command_states.pause);
    await this.#control({ kind: 'freeze', isFrozen: true });
  }

  async resume(): Promise<void> {
    if (this.model === null) return this.command('resume');
    this.#refuseUnless('resume', command_states.resume);
    await this.#control({ kind: 'freeze', isFrozen: false });
  }

  stop(): Promise<void> {
    return this.command('stop');
  }

  setKnob(knob: string, variant: string): Promise<void> {
    return this.command('set_knob', knob, variant);
  }

  fire(action: string): Promise<void> {
    return this.command('fire', action);
  }

  /**
   * Takes costs and latches in the form of a run spec's what-if, but without a time: they apply
   * from now on.
   */
  suppose(whatIf: object): Promise<void> {
    return this.command('suppose', JSON.stringify(whatIf));
  }

  /** Advances a modeled server by one step and leaves it frozen. */
  async step(step: Step): Promise<void> {
    this.#refuseUnless('step', ['running', 'paused']);
    await this.#control({ kind: 'step', step });
  }

  setPace(nsPerS: number | null): Promise<void> {
    return this.#control({ kind: 'pace', nsPerS });
  }

  /** Real threads need no readings: the page reads them at any time. */
  readEvery(runNs: number, onReading: (reading: Reading) => void): Promise<void> {
    if (this.model !== null) this.model.onReading = onReading;
    return this.#control({ kind: 'read_every', runNs });
  }

  watchHottest(latches: number): Promise<void> {
    return this.#control({ kind: 'watch_hottest', latches });
  }

  keepKeyframes(budgetBytes: number): Promise<void> {
    return this.#control({ kind: 'keep_keyframes', budgetBytes });
  }

  async rewind(to: Moment): Promise<void> {
    this.#refuseUnless('rewind', ['running', 'paused', 'finished']);
    await this.#control({ kind: 'rewind', to });
  }

  /** Settles when no command is outstanding and the run state is not a transitional one. */
  async idle(): Promise<void> {
    await this.#until(() => {
      const { commandsDone, commandsPosted, runState } = this.telemetry.header();
      return commandsDone === commandsPosted && !passingStates.includes(runState);
    });
  }

  /** Settles when the run has ended, by its duration or by a stop. */
  async finished(): Promise<void> {
    await this.#until(() => this.telemetry.header().runState === 'finished');
  }

  /** Returns the result of the last finished run. */
  async result(): Promise<unknown> {
    return JSON.parse(await this.resultJson());
  }

  /** Returns the same result as JSON, byte for byte as the engine wrote it. */
  async resultJson(): Promise<string> {
    const json = await this.ask('result');
    if (json === '') throw new Error('No result yet: no run has finished.');
    return json;
  }

  /** Returns the outcome of the last finished run that a what-if stores. Modeled server only. */
  async outcome(from: OutcomeFrom): Promise<WhatIfOutcome> {
    return JSON.parse(await this.ask('outcome', from)) as WhatIfOutcome;
  }

  /** Returns the report of a study, byte for byte as the command line writes it. */
  whatIfReport(study: WhatIfStudy): Promise<string> {
    return this.ask('what_if_report', JSON.stringify(study));
  }

  async hotLatches(study: WhatIfStudy): Promise<HotLatch[]> {
    return JSON.parse(await this.ask('hot_latches', JSON.stringify(study))) as HotLatch[];
  }

  /** Returns the lines that sysbench prints first, for the run that was created last. */
  async sysbenchHeader(): Promise<string[]> {
    return JSON.parse(await this.ask('sysbench_header')) as string[];
  }

  /**
   * Makes the engine fail in one of the ways that `fail_for_test` of the C ABI defines. Rejects
   * once it has failed.
   */
  async failForTest(cause: string): Promise<void> {
    this.#throwIfFailed();
    const posted = await this.#orFailure(this.#host.post('fail_for_test', cause));
    if ('refused' in posted) throw commandRefused(posted.refused);
    await this.#until(() => false);
  }

  /** Ends the engine, whatever its threads are doing. */
  dispose(): void {
    this.fail('The engine was closed.');
    this.#host.dispose();
  }

  /** Runs commands one at a time, so that a refusal can be attributed to its command. */
  command<Name extends CommandName>(name: Name, ...values: Parameters<EngineCommands[Name]>): Promise<void> {
    const carriedOut = this.#lastCommand.then(() => this.#carryOut(name, values));
    this.#lastCommand = carriedOut.catch(() => undefined);
    return carriedOut;
  }

  async #carryOut<Name extends CommandName>(
    name: Name,
    values: Parameters<EngineCommands[Name]>,
  ): Promise<void> {
    this.#throwIfFailed();
    const posted = await this.#orFailure(this.#host.post(name, ...values));
    if ('refused' in posted) throw commandRefused(posted.refused);
    await this.#until(() => {
      const { commandsDone, runState } = this.telemetry.header();
      return commandsDone >= posted.number && !passingStates.includes(runState);
    });
    const refusal = refusalOfOutcome(this.telemetry.commandOutcome());
    if (refusal !== null) throw refusal;
  }

  async ask<Name extends QuestionName>(
    question: Name,
    ...values: Parameters<EngineQuestions[Name]>
  ): Promise<string> {
    this.#throwIfFailed();
    return this.#orFailure(this.#host.ask(question, ...values));
  }

  /** Does nothing on real threads. */
  async #control(request: ModelRequest): Promise<void> {
    this.#throwIfFailed();
    const posted = await this.#orFailure(this.model?.control(request) ?? Promise.resolve(null));
    if (posted !== null && 'refused' in posted) throw commandRefused(posted.refused);
  }

  #refuseUnless(command: string, states: readonly RunState[]): void {
    this.#throwIfFailed();
    const { runState } = this.telemetry.header();
    if (!states.includes(runState)) throw refusedByState(command, runState, states.join(' or '));
  }

  async #until(isReached: () => boolean): Promise<void> {
    for (;;) {
      this.#throwIfFailed();
      if (isReached()) return;
      await this.nextPoll();
    }
  }

  /** Settles in the next animation frame, or when the engine has failed. */
  nextPoll(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#wakes.delete(wake);
        resolve();
      };
      this.#wakes.add(wake);
      void this.#nextFrame().then(wake);
    });
  }

  /** Rejects with the failure once the engine has failed, since it then never answers. */
  async #orFailure<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.#throwIfFailed();
      throw error;
    }
  }

  #throwIfFailed(): void {
    const failure = this.failure();
    if (failure !== null) throw failure;
  }
}
