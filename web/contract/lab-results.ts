// What the engine says of latches of the lab, as it writes it (docs/latch-lab.md): wasm-engine/api/lab_check_json.h, lab_contest.h and
// lab_host.h.

import type { LabFaultKind } from './lab-exercise.ts';

export type LabPhase = 'outside' | 'entering' | 'holding' | 'exiting';
export type LabMemory = 'sc' | 'tso';

export interface LabStep {
  /** From 1. */
  thread: number;
  what: 'access' | 'takes_effect' | 'choice' | 'leaves';
  function: string;
  line: number;
  operation: string;
  /** Of an access to one. */
  word?: string;
  index?: number;
  before?: number;
  after?: number;
  /** The store waits in the buffer of its thread. */
  buffered?: true;
  /** What the operation gave. */
  result?: number;
  falls_asleep?: true;
  /** Of each thread, afterwards. */
  phases: LabPhase[];
  sleepers: { thread: number; word: string; index: number }[];
}

export interface LabFault {
  kind: LabFaultKind;
  sentence: string;
  memory: LabMemory;
  threads: number;
  roles: string;
  rounds: number;
  schedule: string;
  /** From this step on, counted from 1, it can go on for ever. */
  repeats_from_step?: number;
  steps: LabStep[];
}

export interface LabCheckResult {
  version: 1;
  verdict: 'no_fault_found' | 'fault_found' | 'refused';
  sentence: string;
  fault?: LabFault;
  checked: { how: 'every_schedule' | 'starvation' | 'at_random'; sentence: string }[];
}

export interface LabCheckProgress {
  part: number;
  parts: number;
  sentence: string;
  is_done: boolean;
}

/** What was not observed is null. */
export interface LabContest {
  threads: number;
  duration_us: number;
  acquisitions: number;
  acquisitions_per_s: number;
  shared_acquisitions: number;
  fairness: number | null;
  wait_ns: { median: number | null; p99: number | null; max: number | null };
  hand_over_ns: number | null;
  hand_overs: number;
  in_order_percent: number | null;
  overtaken_max: number;
  line_transfers_per_acquisition: number | null;
  futex_waits: number;
  context_switches: number;
  events: number;
  ended_early: boolean;
  /** Source lines, per acquisition. */
  lines: { line: number; accesses: number | null; ns: number | null; transfers: number | null }[];
  verdict: 'sound' | 'broken' | 'wrong' | 'hangs';
  sentence: string;
}
