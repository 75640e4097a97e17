// Converts a walk through a latch's fault to thread lanes. A step takes one unit of time, and
// moment n is after step n.
import { thread_states } from '../contract/gen/telemetry-layout';
import type { LaneSegment, ThreadState } from '../contract/telemetry-states';
import type { Hold } from '../recording/latch-trace';
import type { WalkStep, WalkThread } from './latch-walk';

type Segment = Pick<LaneSegment, 'slot' | 'state' | 'from_ns' | 'to_ns'>;

/** Length of the lanes after the last step, which shows the final state. */
export const AFTER_THE_LAST = 0.5;

export interface WalkLanes {
  /** Oldest first. */
  segments: readonly Segment[];
  holds: readonly Hold[];
  endsAt: number;
}

export function walkLanes(walk: readonly WalkStep[]): WalkLanes {
  const last = walk.length - 1;
  const endsAt = last + AFTER_THE_LAST;
  const inSteps = walk
    .slice(1)
    .flatMap((step, i) =>
      walk[i]!.threads.map((before) =>
        segmentOf(before.number, duringStep(step, before), { from_ns: i, to_ns: i + 1 }),
      ),
    );
  const atTheEnd = walk[last]!.threads.map((thread) =>
    segmentOf(thread.number, whileOthersMove(thread), { from_ns: last, to_ns: endsAt }),
  );
  const segments = [...inSteps, ...atTheEnd];
  return { segments, holds: holdsIn(walk), endsAt };
}

const segmentOf = (
  thread: number,
  state: ThreadState,
  time: Pick<Segment, 'from_ns' | 'to_ns'>,
): Segment => ({
  slot: thread - 1,
  state: thread_states.indexOf(state),
  ...time,
});

function duringStep({ thread, isTurn }: WalkStep, before: WalkThread): ThreadState {
  if (thread !== before.number || !isTurn) return whileOthersMove(before);
  return before.goesRound ? 'spinning' : 'running';
}

function whileOthersMove({ hasEnded, isAsleep, waitsForItsStores }: WalkThread): ThreadState {
  if (hasEnded) return 'absent';
  if (isAsleep) return 'waiting';
  return waitsForItsStores ? 'stalled' : 'ready';
}

/** Returns holds in the order in which they begin. */
function holdsIn(walk: readonly WalkStep[]): Hold[] {
  const holds: Hold[] = [];
  const open = new Map<number, Hold>();
  for (const [moment, { threads }] of walk.entries()) {
    for (const { number, phase, isShared } of threads) {
      const hold = open.get(number);
      if (phase === 'holding' && hold === undefined) {
        const begun: Hold = {
          ...{ slot: number - 1, site: -1, fromNs: moment, toNs: null },
          mode: isShared ? 'S' : null,
        };
        open.set(number, begun);
        holds.push(begun);
      } else if (phase !== 'holding' && hold !== undefined) {
        hold.toNs = moment;
        open.delete(number);
      }
    }
  }
  return holds;
}
