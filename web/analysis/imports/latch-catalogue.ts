// Finds latches in the catalogue by what a server calls them, or by words that people search.
import type { MatchedLatch, NamedServer } from '../../contract/import-report';
import {
  compareVersions,
  type CatalogueBug,
  type CatalogueEntry,
  type CatalogueName,
  type CatalogueServer,
  type LatchCatalogue,
} from '../../contract/scenario-files/latch-catalogue';

export interface OpenedCatalogue {
  /**
   * Finds a latch by a name that a server prints:
   *
   * - its event, whole or without its beginning: `innodb/trx_sys_mutex`;
   * - its name in the code or in SHOW ENGINE INNODB STATUS: `&trx_sys->mutex`, `TRX_SYS`;
   * - the file that creates it: `trx0sys.cc:576`.
   *
   * Returns null if the name is unknown, or has several meanings and `server` does not decide.
   */
  findEntry: (name: string, server?: CatalogueServer) => CatalogueEntry | null;
  /** Returns which thread sleeps at a condition until there is work; null for all other events. */
  sleeperOf: (event: string) => string | null;
  /** Returns the latches that fit every word, the best one first. */
  searchCatalogue: (words: string) => CatalogueEntry[];
  /**
   * Returns the bugs that model a latch, the main one first. With a version, bugs that it has come
   * before those that it does not have.
   */
  bugsOf: (entry: CatalogueEntry, at?: ServerVersion) => LatchBug[];
  /**
   * Returns whether a version has the bug. Returns null if the catalogue does not tell: that
   * server or that version was not checked, or the version names only its series.
   */
  versionHasBug: (bug: CatalogueBug, at: ServerVersion) => boolean | null;
}

export interface ServerVersion {
  server: CatalogueServer;
  version: string;
}

export interface LatchBug extends CatalogueBug {
  /** Its name in the engine. */
  latch: string;
  /** Whether the bug's threads wait for the latch, or only take it on their way. */
  role: 'cause' | 'part';
}

export function openLatchCatalogue(catalogue: LatchCatalogue): OpenedCatalogue {
  const { latches } = catalogue;
  const bugs = new Map(catalogue.bugs.map((bug) => [bug.scenario, bug]));
  const indexes = [eventIndex(latches), codeIndex(latches), creationIndex(latches)];
  const texts = latches.map(textsOf);
  const findEntry: OpenedCatalogue['findEntry'] = (name, server) => {
    for (const { keyOf, entries } of indexes) {
      const found = entries.get(keyOf(name));
      if (found !== undefined) return theOne(found, server);
    }
    return null;
  };
  return {
    findEntry,
    // Clients do wait for the mutex of such a condition.
    sleeperOf: (event) => (CONDITION.test(event) ? (findEntry(event)?.sleeper ?? null) : null),
    searchCatalogue: (words) => search(latches, texts, words),
    bugsOf: (entry, at) => {
      const found = (entry.bugs ?? []).map((part) => ({ ...bugs.get(part.scenario)!, ...part }));
      return at === undefined ? found : sortedBy(found, (bug) => (hasBug(bug, at) ? 0 : 1));
    },
    versionHasBug: (bug, at) => versionHasBug(bug, at, catalogue.checked),
  };
}

/** Returns what the catalogue says of a latch, as of the version that texts name. */
export function matchedEntry(
  { bugsOf, versionHasBug }: OpenedCatalogue,
  entry: CatalogueEntry,
  named: NamedServer | null,
): MatchedLatch {
  const at = named?.version == null ? undefined : { server: named.server, version: named.version };
  return {
    ...entry,
    bugs: bugsOf(entry, at).map((bug) => ({
      ...bug,
      version_has_bug: at === undefined ? null : versionHasBug(bug, at),
    })),
    name_in_version: at === undefined ? null : nameIn(entry, at),
  };
}

