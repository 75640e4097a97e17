// Ranks the latches of Latchscope's own files: run results and measured files.
import type { WaitsBasis } from '../../contract/import-report';
import { latchNameOf, ranked, type ApartEvent, type LatchWaits, type SleeperOf } from './latch-waits';
import type { LatchFigures } from './reader';

interface RankedFigures {
  basis: WaitsBasis;
  intervalS: number | null;
  latches: LatchWaits[];
  apart: ApartEvent[];
}

/** Files of both kinds have nothing in common: results of runs come first. */
export function latchesOfFigures(figures: readonly LatchFigures[], sleeperOf: SleeperOf): RankedFigures {
  const isModel = figures.some(({ of }) => of === 'model');
  const used = figures.filter(({ of }) => (of === 'model') === isModel);
  const sums = new Map<string, { count: number; waitNs: number; holdNs: number | null }>();
  for (const { latch, acquisitions, waitNs, holdNs } of used.flatMap(({ rows }) => rows)) {
    const before = sums.get(latch) ?? { count: 0, waitNs: 0, holdNs: 0 };
    sums.set(latch, {
      count: before.count + acquisitions,
      waitNs: before.waitNs + (waitNs ?? 0),
      holdNs: before.holdNs === null || holdNs === null ? null : before.holdNs + holdNs,
    });
  }
  const apart: ApartEvent[] = [];
  for (const [event, { count }] of sums) {
    const sleeper = sleeperOf(event);
    if (sleeper === null) continue;
    sums.delete(event);
    apart.push({ event, reason: `sleep of ${sleeper}`, count, waitS: null });
  }
  const seconds = used.map((one) => one.seconds);
  return {
    basis: isModel ? 'waits in a run of the model' : 'acquisitions in measured runs',
    intervalS: seconds.includes(null) ? null : seconds.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    apart,
    latches: ranked(
      [...sums].map(([name, { count, waitNs, holdNs }]) => ({
        ...{ name: latchNameOf(name), count, perStatement: null },
        event: name.includes('/') ? name : null,
        ...{ share: 0, waitingThreads: null },
        waitS: isModel ? waitNs / 1e9 : null,
        meanWaitS: isModel && count > 0 ? waitNs / 1e9 / count : null,
        hold: holdNs === null || count === 0 ? null : held(count, holdNs),
      })),
    ),
  };
}

/** A latch of a run may be many: one for each shard or page. */
const held = (count: number, holdNs: number) => ({
  ...{ count, meanHoldS: holdNs / 1e9 / count },
  ...{ utilization: null, maxAcquisitionsPerS: null, maxTransactionsPerS: null },
  remark: 'the run adds up all latches of this name',
});
