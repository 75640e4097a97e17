// Names the server and the version that imported texts come from.
import type { NamedServer } from '../../contract/import-report';
import type { NamedText } from './imported-waits';

/** Status variables such as Ssl_version are about something else. */
const NAMES_SERVER = /^(?:@@)?version(?:_comment|\(\))?$/;
/** Only MariaDB has events of this engine. */
const ARIA = /^wait\/\w+\/\w+\/aria\//;
/** MariaDB prepends 5.5.5- for old clients. Versions of Aurora have two numbers: 8.0.mysql_aurora. */
const VERSION = /^(?:5\.5\.5-)?(\d{1,3}\.\d{1,3}(?:\.\d{1,3})?)(?![\d])/;

/** Returns the server that the texts name; null if they name none. */
export function serverOf(texts: readonly NamedText[]): NamedServer | null {
  const contents = texts.flatMap((text) => text.contents);
  const counters = contents.flatMap((one) => (one.kind === 'counters' ? one : []));
  const named = [
    ...counters.flatMap(({ status }) =>
      [...status].flatMap(([name, { value }]) => (NAMES_SERVER.test(name) ? value : [])),
    ),
    ...contents.flatMap((one) =>
      one.kind === 'server' || one.kind === 'figures' ? (one.version ?? []) : [],
    ),
  ];
  const isMariadb = counters.some(({ rows }) => rows.some(({ event }) => ARIA.test(event)));
  if (named.length === 0) return isMariadb ? { server: 'mariadb', version: null } : null;
  const versions = new Set(named.flatMap((text) => VERSION.exec(text.trim())?.[1] ?? []));
  const is = (server: string) => named.some((text) => text.toLowerCase().includes(server));
  return {
    server: isMariadb || is('mariadb') ? 'mariadb' : is('percona') ? 'percona' : 'mysql',
    version: versions.size === 1 ? [...versions][0]! : null,
  };
}