/** Returns what a version of a server calls the latch, or null if it has none. */
export function nameIn(entry: CatalogueEntry, { server, version }: ServerVersion): CatalogueName | null {
  const names = entry.names.filter((name) => contains(name, version));
  const ofServer = names.find((name) => name.server === server);
  return ofServer ?? (server === 'percona' ? names.find((name) => name.server === 'mysql') : null) ?? null;
}

const contains = ({ from, to }: { from: string; to: string | null }, version: string) =>
  compareVersions(from, version) <= 0 && (to === null || compareVersions(version, to) <= 0);

/** Returns whether a version has the bug. */
export const hasBug = ({ broken }: CatalogueBug, { server, version }: ServerVersion) =>
  broken.some((range) => isFor(range.server, server) && contains(range, version));

function versionHasBug(
  { broken }: CatalogueBug,
  { server, version }: ServerVersion,
  checked: LatchCatalogue['checked'],
): boolean | null {
  const ranges = broken.filter((range) => isFor(range.server, server));
  const seen = checked.filter((one) => isFor(one.server, server)).map((one) => one.version);
  const sorted = seen.toSorted(compareVersions);
  const [oldest, newest] = [sorted[0], sorted.at(-1)];
  if (ranges.length === 0 || oldest === undefined || newest === undefined) return null;
  const inSeries = (bound: string | null) =>
    bound !== null && partsOf(bound) > partsOf(version) && compareVersions(bound, version) === 0;
  if (ranges.some(({ from, to }) => inSeries(from) || inSeries(to))) return null;
  if (ranges.some((range) => contains(range, version)))
    return compareVersions(version, newest) <= 0 || ranges.some(isClosedAfter(version)) ? true : null;
  // The first version that was checked is not the first that has the bug.
  const isOlder = ranges.some(
    ({ from }) => compareVersions(from, oldest) === 0 && compareVersions(version, from) < 0,
  );
  return isOlder ? null : false;
}

const partsOf = (version: string) => version.split('.').length;

const isClosedAfter = (version: string) => (range: { from: string; to: string | null }) =>
  range.to !== null && contains(range, version);

/** Percona Server has what MySQL has. */
const isFor = (has: CatalogueServer, asked: CatalogueServer) =>
  has === asked || (asked === 'percona' && has === 'mysql');

const CONDITION = /^(?:wait\/)?synch\/cond\//i;

interface Found {
  entry: CatalogueEntry;
  server: CatalogueServer | null;
}

interface Index {
  keyOf: (name: string) => string;
  entries: ReadonlyMap<string, Found[]>;
}

function theOne(found: readonly Found[], server: CatalogueServer | undefined): CatalogueEntry | null {
  const all = new Set(found.map(({ entry }) => entry));
  if (all.size === 1) return found[0]!.entry;
  if (server === undefined) return null;
  const fitting = found.filter((one) => one.server === null || isFor(one.server, server));
  return new Set(fitting.map(({ entry }) => entry)).size === 1 ? fitting[0]!.entry : null;
}

function indexOf(
  latches: readonly CatalogueEntry[],
  keyOf: (name: string) => string,
  namesOf: (entry: CatalogueEntry) => { name: string; server: CatalogueServer | null }[],
): Index {
  const entries = new Map<string, Found[]>();
  for (const entry of latches)
    for (const { name, server } of namesOf(entry)) {
      const key = keyOf(name);
      const found = entries.get(key);
      if (found === undefined) entries.set(key, [{ entry, server }]);
      else found.push({ entry, server });
    }
  return { keyOf, entries };
}

const EVENT_PARTS = 5;

/** Events by all endings that people write, from `wait/synch/mutex/innodb/x` to `x`. */
const eventIndex = (latches: readonly CatalogueEntry[]) =>
  indexOf(
    latches,
    (name) => name.trim().toLowerCase(),
    ({ names }) =>
      names.flatMap(({ event, server }) => {
        const parts = event?.split('/') ?? [];
        return Array.from({ length: Math.min(parts.length, EVENT_PARTS) }, (_, i) => ({
          name: parts.slice(i).join('/'),
          server,
        }));
      }),
  );

