// What window.latchscope.snapshot() returns as `live`: the figures of tiles and tables.
import type { BusyState, TimeShares } from './time-shares.ts';
import type { ThreadState } from './telemetry-states.ts';

/** Threads found at the same place. */
export interface BlockedStack {
  /** Innermost function first. */
  frames: string[];
  /** How often a thread was found here. */
  count: number;
  state: ThreadState;
  /** The latch that they wait for; null if they sleep or wait for a device. */
  waits_for: string | null;
  /** Latches that they hold meanwhile. */
  holds: string[];
  /** How often another thread was found waiting for a latch held here. */
  waiters: number;
}

export interface BlockedStacks {
  /** Where threads are while others wait for a latch that they hold; null if none was found. */
  holding_others_up: BlockedStack | null;
  /** Where clients are found most often; null if none was found. */
  most_frequent: BlockedStack | null;
}

/** How often threads were found in each state; states in which none was found are left out. */
export type StateCounts = Partial<Record<BusyState, number>>;

/** Threads found with the same stack in the same activity. */
export interface FlameStack {
  /** Outermost function first. */
  frames: string[];
  /** Clients or the server's own threads; null if not known. */
  is_client: boolean | null;
  samples: number;
  states: StateCounts;
  /** What all of them did, in words, such as `waiting for LOCK_log`; null if only the stack is known. */
  doing: string | null;
}

/** What one latch, or one place that takes it, did within a window. Shares are null where nothing was seen. */
export interface LatchFigures {
  acquisitions: number;
  acquisitions_per_s: number | null;
  /** Acquisitions per operation of the scenario, such as per block read. */
  per_operation: number | null;
  /** Part of the acquisitions that did not find the latch free. */
  contended_share: number | null;
  /** Part of the clients' time spent asleep, waiting for it. */
  waiting_share: number | null;
  /** Part of the clients' time spent polling it. */
  spinning_share: number | null;
  /**
   * Time in which threads stalled on its cache line, in proportion to the clients' time. A stalled thread runs: it neither
   * waits nor polls. Only a modelled server knows.
   */
  line_stall_share: number | null;
  /** How many threads wait for it, polling or asleep: the mean over the window. Only a modelled server knows. */
  queue_mean: number | null;
  /** What it costs, in proportion to the clients' time: its queue, and the stalls outside of it. Only a modelled server knows. */
  cost_share: number | null;
  /** Mean sleep of the threads that slept; estimated from a sample on real threads. */
  mean_wait_ns: number | null;
  /** How long it was held, estimated in the same way. */
  mean_hold_ns: number | null;
  contended: number;
  waits: number;
  wait_ns: number;
}

export interface LatchRow extends LatchFigures {
  latch: string;
  /** The places that have taken it in this run, within the window or before. */
  sites: (LatchFigures & { function: string })[];
}

/** The holders of a latch and the threads that want it, in one sample. */
export interface LatchNow {
  /** Threads asleep until they get it. */
  waiting: number;
  /** Threads that poll it. */
  spinning: number;
  /** Each with the function that took it; one that holds several of this name comes once. */
  holders: string[];
}

/** Threads that were found with the same stack. */
export interface FoldedStack {
  /** Innermost function first, as in the aggregated thread stacks of bug reports. */
  frames: string[];
  count: number;
}

/** One line of a profile in the form of `perf report --children`. Shares are of the time on CPU. */
export interface ProfileRow {
  symbol: string;
  /** In this function and all that it called. */
  children: number;
  /** In this function itself. */
  self: number;
}

export interface CpuProfile {
  /** Those that found a thread on CPU. */
  samples: number;
  /** Share of them that found it polling a latch; null without samples. */
  polling: number | null;
  /** Where most of the time was spent itself comes first. */
  rows: ProfileRow[];
}

/** What the tiles and tables show, worked out about twice a second. Null is a number that is not known. */
export interface LiveView {
  run_s: number;
  /** Run time that the rates and percentiles of this view are taken over (analysis/rate-window.ts). */
  rate_window_s: number;
  /** Else they may still change although nothing else does: each client has to end a few transactions after a mark. */
  is_settled: boolean;
  transactions_per_s: number | null;
  operations_per_s: number | null;
  /** Of the second tile: the manifest's `beside_tps`, else operations. */
  beside_tps_per_s: number | null;
  p50_ns: number | null;
  p95_ns: number | null;
  p99_ns: number | null;
  time_shares: TimeShares | null;
  /** Run time that the tables look back on: TimeScale.table_window_s, or longer by the same rule. */
  table_window_s: number;
  latch_rows: LatchRow[];
  /** Of the latches that were held or wanted at the last look, by name. */
  latches_now: Record<string, LatchNow>;
  counters: { name: string; total: number; per_s: number | null }[];
  /** Of clients. */
  stacks: FoldedStack[];
  stacks_seen: number;
  /** Run time over which stacks were sampled. */
  samples_s: number;
  /** What all threads were found doing, over the same time as the stacks, and in the whole run up to when this is first read. */
  flame: { recent: FlameStack[]; run: FlameStack[] };
  /** All that the engine counts; a largest value has no rate. */
  counts: Record<string, CounterFigures>;
  /** Where threads stand, over the same time as the stacks. */
  blocked: BlockedStacks;
  /** Where time on CPU goes, over the same time as the stacks. */
  profile: CpuProfile;
  /** What the time of clients and of the server's own threads goes to, over the time of the tables. */
  cpu: { clients: TimeShares | null; server: TimeShares | null };
  measured: MeasuredFigures;
}

export interface CounterFigures {
  total: number;
  per_s: number | null;
}

/** Measured counterparts of the manifest's reported figures, by their id. */
export type MeasuredFigures = Record<string, { here: number | null; ratio: number | null }>;
