// Defines scenarios/plausible-servers.json: servers that a report may have run on.
import * as z from 'zod/mini';

import {
  anInteger,
  documentOf,
  hyphenated,
  identifier,
  listOf,
  recordOf,
  strictObject,
  text,
} from '../schema-parts.ts';

const words = text({ min: 1, max: 2_000 });

const family = strictObject({
  id: hyphenated(),
  title: words,
  source: words.check(z.describe('where the values and the ends of the ranges come from')),
  values: recordOf(identifier(), anInteger(), 'integers').check(
    z.describe('values that all servers of the family share, beyond the report’s named server'),
  ),
  ranges: recordOf(identifier(), listOf(anInteger(), 'integers', { min: 1 }), 'lists').check(
    z.refine((ranges) => Object.keys(ranges).length > 0, { error: 'at least one value that is open' }),
    z.describe('the values to try, in every combination'),
  ),
});

export const plausible_servers_schema = documentOf(1, {
  families: listOf(family, 'families', { min: 1 }),
}).check(
  z.describe(
    'Families of processors with measured costs, each with its open values. npm run reproduce -- --servers tries every combination.',
  ),
);

export type Family = z.infer<typeof family>;
