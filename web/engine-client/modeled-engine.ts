// Reads the present moment of a modeled server from its memory.
import type { EngineCalls } from '../contract/gen/engine-abi';
import { layout, run_states } from '../contract/gen/telemetry-layout';
import type { EngineVersion } from '../contract/page-readings';
import type { RunState } from '../contract/telemetry-states';
import { attachCalls, type VirtualModule } from './engine-calls';
import type { PlaceInRun } from './journey';

const { fields } = layout.header;

export class ModeledEngine {
  readonly calls: EngineCalls;
  readonly version: EngineVersion;
  /** Address of the telemetry block. */
  readonly block: number;
  readonly #module: VirtualModule;

  constructor(module: VirtualModule) {
    this.#module = module;
    const { calls, version } = attachCalls(module);
    this.calls = calls;
    this.version = version;
    calls.open();
    this.block = calls.telemetry();
  }

  /** Valid until the memory grows. */
  get memory(): ArrayBuffer {
    return this.#module.wasmMemory.buffer;
  }

  get runState(): RunState {
    return run_states[this.word('run_state')] ?? 'failed';
  }

  get hasCommands(): boolean {
    return this.word('commands_done') !== this.word('commands_posted');
  }

  get here(): PlaceInRun {
    return { events: this.calls.events(), runNs: this.runNs };
  }

  // The coordinator publishes run time every few virtual milliseconds. In between, add the clock's
  // advance.
  get runNs(): number {
    const writtenNs = this.#u64('run_ns');
    if (this.runState !== 'running') return writtenNs;
    return writtenNs + Math.max(0, this.calls.clock_ns() - this.#u64('clock_ns'));
  }

  /** Converts a run time to the clock, assuming that clients run until then. */
  clockAtNs(runNs: number): number {
    return this.#u64('clock_ns') + runNs - this.#u64('run_ns');
  }

  word(field: 'run_state' | 'run_generation' | 'commands_posted' | 'commands_done'): number {
    return new Uint32Array(this.memory, this.block + fields[field].offset, 1)[0]!;
  }

  #u64(field: 'run_ns' | 'clock_ns'): number {
    return Number(new DataView(this.memory, this.block + fields[field].offset, 8).getBigUint64(0, true));
  }
}
