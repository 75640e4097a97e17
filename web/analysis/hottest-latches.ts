import { costOf, type LatchRow } from './latch-table';
import { latchOfSite, type ThreadSamples } from './thread-sample';

/**
 * The numbers of the latches that cost most, the costliest first. The cost of all latches of one name is known; it is shared out
 * among them as often as threads were found to hold each of them or to wait for it.
 */
export function hottestLatches(samples: ThreadSamples, rows: readonly LatchRow[], most: number): number[] {
  const costs = new Map(rows.map((row) => [row.latch, costOf(row)]));
  const heats = [...sightings(samples)].flatMap(([name, seen]) => {
    const seen_in_all = [...seen.values()].reduce((sum, times) => sum + times, 0);
    const cost = costs.get(name) ?? 0;
    return [...seen].map(([latch, times]) => ({ latch, heat: (cost * times) / seen_in_all }));
  });
  return heats
    .filter(({ heat }) => heat > 0)
    .sort((a, b) => b.heat - a.heat || a.latch - b.latch)
    .slice(0, most)
    .map(({ latch }) => latch);
}

/** By the name of the latch and its number, how often a thread was found that has to do with it. */
function sightings(samples: ThreadSamples): Map<string, Map<number, number>> {
  const by_name = new Map<string, Map<number, number>>();
  for (const { waits_for, holds } of samples.by_moment.flat()) {
    for (const { site, latch } of waits_for === null ? holds : [waits_for, ...holds]) {
      const name = latchOfSite(samples, site);
      const seen = by_name.get(name) ?? new Map<number, number>();
      seen.set(latch, (seen.get(latch) ?? 0) + 1);
      by_name.set(name, seen);
    }
  }
  return by_name;
}
