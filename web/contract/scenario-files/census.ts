// Defines a scenario's census.json: the design of the engine that corresponds to each real server,
// and known differences between their counts (docs/reference/real-servers.md).
import * as z from 'zod/mini';

import {
  aNumber,
  choice,
  documentOf,
  listOf,
  recordOf,
  strictObject,
  text,
  textLike,
} from '../schema-parts.ts';

const SERVER_NAME = 'mysql- or mariadb- and a version, such as mysql-9';
export const server_name = textLike(/^(mysql|mariadb)-\d+(\.\d+)?$/, SERVER_NAME);

const name = text({ min: 1, max: 200 });
const reason = text({ min: 20, max: 2_000 }, 'a reason');
const range = z.tuple([aNumber(), aNumber()], { error: 'a range [least, most]' });

const seen_count = strictObject({ experiment: name, figure: name, count: aNumber() });

const sighting = strictObject({
  bug: choice(['alive', 'in_part', 'fixed']),
  server: server_name,
  version: textLike(/^\d+(\.\d+)*$/, 'numbers with dots between, such as 9.7.4'),
  month: textLike(/^\d{4}-\d{2}$/, 'a month, such as 2026-11').check(
    z.describe('month of the measured file'),
  ),
  how: text({ min: 10, max: 2_000 }, 'a sentence').check(
    z.describe('{name} becomes the count in words, {name:2} the count with two decimals'),
  ),
  counts: recordOf(name, seen_count, 'counts').check(
    z.refine((counts) => Object.keys(counts).length > 0, { error: 'at least one count' }),
    z.describe('counts by the names used in the sentence'),
  ),
});

const exception = strictObject({
  experiment: name,
  figure: name,
  servers: listOf(server_name, 'servers', { min: 1 }),
  because: reason,
  engine: range.check(z.describe('the engine’s counts, over all runs')),
  server: range.check(z.describe('counts of these servers, over all files and runs')),
});

const last_seen = strictObject({
  sightings: listOf(sighting, 'sightings', { min: 1 }).check(
    z.describe('the first one is the text of the badge'),
  ),
  remark: z.exactOptional(reason),
}).check(
  z.describe(
    'the latest real version that showed the bug, and the evidence; checked against the measured files',
  ),
);

export const census_schema = documentOf(1, {
  variants: recordOf(server_name, recordOf(name, name, 'knobs and variants'), 'servers', SERVER_NAME).check(
    z.describe('the design that corresponds to each server'),
  ),
  not_compared: recordOf(server_name, reason, 'servers', SERVER_NAME).check(
    z.describe('why a server has no design'),
  ),
  last_seen: z.exactOptional(last_seen),
  reported: z.exactOptional(
    listOf(
      strictObject({
        experiment: name,
        figure: name,
        reported: name.check(z.describe('id of a reported figure of the manifest')),
      }),
      'figures',
    ).check(z.describe('reported figures that are comparable with a count')),
  ),
  exceptions: listOf(exception, 'exceptions'),
});

export type Census = z.infer<typeof census_schema>;
export type CensusException = z.infer<typeof exception>;
export type Sighting = z.infer<typeof sighting>;
