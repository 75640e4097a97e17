// Computes the rows of the latch table.
import type { LatchFigures, LatchRow } from '../contract/live-view';
import { latchSiteFields, type LatchSiteField, type Names } from '../engine-client/snapshot';
import { counterGrowth, windowSeconds, type Window } from './window';

type Sums = Record<LatchSiteField, number>;

/**
 * Returns a row for each latch acquired so far in this run, in the engine's order. Events that a
 * thread has waited for have rows, too.
 */
export function latchRows(
  window: Window,
  names: Names,
  { operationCounter, isModeled }: { operationCounter: string; isModeled: boolean },
): LatchRow[] {
  const operations = counterGrowth(window, operationCounter) ?? 0;
  const clientSamples = (window.after.stackSamples - window.before.stackSamples) * window.after.clientThreads;
  const seconds = windowSeconds(window);
  const clientsNs = isModeled ? seconds * 1e9 * window.after.clientThreads : 0;
  const figures = (sums: Sums) =>
    latchFigures(sums, { operations, clientSamples, seconds, clientsNs, isModeled });
  const sites = names.latchSites.map((site, index) => ({ ...site, index }));
  return names.latches.flatMap((latch, latchIndex) => {
    const taken = sites.filter((site) => site.latch === latchIndex && wasEverTaken(window, site.index));
    if (taken.length === 0) return [];
    const siteSums = taken.map((site) => siteGrowth(window, site.index));
    return {
      latch,
      ...figures(addSums(siteSums)),
      sites: taken.map((site, i) => ({
        function: names.functions[site.function] ?? '',
        ...figures(siteSums[i]!),
      })),
    };
  });
}

/**
 * Returns the cost by which latches are ranked. On real threads it is the wait time alone; the rest
 * is unknown.
 */
export const costOf = ({ cost_share, waiting_share, spinning_share }: LatchFigures) =>
  cost_share ?? (waiting_share ?? 0) + (spinning_share ?? 0);

/**
 * Returns acquisitions of a latch per operation over the window; null without an operation or such
 * a latch.
 */
export function acquisitionsPerOperation(rows: LatchRow[], latch: string): number | null {
  return rows.find((row) => row.latch === latch)?.per_operation ?? null;
}

interface Denominators {
  operations: number;
  clientSamples: number;
  seconds: number;
  /** Client time on a modeled server. */
  clientsNs: number;
  isModeled: boolean;
}

function latchFigures(sums: Sums, of: Denominators): LatchFigures {
  const { operations, clientSamples, seconds, clientsNs, isModeled } = of;
  const { acquisitions, contended, waits, wait_ns } = sums;
  return {
    acquisitions,
    acquisitions_per_s: share(acquisitions, seconds),
    per_operation: share(sums.acquisitions, operations),
    contended_share: contendedShare(sums),
    waiting_share: share(sums.state_samples_waiting, clientSamples),
    spinning_share: share(sums.state_samples_spinning, clientSamples),
    line_stall_share: share(sums.line_stall_ns, clientsNs),
    queue_mean: isModeled ? share(sums.queue_ns, seconds * 1e9) : null,
    cost_share: share(sums.cost_ns, clientsNs),
    mean_wait_ns: share(wait_ns, waits),
    mean_hold_ns: share(sums.hold_ns, acquisitions),
    contended,
    waits,
    wait_ns,
  };
}

function siteGrowth({ before, after }: Window, site: number): Sums {
  const first = site * latchSiteFields.length;
  const entries = latchSiteFields.map((field, i) => [
    field,
    after.latchSites[first + i]! - before.latchSites[first + i]!,
  ]);
  return Object.fromEntries(entries) as Sums;
}

/** A latch is contended before it is acquired; no thread acquires an event. */
const signsOfUse = [latchSiteFields.indexOf('acquisitions'), latchSiteFields.indexOf('contended')];

const wasEverTaken = ({ after }: Window, site: number): boolean =>
  signsOfUse.some((field) => after.latchSites[site * latchSiteFields.length + field]! > 0);

function addSums(all: Sums[]): Sums {
  const entries = latchSiteFields.map((field) => [field, all.reduce((sum, one) => sum + one[field], 0)]);
  return Object.fromEntries(entries) as Sums;
}

const share = (part: number, whole: number) => (whole > 0 ? part / whole : null);

/**
 * Returns the share of failed tries among all tries. A failed try counts at once, its acquisition
 * only later, so a window may have more failed tries than acquisitions.
 */
export const contendedShare = ({ acquisitions, contended }: { acquisitions: number; contended: number }) =>
  share(contended, Math.max(acquisitions, contended));

/** Sorts by cost, most expensive first; ties by number of acquisitions. */
export const inOrderOfCost = <Figures extends LatchFigures>(rows: readonly Figures[]): Figures[] =>
  rows.toSorted((a, b) => costOf(b) - costOf(a) || b.acquisitions - a.acquisitions);
