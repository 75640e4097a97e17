// Answers what the imported texts of a server say about its latches: one ranked list.
import type { WaitsBasis } from '../../contract/import-report';
import { latchesByCaller } from './latch-holds';
import { latchesOfFigures } from './latch-figures';
import { rankedEvents, ranked, type LatchWaits, type RankedWaits, type SleeperOf } from './latch-waits';
import type { BenchmarkRun, LatchFigures, LatchTime, SampledStacks, WaitingThreads } from './reader';
import { countedWaits, type NamedSnapshot } from './snapshots';
import { stackWaits } from './stack-waits';
import type { ImportedText } from './text-import';

/** A text with the name of its file. */
export interface NamedText extends ImportedText {
  source: string;
}

export interface ImportedWaits extends RankedWaits {
  /** null: no text names latches. */
  basis: WaitsBasis | null;
  intervalS: number | null;
  statements: number | null;
  /** Times at latches by caller, for a table of their own. */
  times: readonly LatchTime[];
  stacks: SampledStacks['stacks'];
  runs: readonly NamedRun[];
}

export interface NamedRun extends BenchmarkRun {
  /** Name of its file. */
  source: string;
}

/**
 * Combines the contents of texts. Of several kinds that name latches, the first of these is ranked:
 * counters, probed times, waiting threads, stacks, files of Latchscope. `probedS` is how long a
 * probe ran, which its text does not say. Throws `SnapshotsRefused`.
 */
export function importedWaits(
  texts: readonly NamedText[],
  sleeperOf: SleeperOf,
  probedS: number | null = null,
): ImportedWaits {
  const contents = texts.flatMap(({ source, contents: all }) => all.map((one) => ({ ...one, source })));
  const snapshots = contents.filter((one): one is NamedSnapshot => one.kind === 'counters');
  const waiting = contents.flatMap((one) => (one.kind === 'waiting' ? one.threads : []));
  const times = contents.flatMap((one) => (one.kind === 'times' ? one.rows : []));
  const others = {
    times,
    stacks: contents.flatMap((one) => (one.kind === 'stacks' ? one.stacks : [])),
    runs: contents.flatMap((one) =>
      one.kind === 'runs' ? one.runs.map((run) => ({ ...run, source: one.source })) : [],
    ),
  };
  const nothing = { intervalS: null, statements: null, apart: [], latches: [] };
  if (snapshots.length > 0) {
    const counted = countedWaits(snapshots);
    const { isDifference, intervalS, statements } = counted;
    const hasTimes = counted.rows.some(({ waitS }) => waitS !== null);
    const basis = isDifference
      ? 'time between snapshots'
      : hasTimes
        ? 'time since the server started'
        : 'sleeps since the server started';
    return { ...others, basis, intervalS, statements, ...rankedEvents(counted, sleeperOf) };
  }
  if (times.length > 0) {
    const latches = latchesByCaller(times, { probedS, transactionsPerS: transactionRate(others.runs) });
    return { ...others, ...nothing, basis: 'probed time', intervalS: probedS, latches };
  }
  if (contents.some(({ kind }) => kind === 'waiting'))
    return { ...others, ...nothing, basis: 'threads at one moment', latches: byLatch(waiting) };
  if (others.stacks.length > 0)
    return { ...others, ...nothing, basis: 'blocked stacks', ...bySite(others.stacks) };
  const figures = contents.filter((one): one is LatchFigures & { source: string } => one.kind === 'figures');
  if (figures.length > 0) return { ...others, ...nothing, ...latchesOfFigures(figures, sleeperOf) };
  return { ...others, ...nothing, basis: null };
}

/** Of several runs, none says how fast the server was while it was probed. */
const transactionRate = (runs: readonly BenchmarkRun[]) =>
  runs.length === 1 && runs[0]!.transactionsPerS > 0 ? runs[0]!.transactionsPerS : null;

const unknown = {
  ...{ event: null, share: 0, meanWaitS: null, perStatement: null },
  ...{ waitingThreads: null, hold: null },
};

/** Each waiting thread counts once. */
function byLatch(threads: WaitingThreads['threads']): LatchWaits[] {
  const counts = new Map<string, number>();
  for (const { latch } of threads) counts.set(latch, (counts.get(latch) ?? 0) + 1);
  const all = threads.length;
  return ranked([...counts].map(([name, count]) => ({ ...unknown, name, count, waitS: null }))).map(
    (row) => ({
      ...row,
      waitingThreads: row.share * all,
    }),
  );
}

/** Names the function in which threads are blocked: stacks do not name latches. */
function bySite(stacks: SampledStacks['stacks']): RankedWaits {
  const { blocked, idle } = stackWaits(stacks);
  return {
    latches: ranked(blocked.map(({ site, count }) => ({ ...unknown, name: site, count, waitS: null }))),
    apart: idle.map(({ site, reason, count }) => ({ event: site, reason, count, waitS: null })),
  };
}
