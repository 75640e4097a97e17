// The modelled servers of scenarios/servers.json, and servers with values of one's own.
import { servers as from_build } from 'virtual:scenarios';

/** One value of a server, with its range and where it comes from. */
export interface ServerField {
  id: string;
  title: string;
  unit: string;
  min: number;
  max: number;
  default: number;
  explanation: string;
  source: string;
}

export interface NamedServer {
  id: string;
  title: string;
  explanation: string;
  /** Those that differ from the defaults of the fields. */
  values: Record<string, number>;
}

/** In a run spec: a server by its id, or one with some values of one's own. */
export type ServerChoice = string | OwnServer;
export type OwnServer = { based_on: string } & Record<string, number | string>;

export const { fields: server_fields, servers: named_servers } = from_build as {
  fields: readonly ServerField[];
  servers: readonly NamedServer[];
};

export function namedServer(id: string): NamedServer | undefined {
  return named_servers.find((server) => server.id === id);
}

/** Every value of a named server. */
export function valuesOfServer(id: string): Record<string, number> {
  const { values = {} } = namedServer(id) ?? {};
  return Object.fromEntries(server_fields.map((field) => [field.id, values[field.id] ?? field.default]));
}

/** A few words: which server, and whether some of its values are the reader's own. */
export function describeServer(server: ServerChoice): string {
  if (typeof server === 'string') return namedServer(server)?.title ?? server;
  const { based_on, ...own } = server;
  const changed = Object.keys(own).length;
  const title = namedServer(based_on)?.title ?? based_on;
  return changed === 0 ? title : `your own server, after: ${title}`;
}
