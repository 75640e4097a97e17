// Defines the explanation of one transaction's time, as the engine writes it
// (docs/guide/explain.md, "JSON"). Times are picoseconds.
import type { thread_states } from './gen/telemetry-layout';
import type { RunSpec } from './run-spec';

type ThreadStateName = (typeof thread_states)[number];

export interface ExplainedPart {
  state: ThreadStateName;
  /** From the start of the transaction. */
  from_ps: number;
  ps: number;
  latch?: string;
  latch_number?: number;
  site?: string;
  function?: string;
  behind?: 'holder' | 'leader' | 'waker' | 'nobody' | 'timer' | 'unknown' | 'earlier';
  holder?: {
    thread: string;
    slot: number;
    latch?: string;
    site?: string;
    held_for_ps?: number;
    holders?: number;
  };
  cut?: 'depth' | 'cycle' | 'size';
  /** Activity of the thread behind this part, over exactly the same time. */
  chain?: readonly ExplainedPart[];
}

/** A cause of time, and its share of all time. */
export interface BlameRow {
  state?: ThreadStateName;
  latch?: string;
  site?: string;
  behind?: string;
  holder_latch?: string;
  holder_site?: string;
  function?: string;
  ps: number;
  share: number;
}

export interface BlameOfSlowest {
  transactions: number;
  slowest_1_percent: number;
  left_out: number;
  latency_ps: number;
  by_state: readonly BlameRow[];
  by_latch: readonly BlameRow[];
  by_site: readonly BlameRow[];
  by_holder: readonly BlameRow[];
  by_end: readonly BlameRow[];
}

/** A table of an explanation as the command line prints it, with short rows folded. */
export interface TableOfTimes {
  id:
    | 'transaction'
    | 'states'
    | 'chain'
    | 'in_order'
    | 'slowest'
    | `slowest_${'by_state' | 'by_latch' | 'by_site' | 'by_holder' | 'by_end'}`;
  heading: string;
  rows: readonly TableRow[];
}

/**
 * A row without a time is a remark on the rows before it. `level`: nesting below the previous row
 * with a smaller level.
 */
export type TableRow =
  { what: string; ps: number; share: number; level: number } | { what: string; ps?: undefined };

export interface Explanation {
  version: 1;
  spec: RunSpec;
  asked_for: string;
  /** Only transactions that ended in it count. */
  window?: { from_ps: number; to_ps: number };
  transactions: number;
  /** Rank among them; absent while the transaction is in progress. */
  rank?: number;
  transaction: {
    thread: string;
    slot: number;
    ordinal: number;
    began_ps: number;
    began_run_ps: number;
    /** Up to the end of the run if it is not over. */
    latency_ps: number;
    is_over: boolean;
    chain_parts: number;
    parts: readonly ExplainedPart[];
  };
  blame?: BlameOfSlowest;
}
