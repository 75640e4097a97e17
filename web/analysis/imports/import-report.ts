// Reports what imported texts say about a server's latches, for scripts.
import { latch_catalogue } from '../../contract/all-known-latches';
import type { ImportReport, MatchedLatch } from '../../contract/import-report';
import type { CatalogueServer } from '../../contract/scenario-files/latch-catalogue';
import { importedWaits, type NamedText } from './imported-waits';
import { openLatchCatalogue } from './latch-catalogue';

const VERSION = 1;

const catalogue = openLatchCatalogue(latch_catalogue);

/** Throws `SnapshotsRefused`. */
export function importReport(texts: readonly NamedText[]): ImportReport {
  const server = serverOf(texts);
  const { basis, intervalS, statements, latches, apart } = importedWaits(texts, catalogue.sleeperOf);
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
  };
}

function matchedOf(name: string, server: CatalogueServer | undefined): MatchedLatch | null {
  const entry = catalogue.findEntry(name, server);
  return entry === null ? null : { ...entry, bugs: catalogue.bugsOf(entry) };
}

/** Returns the server that the texts name; undefined if they name none. */
function serverOf(texts: readonly NamedText[]): CatalogueServer | undefined {
  const variables = texts.flatMap(({ contents }) =>
    contents.flatMap((one) => (one.kind === 'counters' ? [...one.status] : [])),
  );
  const named = variables.flatMap(([name, { value }]) =>
    name.includes('version') ? value.toLowerCase() : [],
  );
  if (named.length === 0) return undefined;
  const is = (server: string) => named.some((value) => value.includes(server));
  return is('mariadb') ? 'mariadb' : is('percona') ? 'percona' : 'mysql';
}
