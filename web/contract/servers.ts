// Provides the modeled servers of this build, and servers with the reader's own values.
import { servers as from_build } from 'virtual:scenarios';

import type { ServerChoice } from './run-spec-rules.ts';
import { valuesOfServer as valuesIn, type NamedServer, type Servers } from './servers-file.ts';

export const all_servers = from_build as Servers;
export const { fields: server_fields, servers: named_servers } = all_servers;

export const namedServer = (id: string): NamedServer | undefined =>
  named_servers.find((server) => server.id === id);

export const valuesOfServer = (id: string) => valuesIn(all_servers, id);

/** Returns a server's numbers of sockets and cores. */
export function shapeOfServer(server: ServerChoice): ServerShape {
  const { based_on, ...own } = typeof server === 'string' ? { based_on: server } : server;
  const values: Record<string, number | string> = { ...valuesOfServer(based_on), ...own };
  return { sockets: Number(values.sockets), cores_per_socket: Number(values.cores_per_socket) };
}

/** Describes a server in a few words: its name, and whether some values are the reader's own. */
export function describeServer(server: ServerChoice): string {
  if (typeof server === 'string') return namedServer(server)?.title ?? server;
  const { based_on, ...own } = server;
  const changed = Object.keys(own).length;
  const title = namedServer(based_on)?.title ?? based_on;
  return changed === 0 ? title : `custom server based on ${title}`;
}

/** Sockets and cores of a modeled server. */
export interface ServerShape {
  sockets: number;
  cores_per_socket: number;
}
