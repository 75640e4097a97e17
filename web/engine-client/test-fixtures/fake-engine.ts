import { abi_hash, command_states, outcomes, type Outcome } from '../../contract/gen/engine-abi';
import type { CommandName, EngineModule } from '../engine-calls';
import { layout, run_states } from '../../contract/gen/telemetry-layout';
import type { RunSpec } from '../../contract/run-spec';
import type { RunState } from '../../contract/telemetry-states';
import { TelemetryBlock } from './telemetry-block';

/** The states that each command passes through, in order (wasm-engine/wasm/c_abi.cc). */
const paths: Record<CommandName, RunState[]> = {
  create: ['building', 'ready'],
  start: ['running'],
  pause: ['paused'],
  resume: ['running'],
  stop: ['stopping', 'finished'],
  set_knob: [],
  suppose: [],
  fire: [],
  explain: ['building', 'running', 'finished'],
  compete: [],
  fail_for_test: ['failed'],
};

const anExplanation = {
  transaction: {
    thread: 'client 0',
    slot: 0,
    ordinal: 1,
    began_ps: 1e6,
    began_run_ps: 0,
    latency_ps: 1e6,
    chain_parts: 0,
    parts: [{ state: 'running', from_ps: 0, ps: 1e6 }],
  },
};

const numberOf = (outcome: Outcome) => outcomes.indexOf(outcome);

export interface FakeEngineOptions {
  runResult: object;
  /** The answer of `explain`. */
  explanation?: object;
  explanationTables?: readonly object[];
  /** Moments per state that a command passes through; 0 completes it at once. */
  moments?: number;
  /** Moments after which a run with a duration ends by itself. */
  runMoments?: number;
}

/** The C ABI of an engine without threads. `passMoment` advances its coordinator. */
export class FakeEngine {
  readonly block = new TelemetryBlock();
  checkErrors = '[]';
  /** Commands that it refused because of its state. */
  readonly refused: string[] = [];
  isTerminated = false;
  /** Specs and transactions of the `explain` calls. */
  askedToExplain: string[] = [];
  readonly module: EngineModule = {
    ccall: (name, _returns, _types, values) => this.#call(name, values as string[]),
    wasmMemory: { buffer: this.block.buffer } as unknown as WebAssembly.Memory,
    PThread: {
      terminateAllThreads: () => {
        this.isTerminated = true;
      },
      unusedWorkers: [],
      runningWorkers: [],
    },
  };
  readonly #options: Required<FakeEngineOptions>;
  readonly #mailbox: (() => void)[] = [];
  #refusal = '[]';
  #hasDuration = false;
  #momentsRun = 0;

  constructor(options: FakeEngineOptions) {
    this.#options = {
      moments: 0,
      runMoments: 3,
      explanation: anExplanation,
      explanationTables: [],
      ...options,
    };
  }

  get runState(): RunState {
    return run_states[this.block.header('run_state')]!;
  }

  fail(text: string): void {
    this.block.setFailureText(text);
    this.block.setRunState('failed');
  }

  passMoment(): void {
    if (this.isTerminated || this.runState === 'failed') return;
    const next = this.#mailbox.shift();
    if (next !== undefined) {
      next();
    } else if (this.runState === 'running' && this.#hasDuration) {
      this.#momentsRun += 1;
      if (this.#momentsRun >= this.#options.runMoments) this.block.setRunState('finished');
    }
  }

  #call(name: string, values: string[]): string | number | null {
    const { block } = this;
    const answers = new Map<string, string | number>([
      ['latchscope_version', JSON.stringify({ abi_hash })],
      ['latchscope_sysbench_header', '[]'],
      ['latchscope_telemetry', 0],
      ['latchscope_telemetry_bytes', layout.bytes],
      ['latchscope_check', this.checkErrors],
      ['latchscope_result', this.runState === 'finished' ? JSON.stringify(this.#options.runResult) : ''],
      ['latchscope_explanation', JSON.stringify(this.#options.explanation)],
      ['latchscope_explanation_text', 'Transaction 1 of client 0\n'],
      ['latchscope_explanation_tables', JSON.stringify(this.#options.explanationTables)],
      ['latchscope_explanation_progress', '0.5'],
      ['latchscope_refusal', this.#refusal],
    ]);
    const command = name.replace('latchscope_', '') as CommandName;
    if (!Object.hasOwn(paths, command)) return answers.get(name) ?? null;
    const allowed: readonly RunState[] = command_states[command];
    if (!allowed.includes(this.runState)) {
      this.refused.push(command);
      this.#refusal = JSON.stringify([
        { field: command, value: this.runState, allowed: allowed.join(' or ') },
      ]);
      return numberOf('wrong_state');
    }
    if (command === 'create') {
      this.#hasDuration = (JSON.parse(values[0]!) as Pick<RunSpec, 'duration_s'>).duration_s !== null;
      this.#momentsRun = 0;
    }
    if (command === 'explain') this.askedToExplain = values;
    block.setOutcome('accepted');
    block.setHeader('commands_posted', block.header('commands_posted') + 1);
    this.#carryOut(paths[command]);
    return numberOf('accepted');
  }

  #carryOut(path: RunState[]): void {
    const { moments } = this.#options;
    const steps = path.map((runState) => () => {
      if (runState === 'failed') this.fail('this assertion fails to test its host');
      else this.block.setRunState(runState);
    });
    const done = () => {
      this.block.setHeader('commands_done', this.block.header('commands_posted'));
    };
    const pause = Array.from({ length: moments }, () => () => undefined);
    const all = [...steps.flatMap((step) => [...pause, step]), done];
    if (moments === 0) for (const step of all) step();
    else this.#mailbox.push(...all);
  }
}
