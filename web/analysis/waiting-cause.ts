// Finds what blocked clients wait for in the end: follows each of them to the thread that holds what
// it wants, and on from there.
import type { WaitingCause } from '../contract/live-view';
import { frameNames, latchOfSite, type ThreadSample, type ThreadSamples } from './thread-sample';

/** The end of a chain of waits. */
interface End {
  thread: ThreadSample;
  /** Site of the last latch in the chain; null if it has none. */
  site: number | null;
}

/**
 * Returns the place that holds up most blocked clients; null if no sample found a blocked client.
 * A client that is idle or waits for its own device call is not blocked.
 */
export function waitingCause(samples: ThreadSamples): WaitingCause | null {
  const places = new Map<string, { end: End; count: number }>();
  let blocked = 0;
  for (const threads of samples.byMoment) {
    const endOf = chainEnds(threads, samples);
    for (const thread of threads.filter((sample) => sample.isClient && isBlocked(sample))) {
      const end = endOf(thread);
      const key = placeOf(samples, end);
      const place = places.get(key) ?? { end, count: 0 };
      place.count += 1;
      blocked += 1;
      places.set(key, place);
    }
  }
  const [most] = [...places.values()].sort((a, b) => b.count - a.count);
  return most === undefined ? null : describe(samples, most.end, most.count / blocked);
}

const isBlocked = ({ state }: ThreadSample) => ['spinning', 'waiting', 'following'].includes(state);
const isAway = ({ state }: ThreadSample) => state === 'sleeping' || state === 'io';

/** A chain that ends at a busy latch is one place, whatever its holder does at that moment. */
const placeOf = (samples: ThreadSamples, { thread, site }: End) =>
  site === null || isAway(thread)
    ? `${thread.isClient} ${thread.state} ${thread.stack}`
    : latchOfSite(samples, site);

/** Returns a function from a blocked thread to the end of its chain. */
function chainEnds(threads: readonly ThreadSample[], { stackTable }: ThreadSamples) {
  const holders = new Map<number, ThreadSample>();
  for (const thread of threads) for (const { latch } of thread.holds) holders.set(latch, thread);

  // The leader of a commit group runs in the function that made its followers wait.
  const leaders = new Map<number, ThreadSample | undefined>();
  const leaderOf = ({ stack }: ThreadSample): ThreadSample | undefined => {
    if (!leaders.has(stack)) leaders.set(stack, leaderIn(stackTable.frames(stack)[1]));
    return leaders.get(stack);
  };
  const leaderIn = (enrolled: number | undefined): ThreadSample | undefined => {
    const inside = threads.filter(
      ({ state, stack }) =>
        state !== 'following' && enrolled !== undefined && stackTable.frames(stack).includes(enrolled),
    );
    return inside.find(isAway) ?? inside[0];
  };

  return (blocked: ThreadSample): End => {
    const seen = new Set<ThreadSample>();
    let end: End = { thread: blocked, site: blocked.waitsFor?.site ?? null };
    for (;;) {
      const { thread } = end;
      seen.add(thread);
      const isFollower = thread.state === 'following';
      const next = isFollower
        ? leaderOf(thread)
        : isBlocked(thread) && thread.waitsFor
          ? holders.get(thread.waitsFor.latch)
          : undefined;
      if (next === undefined || seen.has(next)) return end;
      const passed = isFollower ? null : (thread.waitsFor?.site ?? null);
      end = { thread: next, site: isBlocked(next) ? (next.waitsFor?.site ?? null) : passed };
    }
  };
}

function describe(samples: ThreadSamples, { thread, site }: End, share: number): WaitingCause {
  if (site !== null && !isAway(thread)) return { share, latch: latchOfSite(samples, site), thread: null };
  const { state, isClient, stack } = thread;
  const frames = frameNames(samples, stack);
  const holds = new Set(thread.holds.map((use) => latchOfSite(samples, use.site)));
  return { share, latch: null, thread: { is_client: isClient, state, frames, holds: [...holds] } };
}
