import type { EngineLoader, EngineModule } from './engine-module';
import type { FieldError } from './field-error';
import { describeFieldError } from './field-error';
import type { RunState } from './snapshot';
import { TelemetryReader } from './telemetry-reader';

/** What `latchscope_version` tells. */
export interface EngineVersion {
  version: string;
  platform: string;
  build: string;
  abi: number;
  run_spec_version: number;
  run_result_version: number;
  layout_hash: number;
  clients_max: number;
}

/** The engine stopped for good: it must be thrown away and loaded anew. */
export class EngineFailure extends Error {
  override name = 'EngineFailure';
}

/** A command was not carried out; the run goes on as before. The message says why, a line for each fault. */
export class CommandRefused extends Error {
  override name = 'CommandRefused';
  /** The faults by field, where the command named fields. */
  readonly errors: FieldError[];

  constructor(why: FieldError[] | string) {
    super(typeof why === 'string' ? why : why.map(describeFieldError).join('\n'));
    this.errors = typeof why === 'string' ? [] : why;
  }
}

const passing_states: RunState[] = ['building', 'stopping'];

const nextAnimationFrame = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => {
      resolve();
    });
  });

/**
 * One instance of the compiled engine. Commands return promises that settle when the engine has carried them out, which
 * is seen by looking at the telemetry block once per animation frame: nobody sends messages.
 */
export class Engine {
  readonly telemetry: TelemetryReader;
  readonly version: EngineVersion;
  readonly #module: EngineModule;
  readonly #next_frame: () => Promise<void>;
  #failure: EngineFailure | null = null;

  static async load(loader: EngineLoader, next_frame = nextAnimationFrame): Promise<Engine> {
    let engine: Engine | null = null;
    let rejectLoading: (failure: EngineFailure) => void = () => undefined;
    const fail = (text: string) => {
      engine?.fail(text);
      rejectLoading(new EngineFailure(text));
    };
    const module = await new Promise<EngineModule>((resolve, reject) => {
      rejectLoading = reject;
      loader({
        onAbort: (reason) => {
          fail(`aborted: ${String(reason)}`);
        },
        onWorkerError: fail,
      }).then(resolve, reject);
    });
    module.ccall('latchscope_open', null, [], []);
    engine = new Engine(module, next_frame);
    return engine;
  }

  private constructor(module: EngineModule, next_frame: () => Promise<void>) {
    this.#module = module;
    this.#next_frame = next_frame;
    this.version = JSON.parse(this.#text('latchscope_version')) as EngineVersion;
    this.telemetry = new TelemetryReader({
      buffer: module.wasmMemory.buffer,
      address: module.ccall('latchscope_telemetry', 'number', [], []),
      bytes: module.ccall('latchscope_telemetry_bytes', 'number', [], []),
    });
  }

  /** Why the engine stopped for good, or null while it lives. */
  failure(): EngineFailure | null {
    if (this.#failure === null && this.telemetry.header().run_state === 'failed') {
      this.fail(this.telemetry.errorText());
    }
    return this.#failure;
  }

  fail(text: string): void {
    this.#failure ??= new EngineFailure(text || 'The engine stopped without saying why.');
  }

  /** The engine's own judgement of a run spec; empty when it would take it. */
  check(run_spec: object): FieldError[] {
    return parseErrors(this.#text('latchscope_check', JSON.stringify(run_spec)));
  }

  create(run_spec: object): Promise<void> {
    return this.#command('latchscope_create', JSON.stringify(run_spec));
  }

  start(): Promise<void> {
    return this.#command('latchscope_start');
  }

  pause(): Promise<void> {
    return this.#command('latchscope_pause');
  }

  resume(): Promise<void> {
    return this.#command('latchscope_resume');
  }

  stop(): Promise<void> {
    return this.#command('latchscope_stop');
  }

  setKnob(knob: string, variant: string): Promise<void> {
    return this.#command('latchscope_set_knob', knob, variant);
  }

  fire(action: string): Promise<void> {
    return this.#command('latchscope_fire', action);
  }

  /** Settles when no command is outstanding and the run stands in a state that lasts. */
  async idle(): Promise<void> {
    await this.#until(() => {
      const { commands_done, commands_posted, run_state } = this.telemetry.header();
      return commands_done === commands_posted && !passing_states.includes(run_state);
    });
  }

  /** Settles when the run has ended, by its duration or by a stop. */
  async finished(): Promise<void> {
    await this.#until(() => this.telemetry.header().run_state === 'finished');
  }

  /** The result of the last finished run. */
  result(): unknown {
    const json = this.#text('latchscope_result');
    if (json === '') throw new Error('No run has finished yet, so there is no result.');
    return JSON.parse(json);
  }

  /** Makes an assertion of the engine fail; rejects when it has. */
  async failForTest(): Promise<void> {
    this.#module.ccall('latchscope_fail_for_test', null, [], []);
    await this.#until(() => false);
  }

  /** Ends all of the engine's threads, wherever they stand. */
  dispose(): void {
    this.fail('The engine was thrown away.');
    this.#module.PThread.terminateAllThreads();
  }

  async #command(name: string, ...values: string[]): Promise<void> {
    this.#throwIfFailed();
    const posted = this.#module.ccall(
      name,
      'number',
      values.map(() => 'string' as const),
      values,
    );
    if (posted === 0) throw new CommandRefused(parseErrors(this.#text('latchscope_refusal')));
    const number = this.telemetry.header().commands_posted;
    await this.#until(() => {
      const { commands_done, run_state } = this.telemetry.header();
      return commands_done >= number && !passing_states.includes(run_state);
    });
    const refusal = this.telemetry.errorText();
    if (refusal !== '') throw new CommandRefused(refusal);
  }

  async #until(is_reached: () => boolean): Promise<void> {
    for (;;) {
      this.#throwIfFailed();
      if (is_reached()) return;
      await this.#next_frame();
    }
  }

  #throwIfFailed(): void {
    const failure = this.failure();
    if (failure !== null) throw failure;
  }

  #text(name: string, ...values: string[]): string {
    return this.#module.ccall(
      name,
      'string',
      values.map(() => 'string' as const),
      values,
    );
  }
}

function parseErrors(json: string): FieldError[] {
  return JSON.parse(json) as FieldError[];
}
