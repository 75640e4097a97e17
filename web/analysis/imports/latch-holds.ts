// Ranks callers of latches by their waits, and says how long they hold them: what klockstat,
// ulockstat and profiles of contention tell.
import { UNKNOWN_FRAME } from './frame-name';
import { ranked, type HoldTimes, type LatchWaits } from './latch-waits';
import type { LatchTime } from './reader';
import { waitOf } from './stack-waits';

interface Rates {
  /** How long the probe ran; null: unknown. */
  probedS: number | null;
  /** How fast the server was meanwhile; null: unknown. */
  transactionsPerS: number | null;
}

interface Sum {
  count: number;
  totalS: number;
  isShared: boolean;
}

/** Functions of the kernel that acquire a latch for their caller. */
const ACQUIRES = /^_{0,2}(?:mutex_(?:lock|trylock)|down_(?:read|write)|rwsem_down_|rt_mutex_lock)/;
/** Of these and of others, those that let several threads in. */
const SHARES = /down_read|rdlock|read_lock|lock_shared|_s_lock/;

/** Ranks the callers of one text or of several. Holds of callers that never waited are left out. */
export function latchesByCaller(times: readonly LatchTime[], rates: Rates): LatchWaits[] {
  const sums = { wait: new Map<string, Sum>(), hold: new Map<string, Sum>() };
  for (const { what, frames, count, totalNs } of times) {
    const name = callerOf(frames);
    const before = sums[what].get(name) ?? { count: 0, totalS: 0, isShared: false };
    sums[what].set(name, {
      count: before.count + count,
      totalS: before.totalS + totalNs / 1e9,
      isShared: before.isShared || frames.some((frame) => SHARES.test(frame)),
    });
  }
  const latches = [...sums.wait].map(([name, { count, totalS }]): LatchWaits => {
    const hold = sums.hold.get(name);
    return {
      ...{ name, event: null, share: 0, count, waitS: totalS, perStatement: null },
      meanWaitS: count === 0 ? null : totalS / count,
      waitingThreads: rates.probedS === null ? null : totalS / rates.probedS,
      hold: hold === undefined || hold.count === 0 ? null : holdTimes(name, hold, rates),
    };
  });
  return ranked(latches);
}

/** Returns the function that wanted the latch, without those that acquire it. */
function callerOf(frames: readonly string[]): string {
  const first = frames.findIndex((frame) => !ACQUIRES.test(frame));
  if (first < 0) return frames[0] ?? UNKNOWN_FRAME;
  const callers = frames.slice(first);
  const { site } = waitOf(callers);
  return site === UNKNOWN_FRAME ? callers[0]! : site;
}

function holdTimes(name: string, hold: Sum, { probedS, transactionsPerS }: Rates): HoldTimes {
  const meanHoldS = hold.totalS / hold.count;
  const known = { count: hold.count, meanHoldS };
  const unknown = { utilization: null, maxAcquisitionsPerS: null, maxTransactionsPerS: null };
  if (ACQUIRES.test(name) || name.startsWith('[') || name === UNKNOWN_FRAME)
    return { ...known, ...unknown, remark: 'these are all latches whose callers are unknown' };
  if (hold.isShared)
    return { ...known, ...unknown, remark: 'several threads may hold it at once, for reading' };
  const heldAtOnce = probedS === null ? null : hold.totalS / probedS;
  if (heldAtOnce !== null && heldAtOnce > 1)
    return {
      ...{ ...known, ...unknown },
      remark: `held ${heldAtOnce.toPrecision(2)} times at once on average: this caller takes several latches`,
    };
  const maxAcquisitionsPerS = meanHoldS === 0 ? null : 1 / meanHoldS;
  const perTransaction =
    probedS === null || transactionsPerS === null ? null : hold.count / probedS / transactionsPerS;
  return {
    ...{ ...known, utilization: heldAtOnce, maxAcquisitionsPerS },
    maxTransactionsPerS:
      maxAcquisitionsPerS === null || perTransaction === null ? null : maxAcquisitionsPerS / perTransaction,
    remark: heldAtOnce === null ? 'the text does not say how long the probe ran' : null,
  };
}
