// Finds the latches of a reader's server that a bug models.
import type { ImportReport } from '../../contract/import-report';
import type { Scenario } from '../../contract/manifest';

/** A latch of the reader's server that a bug models. */
export interface ModeledLatch {
  scenario: string;
  /** The engine's name. */
  latch: string;
  /** The catalogue's name. */
  name: string;
  role: 'cause' | 'part';
}

/** What the reader asks, as typed. */
export interface ModelRequest {
  modeled: ModeledLatch;
  /** Id of a processor family; null: unknown. */
  family: string | null;
  /** Sockets, cores and threads, by field of the server. */
  shape: Readonly<Record<string, string>>;
  clients: string;
}

/** The latches that the page shows; the report for scripts has all. */
export const LATCHES_SHOWN_MAX = 25;

/**
 * Returns the latches of a report that one of the bugs models, in the order of their shares; causes
 * first.
 */
export function modeledLatches({ latches }: ImportReport, scenarios: readonly Scenario[]): ModeledLatch[] {
  const ids = new Set(scenarios.map(({ manifest }) => manifest.id));
  const all = latches
    .slice(0, LATCHES_SHOWN_MAX)
    .filter(({ share }) => share > 0)
    .flatMap(({ matched }) =>
      matched === null
        ? []
        : matched.bugs
            .filter(({ scenario }) => ids.has(scenario))
            .map(({ scenario, latch, role }) => ({ scenario, latch, name: matched.name, role })),
    );
  const first = all.filter(
    ({ scenario, latch }, place) =>
      all.findIndex((other) => other.scenario === scenario && other.latch === latch) === place,
  );
  return first.toSorted((a, b) => Number(a.role === 'part') - Number(b.role === 'part'));
}
