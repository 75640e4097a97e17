// Defines a latch program as the engine takes it (wasm-engine/lab/program.h).
import type { lab_functions } from './lab-program.ts';

export type LabFunction = (typeof lab_functions)[number];

export interface LabWord {
  name: string;
  line: number;
  elements: number;
  per_thread: boolean;
  packed: boolean;
  initial: number;
  initial_is_index: boolean;
  source_line: number;
}

/** The engine's JSON form. */
export interface LabProgram {
  words: LabWord[];
  registers: number;
  /** Start and end of each function that exists. */
  functions: Partial<Record<LabFunction, [number, number]>>;
  /** Two 32-bit numbers per instruction. */
  code: number[];
  source_lines: number[];
  /** Maximum number of threads for which the latch is correct. */
  threads_max?: number;
}

/** The register of a local, valid from instruction `begin` up to before `end`. */
export interface LabLocal {
  name: string;
  register: number;
  begin: number;
  end: number;
}
