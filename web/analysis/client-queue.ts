// Describes the queues of one sample of all threads.
import type { ClientQueue, LatchHolder, LatchQueue, QueueCause } from '../contract/client-queue';
import type { StateCounts } from '../contract/live-view';
import { busy_states } from '../contract/time-shares';
import { frameNames, latchOfSite, type ThreadSample, type ThreadSamples } from './thread-sample';
import { waitingCause } from './waiting-cause';

const LATCHES_MAX = 3;
const HOLDERS_MAX = 3;
/** A picture's latch and cause are those of most clients in this many samples. */
export const SAMPLES_OF_PICTURE = 20;

type Names = Omit<ThreadSamples, 'byMoment'>;

/** Returns what the clients do at a run time, in seconds. */
export function clientQueue(tS: number, threads: readonly ThreadSample[], names: Names): ClientQueue {
  const samples = { ...names, byMoment: [threads] };
  return {
    t_s: tS,
    states: statesOf(threads),
    latches: latchQueues(threads, samples),
    cause: causeOf(threads, samples),
  };
}

function statesOf(threads: readonly ThreadSample[]): StateCounts {
  const counts: StateCounts = {};
  for (const { isClient, state } of threads) {
    const busy = isClient && busy_states.find((one) => one === state);
    if (busy) counts[busy] = (counts[busy] ?? 0) + 1;
  }
  return counts;
}

function latchQueues(threads: readonly ThreadSample[], samples: ThreadSamples): LatchQueue[] {
  const queues = new Map<string, LatchQueue>();
  for (const { isClient, state, waitsFor } of threads) {
    if (!isClient || waitsFor === null || (state !== 'spinning' && state !== 'waiting')) continue;
    const latch = latchOfSite(samples, waitsFor.site);
    const queue = queues.get(latch) ?? { latch, spinning: 0, waiting: 0, holders: [] };
    queue[state] += 1;
    queues.set(latch, queue);
  }
  const mostWanted = [...queues.values()].sort((a, b) => wantedBy(b) - wantedBy(a)).slice(0, LATCHES_MAX);
  for (const queue of mostWanted) queue.holders = holdersOf(queue.latch, threads, samples);
  return mostWanted;
}

/** Returns how many clients want the latch. */
export const wantedBy = ({ spinning, waiting }: LatchQueue) => spinning + waiting;

function holdersOf(latch: string, threads: readonly ThreadSample[], samples: ThreadSamples): LatchHolder[] {
  const holders: LatchHolder[] = [];
  for (const { isClient, ordinal, state, stack, holds } of threads) {
    const use = holds.find(({ site }) => latchOfSite(samples, site) === latch);
    if (use === undefined || holders.length === HOLDERS_MAX) continue;
    const site = samples.names.latchSites[use.site];
    holders.push({
      is_client: isClient,
      ordinal,
      state,
      acquired_in: (site && samples.names.functions[site.function]) ?? '',
      executes: frameNames(samples, stack)[0] ?? '',
    });
  }
  return holders;
}

function causeOf(threads: readonly ThreadSample[], samples: ThreadSamples): QueueCause | null {
  const cause = waitingCause(samples);
  if (cause === null) return null;
  const blocked = threads.filter(
    ({ isClient, state }) => isClient && ['spinning', 'waiting', 'following'].includes(state),
  ).length;
  return { latch: cause.latch, thread: cause.thread, clients: Math.round(cause.share * blocked) };
}

/** What a picture of the queue shows. */
export interface QueuePicture {
  tS: number;
  states: StateCounts;
  /** The queue at the hottest latch; null if no client wanted a latch lately. */
  queue: LatchQueue | null;
  /** What holds up most blocked clients; null if none was blocked lately. */
  cause: QueueCause | null;
}

/**
 * Returns the picture of the newest sample; null without samples. The latch and the cause are those
 * of most clients in the last samples, so that they do not change from sample to sample.
 */
export function queuePicture(samples: readonly ClientQueue[]): QueuePicture | null {
  const newest = samples.at(-1);
  if (newest === undefined) return null;
  const last = samples.slice(-SAMPLES_OF_PICTURE);
  const latch = mostOf(last.flatMap(({ latches }) => latches.map((one) => [one.latch, wantedBy(one)])));
  const causes = last.flatMap(({ cause }) => cause ?? []);
  const key = mostOf(causes.map((cause) => [keyOf(cause), cause.clients]));
  return {
    tS: newest.t_s,
    states: newest.states,
    queue: latch === null ? null : queueAt(latch, newest),
    cause: causes.findLast((cause) => keyOf(cause) === key) ?? null,
  };
}

const queueAt = (latch: string, { latches }: ClientQueue): LatchQueue =>
  latches.find((queue) => queue.latch === latch) ?? { latch, spinning: 0, waiting: 0, holders: [] };

const keyOf = ({ latch, thread }: QueueCause) =>
  latch ?? `${thread?.state ?? ''} in ${thread?.frames.join(' < ') ?? ''}`;

/** Returns the key with the largest sum; null without entries. */
function mostOf(entries: readonly (readonly [string, number])[]): string | null {
  const sums = new Map<string, number>();
  for (const [key, count] of entries) sums.set(key, (sums.get(key) ?? 0) + count);
  const [most] = [...sums].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}
