// Defines a workload program as the engine takes it (wasm-engine/workload/script_program.h).
import type { LabProgram, LabWord } from './latch-program.ts';
import type { script_latch_kinds } from './workload-operations.ts';

export type ScriptLatchKindName = (typeof script_latch_kinds)[number]['name'];

export interface ScriptKind {
  kind: ScriptLatchKindName;
  /** Number of shards, or the first count of a semaphore; only of kinds that have one. */
  size?: number;
  /** Of `lab_latch`: its place in `kinds`. */
  program?: number;
}

/** A latch in the lab's language. Lines of source are 0 if it is none of the file. */
export interface ScriptLatchProgram {
  name: string;
  program: LabProgram;
}

export interface ScriptVariant {
  id: string;
  origin: string;
  /** What the variant means: the kind of a latch, or a number. */
  kind?: ScriptKind;
  value?: number;
}

export interface ScriptKnob {
  id: string;
  question: string;
  /** The first one is the original. */
  variants: ScriptVariant[];
}

export interface ScriptDesign {
  id: string;
  /** For each knob. */
  variants: number[];
}

/** Values are in `unit`. One unit is `scale` picoseconds, bytes or 1. */
export interface ScriptParameter {
  id: string;
  title: string;
  unit: string;
  scale: number;
  min: number;
  max: number;
  default: number;
}

export const script_device_kinds = ['nvme', 'ssd', 'hdd', 'network'] as const;

export type ScriptDeviceKind = (typeof script_device_kinds)[number];

export interface ScriptDevice {
  name: string;
  kind: ScriptDeviceKind;
  /** Of `network`: picoseconds of a request. */
  latency?: number;
}

/** Words that share a cache line while the variant is in force; otherwise each has its own. */
export interface ScriptSharedLine {
  words: number[];
  knob: number;
  variant: number;
}

export interface ScriptLatch {
  name: string;
  elements: number;
  /** Its kind, or the knob that selects it. */
  kind?: ScriptKind;
  knob?: number;
  source_line: number;
}

/** A place in the code that takes a latch. `site` is a number of `names`. */
export interface ScriptHold {
  latch: number;
  shared: boolean;
  site: number;
}

export interface ScriptGroup {
  name: string;
  /** Of the group with the transaction: how many clients by default. */
  threads: number;
  has_transaction: boolean;
  /** When its threads run the body; absent: again and again. */
  runs?: 'every' | 'once' | 'on_action' | 'at_end';
  /** Of `every`: picoseconds from one start to the next. A missed start is skipped. */
  period?: number;
  /** Of `on_action`: the title of the action. Its id is the name of the group. */
  title?: string;
  /** Start and end of its code. */
  code: [number, number];
}

/** A workload of a run spec: what runs, and the text that it was compiled from, for people. */
export interface Workload {
  source?: string;
  program: WorkloadProgram;
}

/** The engine's JSON form. */
export interface WorkloadProgram {
  title: string;
  /** What throughput counts. */
  unit: string;
  parameters: ScriptParameter[];
  knobs: ScriptKnob[];
  /** The first one is `original`. */
  designs: ScriptDesign[];
  latches: ScriptLatch[];
  /** Absent if there are none. */
  words?: LabWord[];
  /** Lists of which a program without any has none. */
  shared_lines?: ScriptSharedLine[];
  counters?: string[];
  devices?: ScriptDevice[];
  kinds?: ScriptLatchProgram[];
  groups: ScriptGroup[];
  /** Of call frames and sites. */
  names: string[];
  holds: ScriptHold[];
  registers: number;
  constants: number[];
  /** Two 32-bit numbers per instruction. */
  code: number[];
  source_lines: number[];
}
