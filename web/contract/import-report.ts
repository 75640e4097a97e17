// Defines what `latchscope import --json` writes, and the page shows: the latches that a server waits
// for. For logs of a benchmark, it has the throughput by threads.
import type { UslOutcome } from './experiment-outcome.ts';
import type { CatalogueBug, CatalogueEntry } from './scenario-files/latch-catalogue.ts';

/** What the shares are parts of. */
export type WaitsBasis =
  | 'time between snapshots'
  | 'time since the server started'
  | 'sleeps since the server started'
  | 'threads at one moment'
  | 'blocked stacks'
  | 'probed time';

export interface ImportReport {
  version: number;
  files: { name: string; form: string; title: string }[];
  /** What the shares are parts of; null: no text names latches. */
  basis: WaitsBasis | null;
  /** Seconds between the snapshots, or since the server started; null: unknown. */
  interval_s: number | null;
  statements: number | null;
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

export interface ReportedLatch {
  name: string;
  event: string | null;
  share: number;
  count: number | null;
  wait_s: number | null;
  mean_wait_us: number | null;
  per_statement: number | null;
  waiting_threads: number | null;
  /** Its entry in the catalogue, with the bugs that model it; null: it has none. */
  matched: MatchedLatch | null;
}

/** A latch of the catalogue with the bugs that model it, the main one first. */
export interface MatchedLatch extends Omit<CatalogueEntry, 'bugs'> {
  bugs: readonly ModeledIn[];
}

/** `latch` is its name in the engine. A bug's threads wait for its cause, and take a part on their way. */
interface ModeledIn extends CatalogueBug {
  latch: string;
  role: 'cause' | 'part';
}
