// Reports what imported texts say about a server's latches, for scripts.
import { latch_catalogue } from '../../contract/all-known-latches';
import type { ImportReport, MatchedLatch, ReportedRun } from '../../contract/import-report';
import type { CatalogueServer } from '../../contract/scenario-files/latch-catalogue';
import { uslOfRuns } from './benchmark-curve';
import { importedWaits, type NamedRun, type NamedText } from './imported-waits';
import { openLatchCatalogue } from './latch-catalogue';

const VERSION = 1;

const catalogue = openLatchCatalogue(latch_catalogue);

/** Throws `SnapshotsRefused`. */
export function importReport(texts: readonly NamedText[]): ImportReport {
  const server = serverOf(texts);
  const waits = importedWaits(texts, catalogue.sleeperOf);
  const { basis, intervalS, statements, latches, apart } = waits;
  const runs = waits.runs.map(reportedRun);
  return {
    version: VERSION,
    files: texts.map(({ source, form: { id, title } }) => ({ name: source, form: id, title })),
    basis,
    interval_s: intervalS,
    statements,
    latches: latches.map((latch) => ({
      ...{
        name: latch.name,
        event: latch.event,
        share: latch.share,
        count: latch.count,
        wait_s: latch.waitS,
      },
      mean_wait_us: latch.meanWaitS === null ? null : latch.meanWaitS * 1e6,
      per_statement: latch.perStatement,
      waiting_threads: latch.waitingThreads,
      matched: matchedOf(latch.event ?? latch.name, server),
    })),
    apart: apart.map(({ event, reason, count, waitS }) => ({ event, reason, count, wait_s: waitS })),
    runs,
    usl: uslOfRuns(runs),
  };
}

const reportedRun = (run: NamedRun): ReportedRun => ({
  file: run.source,
  line: run.line,
  threads: run.threads,
  tps: run.transactionsPerS,
  qps: run.queriesPerS,
  mean_ms: run.meanMs,
  p95_ms: run.p95Ms,
});

function matchedOf(name: string, server: CatalogueServer | undefined): MatchedLatch | null {
  const entry = catalogue.findEntry(name, server);
  return entry === null ? null : { ...entry, bugs: catalogue.bugsOf(entry) };
}

/** Status variables such as Ssl_version are about something else. */
const VERSION_OF_SERVER = /^(?:@@)?version(?:_comment|\(\))?$/;
/** Only MariaDB has events of this engine. */
const ARIA = /^wait\/\w+\/\w+\/aria\//;

/** Returns the server that the texts name; undefined if they name none. */
function serverOf(texts: readonly NamedText[]): CatalogueServer | undefined {
  const counters = texts.flatMap(({ contents }) => contents.filter((one) => one.kind === 'counters'));
  if (counters.some(({ rows }) => rows.some(({ event }) => ARIA.test(event)))) return 'mariadb';
  const versions = counters.flatMap(({ status }) =>
    [...status].flatMap(([name, { value }]) => (VERSION_OF_SERVER.test(name) ? value.toLowerCase() : [])),
  );
  if (versions.length === 0) return undefined;
  const is = (server: string) => versions.some((value) => value.includes(server));
  return is('mariadb') ? 'mariadb' : is('percona') ? 'percona' : 'mysql';
}
