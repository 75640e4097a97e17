// Ranks the latches of imported texts by their share of waiting.
import type { CountedWaits } from './snapshots';

/** A latch or a condition on which threads waited. */
export interface LatchWaits {
  /** The event without `wait/synch/<kind>/`, or the name that the text gives. */
  name: string;
  /** The event as the server names it; null if the text has no events. */
  event: string | null;
  /** Its part of all waiting at latches, from 0 to 1. */
  share: number;
  /** Acquisitions, or how often threads slept; null if the text does not count them. */
  count: number | null;
  waitS: number | null;
  meanWaitS: number | null;
  /** Acquisitions per statement of the clients. */
  perStatement: number | null;
  /** Threads that waited at once, on average. */
  waitingThreads: number | null;
  /** null: the text does not time how long it is held. */
  hold: HoldTimes | null;
}

/** How long a latch is held. */
export interface HoldTimes {
  count: number;
  meanHoldS: number;
  /** Part of the time in which a thread holds it, from 0 to 1; null: unknown. */
  utilization: number | null;
  /** How often one holder at a time can acquire it; null: unknown. */
  maxAcquisitionsPerS: number | null;
  maxTransactionsPerS: number | null;
  /** Why the utilization or the limit is unknown. */
  remark: string | null;
}

/** An event whose time is no waiting for a latch. */
export interface ApartEvent {
  event: string;
  reason: string;
  count: number;
  waitS: number | null;
}

export interface RankedWaits {
  latches: LatchWaits[];
  apart: ApartEvent[];
}

/** Returns who sleeps at a condition if only background threads do; null for all other events. */
export type SleeperOf = (event: string) => string | null;

const SYNCH = /^wait\/synch\/[a-z_]+\//;

/** Returns the name of a latch's event without its class. */
export const latchNameOf = (event: string) => event.replace(SYNCH, '');

/** Ranks counted events. Events without a class are latches, as in SHOW ENGINE INNODB MUTEX. */
export function rankedEvents(
  { rows, statements, intervalS, inOneOnly }: CountedWaits,
  sleeperOf: SleeperOf,
): RankedWaits {
  const apart: ApartEvent[] = inOneOnly.map((event) => ({
    ...{ event, count: 0, waitS: null },
    reason: 'only one of the snapshots has it',
  }));
  const latches: LatchWaits[] = [];
  for (const { event, count, waitS } of rows) {
    const reason = reasonApart(event, sleeperOf);
    if (reason !== null) apart.push({ event, reason, count, waitS });
    else
      latches.push({
        name: latchNameOf(event),
        event: event.includes('/') ? event : null,
        share: 0,
        ...{ count, waitS },
        meanWaitS: waitS === null || count === 0 ? null : waitS / count,
        perStatement: statements === null ? null : count / statements,
        waitingThreads: intervalS === null || waitS === null ? null : waitS / intervalS,
        hold: null,
      });
  }
  return { latches: ranked(latches), apart: apart.toSorted((a, b) => (b.waitS ?? 0) - (a.waitS ?? 0)) };
}

/** Sets the shares: of the time, or of the counts where no times are known. */
export function ranked(latches: readonly LatchWaits[]): LatchWaits[] {
  const hasTimes = latches.every(({ waitS }) => waitS !== null);
  const weight = ({ waitS, count }: LatchWaits) => (hasTimes ? waitS! : (count ?? 0));
  const total = latches.reduce((sum, latch) => sum + weight(latch), 0);
  return latches
    .map((latch) => ({ ...latch, share: total === 0 ? 0 : weight(latch) / total }))
    .toSorted((a, b) => b.share - a.share || (b.count ?? 0) - (a.count ?? 0) || (a.name < b.name ? -1 : 1));
}

/** Returns why the time of an event is no waiting for a latch; null if it is. */
function reasonApart(event: string, sleeperOf: SleeperOf): string | null {
  if (event === 'idle') return 'the server waits for its clients';
  if (/^wait\/(?:io\/table|lock)\//.test(event))
    return 'use of tables, with all other waits inside, and their locks';
  if (event.startsWith('wait/io/')) return 'input and output';
  if (SYNCH.test(event)) {
    const sleeper = sleeperOf(event);
    return sleeper === null ? null : `sleep of ${sleeper}`;
  }
  return event.includes('/') ? 'no wait for a latch' : null;
}
