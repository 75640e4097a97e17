// Reports what imported texts say about a server's latches, for scripts.
import { latch_catalogue } from '../../contract/all-known-latches';
import type {
  ImportReport,
  LatchHold,
  MatchedLatch,
  NamedServer,
  ReportedLatch,
  ReportedRun,
} from '../../contract/import-report';
import type { CatalogueEntry } from '../../contract/scenario-files/latch-catalogue';
import { uslOfRuns } from './benchmark-curve';
import { importedWaits, type NamedRun, type NamedText } from './imported-waits';
import { matchedEntry, openLatchCatalogue } from './latch-catalogue';
import type { HoldTimes, LatchWaits } from './latch-waits';
import { serverOf } from './server-version';

const VERSION = 1;

const catalogue = openLatchCatalogue(latch_catalogue);

export interface ImportOptions {
  /** How long the probe ran whose times the texts have; null: unknown. */
  probedS?: number | null;
}

/** Throws `SnapshotsRefused`. */
export function importReport(
  texts: readonly NamedText[],
  { probedS = null }: ImportOptions = {},
): ImportReport {
  const server = serverOf(texts);
  const waits = importedWaits(texts, catalogue.sleeperOf, probedS);
  const runs = waits.runs.map(reportedRun);
  return {
    version: VERSION,
    files: texts.map(({ source, form: { id, title } }) => ({ name: source, form: id, title })),
    ...{ basis: waits.basis, interval_s: waits.intervalS, statements: waits.statements, server },
    latches: waits.latches.map((latch) => reported(latch, server)),
    apart: waits.apart.map(({ event, reason, count, waitS }) => ({ event, reason, count, wait_s: waitS })),
    runs,
    usl: uslOfRuns(runs),
  };
}

const reported = (latch: LatchWaits, server: NamedServer | null): ReportedLatch => ({
  ...{ name: latch.name, event: latch.event, share: latch.share, count: latch.count },
  wait_s: latch.waitS,
  mean_wait_us: latch.meanWaitS === null ? null : latch.meanWaitS * 1e6,
  per_statement: latch.perStatement,
  waiting_threads: latch.waitingThreads,
  hold: latch.hold === null ? null : reportedHold(latch.hold),
  matched: matchedOf(latch.event ?? latch.name, server),
});

const reportedRun = (run: NamedRun): ReportedRun => ({
  file: run.source,
  line: run.line,
  threads: run.threads,
  tps: run.transactionsPerS,
  qps: run.queriesPerS,
  mean_ms: run.meanMs,
  p95_ms: run.p95Ms,
});

const reportedHold = (hold: HoldTimes): LatchHold => ({
  mean_hold_us: hold.meanHoldS * 1e6,
  holds: hold.count,
  utilization: hold.utilization,
  max_acquisitions_per_s: hold.maxAcquisitionsPerS,
  max_transactions_per_s: hold.maxTransactionsPerS,
  remark: hold.remark,
});

/** Returns how to find latches by the names that these texts use. */
export function findEntryIn(texts: readonly NamedText[]): (name: string) => CatalogueEntry | null {
  const server = serverOf(texts)?.server;
  return (name) => catalogue.findEntry(name, server);
}

function matchedOf(name: string, server: NamedServer | null): MatchedLatch | null {
  const entry = catalogue.findEntry(name, server?.server);
  return entry === null ? null : matchedEntry(catalogue, entry, server);
}
