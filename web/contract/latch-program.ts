// A latch as the engine takes it (wasm-engine/lab/program.h).
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

/** The JSON of the engine. */
export interface LabProgram {
  words: LabWord[];
  registers: number;
  /** Begin and end of each function that is there. */
  functions: Partial<Record<LabFunction, [number, number]>>;
  /** Two numbers of 32 bits per instruction. */
  code: number[];
  source_lines: number[];
  /** The latch is right for so many threads at most. */
  threads_max?: number;
}
