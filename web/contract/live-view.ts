// Defines `live` of window.latchscope.snapshot(): the figures of tiles and tables.
import type { BusyState, TimeShares } from './time-shares.ts';
import type { ThreadState } from './telemetry-states.ts';

/** Threads found at the same place. */
export interface BlockedStack {
  /** Innermost function first. */
  frames: string[];
  /** Number of samples with a thread at this place. */
  count: number;
  state: ThreadState;
  /** The latch that they wait for; null if they sleep or wait for a device. */
  waits_for: string | null;
  /** Latches that they hold at that time. */
  holds: string[];
  /** Number of samples with another thread that waits for a latch held here. */
  waiters: number;
}

export interface BlockedStacks {
  /** The stack of threads that hold up others by a latch they hold; null if there is none. */
  holding_others_up: BlockedStack | null;
  /** The most frequent stack of clients; null if there is none. */
  most_frequent: BlockedStack | null;
  /** null if no client was blocked. */
  cause: WaitingCause | null;
}

/**
 * What holds up most blocked clients, directly or through others: a thread, or a latch whose holders
 * run.
 */
export type WaitingCause = {
  /** Share of the blocked clients' samples. */
  share: number;
} & ({ latch: string; thread: null } | { latch: null; thread: HoldingThread });

export interface HoldingThread {
  is_client: boolean;
  state: ThreadState;
  /** Innermost function first. */
  frames: string[];
  holds: string[];
}

/** Number of samples in each state; states without samples are omitted. */
export type StateCounts = Partial<Record<BusyState, number>>;

/** Threads found with the same stack in the same activity. */
export interface FlameStack {
  /** Outermost function first. */
  frames: string[];
  /** Clients or the server's own threads; null if unknown. */
  is_client: boolean | null;
  samples: number;
  states: StateCounts;
  /** Their activity in words, such as `waiting for LOCK_log`; null if only the stack is known. */
  doing: string | null;
}

/**
 * Figures of one latch, or of one place that acquires it, within a window. Shares are null without
 * samples.
 */
export interface LatchFigures {
  acquisitions: number;
  acquisitions_per_s: number | null;
  /** Acquisitions per operation of the scenario, such as per block read. */
  per_operation: number | null;
  /** Share of acquisitions that did not find the latch free. */
  contended_share: number | null;
  /** Share of the clients' time asleep, waiting for it. */
  waiting_share: number | null;
  /** Share of the clients' time polling it. */
  spinning_share: number | null;
  /**
   * Time in which threads stalled on its cache line, relative to the clients' time. A stalled
   * thread is running: it neither waits nor polls. Modeled servers only.
   */
  line_stall_share: number | null;
  /**
   * Mean number of threads that wait for it, polling or asleep, over the window. Modeled servers
   * only.
   */
  queue_mean: number | null;
  /**
   * Its cost relative to the clients' time: its queue, and the stalls outside of it. Modeled
   * servers only.
   */
  cost_share: number | null;
  /** Mean sleep of the threads that slept; estimated from a sample on real threads. */
  mean_wait_ns: number | null;
  /** Mean hold time, estimated in the same way. */
  mean_hold_ns: number | null;
  contended: number;
  waits: number;
  wait_ns: number;
}

export interface LatchRow extends LatchFigures {
  latch: string;
  /** The places that have acquired it in this run, within the window or before. */
  sites: (LatchFigures & { function: string })[];
}

/** The holders of a latch and the threads that want it, in one sample. */
export interface LatchNow {
  /** Threads asleep until they acquire it. */
  waiting: number;
  /** Threads that poll it. */
  spinning: number;
  /**
   * Each holder with the function that acquired it; a thread that holds several of this name is
   * listed once.
   */
  holders: string[];
}

/** Threads found with the same stack. */
export interface FoldedStack {
  /** Innermost function first, as in the aggregated thread stacks of bug reports. */
  frames: string[];
  count: number;
}

/** One line of a profile in the form of `perf report --children`. Shares are of CPU time. */
export interface ProfileRow {
  symbol: string;
  /** In this function and its callees. */
  children: number;
  /** In this function itself. */
  self: number;
}

export interface CpuProfile {
  /** Samples that found a thread on CPU. */
  samples: number;
  /** Share of them that found it polling a latch; null without samples. */
  polling: number | null;
  /** Sorted by self time, largest first. */
  rows: ProfileRow[];
}

/** The figures of tiles and tables, computed about twice a second. null: unknown. */
export interface LiveView {
  run_s: number;
  /** Run time of the window of rates and percentiles (analysis/rate-window.ts). */
  rate_window_s: number;
  /**
   * False while rates may still change by themselves: after a mark, each client has to end a few
   * transactions.
   */
  is_settled: boolean;
  transactions_per_s: number | null;
  operations_per_s: number | null;
  /** Rate of the second tile: the manifest's `beside_tps`, otherwise operations. */
  beside_tps_per_s: number | null;
  p50_ns: number | null;
  p95_ns: number | null;
  p99_ns: number | null;
  time_shares: TimeShares | null;
  /** Run time that the tables cover: TimeScale.table_window_s, or longer by the same rule. */
  table_window_s: number;
  latch_rows: LatchRow[];
  /** Latches that were held or wanted in the last sample, by name. */
  latches_now: Record<string, LatchNow>;
  counters: { name: string; total: number; per_s: number | null }[];
  /** Stacks of clients. */
  stacks: FoldedStack[];
  stacks_seen: number;
  /** Run time over which stacks were sampled. */
  samples_s: number;
  /**
   * Activities of all threads: over the time of the stacks, and over the whole run up to the first
   * read of this field.
   */
  flame: { recent: FlameStack[]; run: FlameStack[] };
  /** All counters of the engine; a maximum has no rate. */
  counts: Record<string, CounterFigures>;
  /** Blocked threads, over the time of the stacks. */
  blocked: BlockedStacks;
  /** Use of CPU time, over the time of the stacks. */
  profile: CpuProfile;
  /** Time of clients and of server threads by state, over the time of the tables. */
  cpu: { clients: TimeShares | null; server: TimeShares | null };
  measured: MeasuredFigures;
}

export interface CounterFigures {
  total: number;
  per_s: number | null;
}

/** Measured counterparts of the manifest's reported figures, by id. */
export type MeasuredFigures = Record<string, { here: number | null; ratio: number | null }>;
