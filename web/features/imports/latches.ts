// Finds latches in the catalogue, which loads with this file.
import { matchedEntry, openLatchCatalogue } from '../../analysis/imports/latch-catalogue';
import { latch_catalogue } from '../../contract/all-known-latches';
import type { MatchedLatch, NamedServer } from '../../contract/import-report';

/** A latch that fits what the reader searched for. */
export interface FoundLatch {
  id: string;
  name: string;
  guards: string;
  /** The bug that models it; null: none does. */
  bug: { scenario: string; role: 'cause' | 'part' } | null;
}

const catalogue = openLatchCatalogue(latch_catalogue);
const byId = new Map(latch_catalogue.latches.map((entry) => [entry.id, entry]));

/** Returns the latches that fit every word, the best one first. */
export const latchesFor = (words: string): FoundLatch[] =>
  catalogue.searchCatalogue(words).map((entry) => {
    const [bug = null] = catalogue.bugsOf(entry);
    const { id, name, guards } = entry;
    return { id, name, guards, bug: bug && { scenario: bug.scenario, role: bug.role } };
  });

export const hasLatch = (id: string) => byId.has(id);

/** Returns what the catalogue knows of a latch, as of the reader's server; null: it has none. */
export function latchOf(id: string, server: NamedServer | null): MatchedLatch | null {
  const entry = byId.get(id);
  return entry === undefined ? null : matchedEntry(catalogue, entry, server);
}
