// Gives the functions of a compiled engine their own types. Names, types and the hash come from
// wasm-engine/wasm/latchscope.h; the build generates contract/gen/engine-abi.ts from it.
import {
  abi_hash,
  functions,
  outcomes,
  type EngineCalls,
  type EngineCommands,
  type EngineQuestions,
  type Outcome,
} from '../contract/gen/engine-abi';
import type { Fault } from '../contract/fault';
import type { EngineVersion } from '../contract/page-readings';

type CcallType = 'string' | 'number';

export interface CallableModule {
  ccall(
    name: string,
    returns: CcallType | null,
    argumentTypes: CcallType[],
    values: (string | number)[],
  ): unknown;
}

export interface EngineModule extends CallableModule {
  wasmMemory: WebAssembly.Memory;
  PThread: {
    terminateAllThreads(): void;
    /** Workers without an engine thread, and workers with one. */
    unusedWorkers: Worker[];
    runningWorkers: Worker[];
  };
}

/**
 * The modeled server's module: one thread and growing memory. Views of its memory become invalid
 * when it grows, so do not store them.
 */
export interface VirtualModule extends CallableModule {
  wasmMemory: WebAssembly.Memory;
}

export type CommandName = keyof EngineCommands;
export type QuestionName = keyof EngineQuestions;

/** Why the engine refused a command. */
export interface Refusal {
  outcome: Exclude<Outcome, 'accepted'>;
  errors: Fault[];
}

type Crossing = (typeof functions)[keyof typeof functions]['returns' | 'takes'];
type CrossingType = Exclude<Crossing, readonly unknown[]>;

const ccallTypeOf = (type: CrossingType) => (type === 'text' ? 'string' : 'number');

/** Converts a value that the engine returned to the page's representation. */
function received(type: CrossingType, value: unknown): unknown {
  switch (type) {
    case 'outcome':
      return outcomes[value as number];
    case 'truth':
      return value !== 0;
    case 'address':
      return (value as number) >>> 0;
    default:
      return value;
  }
}

/**
 * Returns the typed functions of this engine. Throws `AbiMismatch` if the engine declares other
 * functions than this page was built for.
 */
export function attachCalls(module: CallableModule): { calls: EngineCalls; version: EngineVersion } {
  const calls = Object.fromEntries(
    Object.entries(functions).map(([name, { returns, takes }]) => {
      const types = takes.map(ccallTypeOf);
      const answerType = returns === 'nothing' ? null : ccallTypeOf(returns);
      const call = (...values: (string | number)[]) =>
        received(returns, module.ccall(`latchscope_${name}`, answerType, types, values));
      return [name, call];
    }),
  ) as unknown as EngineCalls;
  const version = JSON.parse(calls.version()) as EngineVersion;
  refuseOtherAbi(version);
  return { calls, version };
}

/** Posts a command. Returns null if the engine accepted it. */
export function postCommand(
  calls: EngineCalls,
  command: CommandName,
  values: readonly string[],
): Refusal | null {
  const post: (...given: string[]) => Outcome = calls[command];
  const outcome = post(...values);
  return outcome === 'accepted' ? null : { outcome, errors: JSON.parse(calls.refusal()) as Fault[] };
}

export function askQuestion(calls: EngineCalls, question: QuestionName, values: readonly string[]): string {
  const ask: (...given: string[]) => string = calls[question];
  return ask(...values);
}

export function refuseOtherAbi({ abi_hash: ofEngine }: Pick<EngineVersion, 'abi_hash'>): void {
  if (ofEngine !== abi_hash) throw new AbiMismatch(ofEngine);
}

export class AbiMismatch extends Error {
  constructor(ofEngine: number | undefined) {
    super(
      `The engine's functions do not match this page: abi_hash is ${String(ofEngine)}; allowed: ${abi_hash}. ` +
        'Build the page and the engine together.',
    );
    this.name = 'AbiMismatch';
  }
}
