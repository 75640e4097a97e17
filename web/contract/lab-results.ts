// What the engine says of latches of the lab, as it writes it (docs/reference/latch-checker.md): wasm-engine/api/lab_check_json.h, lab_contest.h and
// lab_host.h.

import type { LabFaultKind } from './lab-exercise.ts';

export type LabPhase = 'outside' | 'entering' | 'holding' | 'exiting';
export type LabMemory = 'sc' | 'tso';

/** An element of a word of the latch. */
export interface LabElement {
  word: string;
  index: number;
}

/** A thread as it stands. */
export interface LabThread {
  phase: LabPhase;
  /** Of what it carries out next, or sleeps in; none if it has ended. */
  line?: number;
  /** How it holds, enters or exits an rw-latch. */
  shared?: true;
  ended?: true;
  /** It is about to repeat an access of the call that it is in. */
  goes_round?: true;
  /** It goes on once its stores have taken effect. */
  waits_for_its_stores?: true;
  /** Its stores that have not taken effect, the oldest first. */
  unseen_stores: (LabElement & { value: number })[];
}

/** How it all stands, as the checker knows it. */
export interface LabMoment {
  words: { word: string; values: number[] }[];
  /** By number, from thread 1. */
  threads: LabThread[];
  /** On each element in the order in which they will be woken. */
  sleepers: (LabElement & { thread: number })[];
}

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
  afterwards: LabMoment;
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
  /** Before the first step. */
  begin: LabMoment;
  steps: LabStep[];
}

export interface LabCheckResult {
  version: 1;
  /** `can_starve`: right as far as it was checked, but a thread can wait for ever. */
  verdict: 'no_fault_found' | 'can_starve' | 'fault_found' | 'refused';
  sentence: string;
  fault?: LabFault;
  /** How a thread can starve; beside a fault, too. */
  starvation?: LabFault;
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
