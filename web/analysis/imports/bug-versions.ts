// Says in words which versions have a bug and its fix, and whether the reader's version does.
import type { ModeledIn, NamedServer } from '../../contract/import-report';
import {
  compareVersions,
  type CatalogueBug,
  type CatalogueServer,
} from '../../contract/scenario-files/latch-catalogue';

export const serverTitles: Record<CatalogueServer, string> = {
  mysql: 'MySQL',
  mariadb: 'MariaDB',
  percona: 'Percona Server',
};

interface VersionRange {
  server: CatalogueServer;
  from: string;
  to: string | null;
}

/** Returns a range such as `MySQL 5.6 to 5.7`, or `MySQL since 8.0`. */
export const rangeInWords = ({ server, from, to }: VersionRange) =>
  `${serverTitles[server]} ${to === null ? `since ${from}` : from === to ? from : `${from} to ${to}`}`;

/** Returns the versions with the bug, and the fix: `MySQL 5.6 to 5.7; fixed in MySQL 8.0`. */
export const versionsInWords = ({ broken, fixed }: CatalogueBug) =>
  `${broken.map(rangeInWords).join(', ')}; ${fixed === null ? 'no fix known' : `fixed in ${fixed}`}`;

/** Returns whether the version that the texts name has the bug; null: they name none. */
export function versionVerdict(bug: ModeledIn, named: NamedServer | null): string | null {
  if (named === null) return null;
  const { server, version } = named;
  const yours = version === null ? `Your ${serverTitles[server]}` : `Your ${version}`;
  const { version_has_bug: hasBug, broken, fixed } = bug;
  if (hasBug === true) return `${yours} has it; ${fixed === null ? 'no fix is known' : `fixed in ${fixed}`}`;
  if (hasBug === false) {
    const isLater =
      version !== null && broken.every(({ to }) => to !== null && compareVersions(to, version) < 0);
    return `${yours} does not have it${isLater && fixed !== null ? `: fixed in ${fixed}` : ''}`;
  }
  const isListed = broken.some((one) => one.server === (server === 'percona' ? 'mysql' : server));
  return isListed
    ? `Whether ${yours.replace('Your', 'your')} has it is not known`
    : `It was not checked in ${serverTitles[server]}`;
}
