// Defines what `latchscope import --json` writes, and the page shows: the latches that a server waits
// for. For logs of a benchmark, it has the throughput by threads.
import type { UslOutcome } from './experiment-outcome.ts';
import type {
  CatalogueBug,
  CatalogueEntry,
  CatalogueName,
  CatalogueServer,
} from './scenario-files/latch-catalogue.ts';

/** What the shares are parts of. */
export type WaitsBasis =
  | 'time between snapshots'
  | 'time since the server started'
  | 'sleeps since the server started'
  | 'threads at one moment'
  | 'blocked stacks'
  | 'probed time'
  | 'waits in a run of the model'
  | 'acquisitions in measured runs';

export interface ImportReport {
  version: number;
  files: { name: string; form: string; title: string }[];
  /** What the shares are parts of; null: no text names latches. */
  basis: WaitsBasis | null;
  /** Seconds between the snapshots, or since the server started; null: unknown. */
  interval_s: number | null;
  statements: number | null;
  /** The server that the texts name; null: they name none. */
  server: NamedServer | null;
  /** By share, the largest first. */
  latches: ReportedLatch[];
  /** Events whose time is no waiting for a latch. */
  apart: { event: string; reason: string; count: number; wait_s: number | null }[];
  /** Runs of a benchmark, in the order of the texts. Runs with equal threads are repeats. */
  runs: ReportedRun[];
  /**
   * The Universal Scalability Law fitted to the mean throughput of each thread count, or why it does
   * not fit; null: no text has runs.
   */
  usl: UslOutcome | null;
}

export interface ReportedRun {
  file: string;
  /** The line that names its threads. */
  line: number;
  threads: number;
  tps: number;
  qps: number | null;
  /** Latency of a transaction. */
  mean_ms: number | null;
  p95_ms: number | null;
}

export interface NamedServer {
  server: CatalogueServer;
  /** Such as 8.0.36; null: the texts name none, or several. */
  version: string | null;
}

export interface ReportedLatch {
  name: string;
  event: string | null;
  share: number;
  count: number | null;
  wait_s: number | null;
  mean_wait_us: number | null;
  per_statement: number | null;
  waiting_threads: number | null;
  /** null: the texts do not time how long it is held. */
  hold: LatchHold | null;
  /** Its entry in the catalogue, with the bugs that model it; null: it has none. */
  matched: MatchedLatch | null;
}

export interface LatchHold {
  mean_hold_us: number;
  holds: number;
  /**
   * Part of the time in which a thread held the latch, from 0 to 1; null: unknown, and `remark` says
   * why.
   */
  utilization: number | null;
  /** One holder at a time cannot acquire it more often; null: unknown. */
  max_acquisitions_per_s: number | null;
  /** The same limit at the present acquisitions per transaction; null: those are unknown. */
  max_transactions_per_s: number | null;
  remark: string | null;
}

/** A latch of the catalogue with the bugs that model it, the main one first. */
export interface MatchedLatch extends Omit<CatalogueEntry, 'bugs'> {
  bugs: readonly ModeledIn[];
  /** Its names in the version that the texts name; null: it has none there, or that is unknown. */
  name_in_version: CatalogueName | null;
}

/** `latch` is its name in the engine. A bug's threads wait for its cause, and take a part on their way. */
export interface ModeledIn extends CatalogueBug {
  latch: string;
  role: 'cause' | 'part';
  /** Whether the version that the texts name has the bug; null: unknown. */
  version_has_bug: boolean | null;
}
