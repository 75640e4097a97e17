// Defines scenarios/latch-catalogue.json: latches of MySQL, MariaDB and Percona Server, with their
// names in each version and the bugs modeled here.
import * as z from 'zod/mini';

import {
  choice,
  documentOf,
  hyphenated,
  listOf,
  strictObject,
  text,
  textLike,
  truth,
} from '../schema-parts.ts';

const GUARDS_WORDS_MAX = 25;

const words = (max = 200) => text({ min: 1, max });
const url = () => textLike(/^https:\/\/[^\s]+$/, 'an address that begins with https://');
const server = choice(['mysql', 'mariadb', 'percona']);
const version = () => textLike(/^\d+\.\d+(\.\d+)?$/, 'a version such as 5.7 or 8.0.26', 12);

const event = textLike(
  /^wait\/synch\/(mutex|rwlock|prlock|sxlock|cond)\/[a-z0-9_]+\/\S+$/,
  'an event name such as wait/synch/mutex/innodb/trx_sys_mutex',
);

/** `to`: null means the newest version that was checked. */
const versions = { from: version(), to: z.nullable(version()) };
const inOrder = () =>
  z.refine<{ from: string; to: string | null }>(
    ({ from, to }) => to === null || compareVersions(from, to) <= 0,
    { error: 'a version from that is not after its version to' },
  );

const affected = strictObject({ server, ...versions }).check(inOrder());

const bug = strictObject({
  scenario: hyphenated().check(z.describe('a folder of scenarios/')),
  report: url().check(z.describe('as in its manifest')),
  broken: listOf(affected, 'ranges of versions', { min: 1 }),
  fixed: z.nullable(words(80)).check(z.describe('who fixed it, and in which version')),
});

const checkedVersion = strictObject({
  server,
  version: version(),
  how: choice(['running server', 'source']),
  source: words().check(z.describe('package, or address of the source')),
});

const name = strictObject({
  server,
  ...versions,
  event: z.nullable(event).check(z.describe('null: performance_schema does not count it')),
  code: z.nullable(words(80)).check(z.describe('its name in the code; null: not checked')),
}).check(inOrder());

const creation = strictObject({
  file: textLike(/^\w+\.(cc|c|h)$/, 'a source file'),
  as: choice(['mutex', 'rw-latch']),
});

const modeled = strictObject({
  scenario: hyphenated(),
  latch: words(48).check(z.describe('its name in the engine: scenarios/latches.json')),
  role: choice(['cause', 'part']).check(
    z.describe('cause: the bug’s threads wait for it; part: it is in the modeled path'),
  ),
});

const entry = strictObject({
  id: hyphenated(),
  name: words(60).check(z.describe('as the newest code calls it')),
  kind: choice(['mutex', 'rwlock', 'sxlock', 'cond']),
  guards: words(300).check(
    z.refine((guards) => guards.split(/\s+/).length <= GUARDS_WORDS_MAX, {
      error: `a text of at most ${GUARDS_WORDS_MAX} words`,
    }),
  ),
  names: listOf(name, 'names', { min: 1 }),
  status_names: z.exactOptional(
    listOf(words(48), 'names', { min: 1 }).check(
      z.describe('as SHOW ENGINE INNODB STATUS names it since 5.7'),
    ),
  ),
  created_in: z.exactOptional(
    listOf(creation, 'files', { min: 1 }).check(
      z.describe(
        'where SHOW ENGINE INNODB STATUS says that it was created, if no other busy latch is created there',
      ),
    ),
  ),
  sleeps: truth().check(z.describe('a condition on which a thread merely sleeps until there is work')),
  sleeper: z.exactOptional(words(120).check(z.describe('which thread sleeps, until when'))),
  symptoms: listOf(words(60), 'words', { min: 1 }).check(
    z.describe('what people search for: words, variables, functions seen in stacks'),
  ),
  bugs: z.exactOptional(listOf(modeled, 'bugs', { min: 1 }).check(z.describe('the main one first'))),
  sources: listOf(url(), 'addresses', { min: 1 }),
}).check(
  z.refine(({ sleeps, sleeper }) => sleeps === (sleeper !== undefined), {
    error: 'an entry that names its sleeper if, and only if, it sleeps',
    path: ['sleeper'],
  }),
);

export const latch_catalogue_schema = documentOf(1, {
  checked: listOf(checkedVersion, 'versions', { min: 1 }).check(
    z.describe('versions whose list of instruments was read; from and to of names are among these'),
  ),
  bugs: listOf(bug, 'bugs', { min: 1 }),
  latches: listOf(entry, 'latches', { min: 1 }),
}).check(z.describe('Latches and conditions that people see in waits of their servers.'));

export type LatchCatalogue = Pick<z.infer<typeof latch_catalogue_schema>, 'checked' | 'bugs' | 'latches'>;
export type CatalogueEntry = z.infer<typeof entry>;
export type CatalogueName = z.infer<typeof name>;
export type CatalogueBug = z.infer<typeof bug>;
export type CatalogueServer = z.infer<typeof server>;

/**
 * Compares versions such as `5.7` and `8.0.26`. A version without a patch level equals every
 * version of its series.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const shared = Math.min(left.length, right.length);
  for (let i = 0; i < shared; i++) if (left[i] !== right[i]) return left[i]! - right[i]!;
  return 0;
}

/** What a catalogue may refer to. */
export interface CatalogueContext {
  /** Addresses of the reports, by scenario. */
  reports: ReadonlyMap<string, string>;
  /** Latches of the engine, by scenario: scenarios/latches.json. */
  latches: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns the faults that no schema can find, one line each. REQUIRES: the catalogue fits its
 * schema.
 */
export function catalogueFaults({ bugs, latches }: LatchCatalogue, context: CatalogueContext): string[] {
  const faults: string[] = [];
  for (const { scenario, report } of bugs)
    if (context.reports.get(scenario) !== report)
      faults.push(`bugs: ${scenario} is no scenario with the report ${report}`);
  for (const scenario of context.reports.keys())
    if (!bugs.some((one) => one.scenario === scenario)) faults.push(`bugs: ${scenario} is missing`);
  for (const { id, bugs: parts = [] } of latches)
    for (const { scenario, latch } of parts)
      if (!context.latches[scenario]?.includes(latch))
        faults.push(`latches: ${id}: the engine has no latch ${latch} in ${scenario}`);
  for (const [what, keysOf] of Object.entries(uniqueKeys)) faults.push(...ownedTwice(what, latches, keysOf));
  return faults;
}

/** Keys that belong to one entry only. */
const uniqueKeys: Record<string, (entry: CatalogueEntry) => string[]> = {
  'the id': ({ id }) => [id],
  'the name': (one) => [one.name],
  'the event': ({ names }) =>
    names.flatMap((one) => (one.event === null ? [] : [`${one.event} of ${one.server}`])),
  'the status name': (one) => one.status_names ?? [],
  'the name in code': ({ names }) => names.flatMap(({ code }) => code ?? []),
  'the file': (one) => (one.created_in ?? []).map(({ file, as }) => `${file} of a ${as}`),
};

function ownedTwice(
  what: string,
  latches: readonly CatalogueEntry[],
  keysOf: (entry: CatalogueEntry) => string[],
): string[] {
  const owners = new Map<string, number>();
  return latches.flatMap((one, index) =>
    [...new Set(keysOf(one).map((key) => key.toLowerCase()))].flatMap((key) => {
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, index);
      return owner === undefined
        ? []
        : [`latches: ${one.id}: ${what} ${key} is that of ${latches[owner]!.id}`];
    }),
  );
}
