// Defines scenarios/servers.json: the values of a modeled server, each with its range and source,
// and the project's servers.
import * as z from 'zod/mini';

import {
  anInteger,
  documentOf,
  hyphenated,
  identifier,
  integerFrom,
  listOf,
  recordOf,
  strictObject,
  text,
} from './schema-parts.ts';

const words = () => text({ min: 1, max: 2_000 });

/** One value of a server, with its range and its source. */
const server_field_schema = strictObject({
  id: identifier().check(z.describe('a member of ServerProfile (wasm-engine/platform/server_profile.h)')),
  title: words(),
  unit: z.enum(['sockets', 'cores', 'threads', 'entries', 'percent', 'ps']),
  min: integerFrom(0),
  max: anInteger(),
  default: anInteger(),
  explanation: words(),
  source: words(),
});
export type ServerField = z.infer<typeof server_field_schema>;

const named_server_schema = strictObject({
  id: hyphenated(),
  title: words(),
  explanation: words(),
  values: recordOf(identifier(), anInteger(), 'integers').check(
    z.describe('those that differ from the defaults of the fields'),
  ),
});
export type NamedServer = z.infer<typeof named_server_schema>;

export const servers_schema = documentOf(1, {
  fields: listOf(server_field_schema, 'fields', { min: 1 }),
  servers: listOf(named_server_schema, 'servers', { min: 1 }),
});
export type Servers = Pick<z.infer<typeof servers_schema>, 'fields' | 'servers'>;

/** Returns all values of a named server. */
export function valuesOfServer({ fields, servers }: Servers, id: string): Record<string, number> {
  const values = servers.find((server) => server.id === id)?.values ?? {};
  return Object.fromEntries(fields.map((field) => [field.id, values[field.id] ?? field.default]));
}
