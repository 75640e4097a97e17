// Defines what the clients of one sample do and who waits for whom, and the form of recorded runs.
import type { HoldingThread, StateCounts } from './live-view.ts';
import type { Mark, ThreadState } from './telemetry-states.ts';
import type { BusyState } from './time-shares.ts';

/** A thread that holds a latch. */
export interface LatchHolder {
  is_client: boolean;
  /** Its number among the clients, or among the server's own threads. */
  ordinal: number;
  state: ThreadState;
  /** The function that acquired the latch, and the function that the thread executes. */
  acquired_in: string;
  executes: string;
}

/** The clients at one latch. */
export interface LatchQueue {
  latch: string;
  /** Clients that poll it. */
  spinning: number;
  /** Clients asleep until they acquire it. */
  waiting: number;
  holders: LatchHolder[];
}

/** What holds up most blocked clients of one sample. */
export interface QueueCause {
  /** The latch whose holders run; null if a thread away from the CPU holds the clients up. */
  latch: string | null;
  thread: HoldingThread | null;
  clients: number;
}

/** One sample of all clients. */
export interface ClientQueue {
  /** Run time in seconds. */
  t_s: number;
  /** Clients in each state; states without clients are omitted. */
  states: StateCounts;
  /** The latches that most clients want, the most wanted first. */
  latches: LatchQueue[];
  /** null: no client is blocked. */
  cause: QueueCause | null;
}

/** What the page has drawn of a run, in a form that is stored and loaded. */
export interface StoredCourse {
  /** Rows of the history. */
  t_s: number[];
  transactions: number[];
  /** Transactions per second by the rule of rates; null at a gap. */
  rate: (number | null)[];
  marks: Mark[];
  pictures: StoredPictures;
}

/** The recorded course of a stage. */
export interface StoredStageCourse extends StoredCourse {
  /** Values of the numbers in stage.json. */
  numbers: number[];
}

/** Pictures of the queue, one per entry of `t_s`. */
interface StoredPictures {
  t_s: number[];
  /** Clients in each state that occurs. */
  states: Partial<Record<BusyState, number[]>>;
  /** Indices into `queue_table` and `cause_table`; -1 for none. */
  queue: number[];
  cause: number[];
  queue_table: LatchQueue[];
  cause_table: QueueCause[];
}