/** `&trx_sys->mutex` and `trx_sys.mutex` are one name. */
const codeKey = (name: string) => name.trim().replace(/^&+/, '').replaceAll('->', '.').toLowerCase();

const codeIndex = (latches: readonly CatalogueEntry[]) =>
  indexOf(latches, codeKey, (entry) => [
    ...[entry.name, ...(entry.status_names ?? [])].map((name) => ({ name, server: null })),
    ...entry.names.flatMap(({ code, server }) => (code === null ? [] : [{ name: code, server }])),
  ]);

/** Returns `trx0sys.cc` for `trx0sys.cc:576`, and `mutex trx0sys.cc` if the kind is named. */
function creationKey(place: string): string {
  const [, as = '', file = ''] =
    /^(mutex |rw-latch )?(\w+\.(?:cc|c|h))(?::\d+| line \d+)?$/.exec(place.trim()) ?? [];
  return file === '' ? '' : `${as}${file}`.toLowerCase();
}

const creationIndex = (latches: readonly CatalogueEntry[]) =>
  indexOf(latches, creationKey, ({ created_in = [] }) =>
    created_in.flatMap(({ file, as }) => [file, `${as} ${file}`].map((name) => ({ name, server: null }))),
  );

interface Texts {
  /** Lower case. Each is a word or a phrase. */
  names: string[];
  symptoms: string[];
  guards: string;
}

function textsOf({ name, names, status_names = [], symptoms, guards }: CatalogueEntry): Texts {
  const ofServers = names.flatMap(({ event, code }) => [event?.split('/').at(-1), code]);
  const lower = (texts: readonly (string | null | undefined)[]) => [
    ...new Set(texts.flatMap((text) => text?.toLowerCase() ?? [])),
  ];
  return {
    names: lower([name, ...ofServers, ...status_names]),
    symptoms: lower(symptoms),
    guards: guards.toLowerCase(),
  };
}

const SCORES = { whole: 100, begins: 60, inName: 40, inSymptom: 30, inGuards: 10 };

function scoreOf({ names, symptoms, guards }: Texts, word: string): number {
  const all = [...names, ...symptoms];
  if (all.includes(word)) return SCORES.whole;
  if (all.some((text) => text.startsWith(word))) return SCORES.begins;
  if (names.some((text) => text.includes(word))) return SCORES.inName;
  if (symptoms.some((text) => text.includes(word))) return SCORES.inSymptom;
  return guards.includes(word) ? SCORES.inGuards : 0;
}

function search(
  latches: readonly CatalogueEntry[],
  texts: readonly Texts[],
  query: string,
): CatalogueEntry[] {
  const phrase = query.trim().toLowerCase();
  const words = phrase.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  const scored = latches.flatMap((entry, index) => {
    const scores = words.map((word) => scoreOf(texts[index]!, word));
    const best = scoreOf(texts[index]!, phrase);
    if (scores.includes(0) && best === 0) return [];
    const score = Math.max(best, scores.includes(0) ? 0 : Math.min(...scores));
    return [{ entry, score }];
  });
  // Of two latches that fit equally well, the one whose waits a bug explains comes first.
  return sortedBy(scored, ({ entry, score }) => [-score, causesFirst(entry)]).map(({ entry }) => entry);
}

function causesFirst({ bugs = [], sleeps }: CatalogueEntry): number {
  if (bugs.some(({ role }) => role === 'cause')) return 0;
  if (bugs.length > 0) return 1;
  return sleeps ? 3 : 2;
}

/** Keeps the order of items with equal keys. */
function sortedBy<Item>(items: readonly Item[], keyOf: (item: Item) => number | readonly number[]): Item[] {
  return items
    .map((item) => ({ item, key: [keyOf(item)].flat() }))
    .sort((a, b) => a.key.map((part, i) => part - b.key[i]!).find((difference) => difference !== 0) ?? 0)
    .map(({ item }) => item);
}
