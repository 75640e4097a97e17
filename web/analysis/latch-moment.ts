// Computes the state of a latch at one moment from its events up to then. It is exact as far as the
// events are known.
import type { LatchEvent } from '../contract/telemetry-states';
import type { Holding, LatchState, Wanting } from '../recording/latch-state';
import type { Hold, LatchTrack } from '../recording/latch-trace';

export interface LatchMoment {
  atNs: number;
  /** Number of recorded events up to this moment. */
  count: number;
  /** The holders, and where each acquired the latch. */
  holders: readonly Holding[];
  /** The waiters, longest wait first. */
  wanting: readonly Wanting[];
  /**
   * The line accessed last, which `words`, `owner`, `copies` and `asking` describe. Always 0 except
   * for lab latches.
   */
  line: number;
  /** Indexed by word number; null: not known yet. */
  words: readonly (number | null)[];
  /**
   * The core with the only copy, modified; null if cores share the line, or if nothing is known.
   */
  owner: number | null;
  /** The cores with a copy, including the owner. */
  copies: readonly number[];
  /**
   * Accesses that have requested the line and do not have it yet, in the order in which they will
   * get it.
   */
  asking: readonly LatchEvent[];
  /** The next hold after this moment. */
  nextHold: Hold | null;
  last: LatchEvent | null;
  next: LatchEvent | null;
  /** Returns the last known core of a thread; null if there is none. */
  coreOf: (slot: number) => number | null;
}

/** The recorded history of a latch. */
type KnownLatch = Pick<LatchTrack, 'events' | 'holds' | 'before' | 'revision'>;

/** Returns how many events took effect at or before a moment. */
export const eventsUntil = (events: readonly LatchEvent[], atNs: number): number =>
  countWhile(events.length, (i) => events[i]!.at_ns <= atNs);

/**
 * Returns how many of the numbers from 0 up to `length` satisfy `holds`. REQUIRES: these numbers
 * come first.
 */
function countWhile(length: number, holds: (i: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Number of events ahead that are searched for pending accesses, for the next hold and for a
 * thread's core.
 */
const AHEAD_MAX = 2_000;
/** Distance between checkpoints. */
const CHECKPOINT_EVENTS = 1_024;
/** The newest events are unsettled: a later record may take effect before them. */
const UNSETTLED_EVENTS = 4_096;

/** Computes the state of a latch at any moment. Checkpoints on the way make nearby moments fast. */
export class LatchReplay {
  readonly #known: KnownLatch;
  #checkpoints: LatchState[] = [];
  #revision = Number.NaN;

  constructor(known: KnownLatch) {
    this.#known = known;
  }

  /**
   * Returns the state after the first `count` events. `at_ns`: the moment, if it lies between two
   * events.
   */
  momentAfter(count: number, atNs?: number): LatchMoment {
    const { events } = this.#known;
    const state = this.#stateAfter(count);
    const momentNs = atNs ?? events[count - 1]?.at_ns ?? 0;
    const { holders, wanting, line, words, owner, copies } = state;
    return {
      atNs: momentNs,
      count,
      holders,
      wanting,
      line,
      words,
      owner,
      copies,
      asking: requestsOf(askingAt(events, count, momentNs), state.copy()),
      nextHold: this.#nextHold(momentNs, state),
      last: events[count - 1] ?? null,
      next: events[count] ?? null,
      coreOf: (slot) => state.coreOf(slot) ?? nextCoreOf(slot, events, count),
    };
  }

  /** Returns the state after all events up to a moment. */
  momentAt(atNs: number): LatchMoment {
    return this.momentAfter(eventsUntil(this.#known.events, atNs), atNs);
  }

  #stateAfter(count: number): LatchState {
    const { events, before, revision } = this.#known;
    if (revision !== this.#revision) this.#checkpoints = [before];
    this.#revision = revision;
    const settled = Math.max(0, events.length - UNSETTLED_EVENTS);
    const nearest = Math.min(this.#checkpoints.length - 1, Math.floor(count / CHECKPOINT_EVENTS));
    const state = this.#checkpoints[nearest]!.copy();
    for (let i = nearest * CHECKPOINT_EVENTS; i < count; i += 1) {
      if (i > 0 && i % CHECKPOINT_EVENTS === 0 && i <= settled)
        this.#checkpoints[i / CHECKPOINT_EVENTS] ??= state.copy();
      state.take(events[i]!);
    }
    return state;
  }

  #nextHold(atNs: number, state: LatchState): Hold | null {
    const { holds } = this.#known;
    const first = countWhile(holds.length, (i) => holds[i]!.fromNs < atNs);
    const isNext = ({ fromNs, slot }: Hold) => fromNs > atNs || !state.isHeldBy(slot);
    return holds.slice(first, first + AHEAD_MAX).find(isNext) ?? null;
  }
}

function askingAt(events: readonly LatchEvent[], count: number, atNs: number): LatchEvent[] {
  return events
    .slice(count, count + AHEAD_MAX)
    .filter((event) => event.access !== null && event.at_ns - event.access.took_ns <= atNs);
}

/**
 * Selects the accesses that request the line. An access needs no request if its core will have the
 * line by then. Advances `state` past each access.
 */
function requestsOf(accesses: readonly LatchEvent[], state: LatchState): LatchEvent[] {
  const { line } = state;
  const ofLine = accesses.filter(({ access }) => access?.line === line);
  return ofLine.filter((event) => {
    const isRequest = lacksLine(event, state);
    state.take(event);
    return isRequest;
  });
}

function lacksLine({ kind, access }: LatchEvent, state: LatchState): boolean {
  if (access === null) return false;
  const { owner, copies } = state.lineState(access.line);
  return kind === 'load' || kind === 'poll' ? !copies.has(access.core) : owner !== access.core;
}

/** A thread that has not touched the latch yet is placed on the core of its first access. */
const nextCoreOf = (slot: number, events: readonly LatchEvent[], count: number): number | null =>
  events.slice(count, count + AHEAD_MAX).find((event) => event.slot === slot && event.access !== null)?.access
    ?.core ?? null;

/** Returns the holds at a moment. */
export const holdsAt = (holds: readonly Hold[], atNs: number): Hold[] =>
  holdsWithin(holds, atNs, atNs).filter(({ toNs }) => toNs === null || toNs > atNs);

/** Returns the holds that overlap a span. REQUIRES: `holds` sorted by `from_ns`. */
export function holdsWithin(holds: readonly Hold[], fromNs: number, toNs: number): Hold[] {
  const within: Hold[] = [];
  for (const hold of holds) {
    if (hold.fromNs > toNs) break;
    if ((hold.toNs ?? Number.POSITIVE_INFINITY) >= fromNs) within.push(hold);
  }
  return within;
}

/** Returns how long each thread held the latch within a span, by slot. */
export function heldBySlot(
  holds: readonly Hold[],
  { fromNs, toNs }: { fromNs: number; toNs: number },
): Map<number, number> {
  const held = new Map<number, number>();
  for (const hold of holdsWithin(holds, fromNs, toNs)) {
    const lastedNs = Math.min(hold.toNs ?? toNs, toNs) - Math.max(hold.fromNs, fromNs);
    held.set(hold.slot, (held.get(hold.slot) ?? 0) + lastedNs);
  }
  return held;
}

/** Returns how many threads want the latch at a moment. */
export function depthAt(queue: readonly { atNs: number; depth: number }[], atNs: number): number {
  return queue.findLast((step) => step.atNs <= atNs)?.depth ?? 0;
}

export const allFollowed = ['every_event', 'thread', 'line'] as const;
export type Followed = (typeof allFollowed)[number];

/**
 * Returns how many events have happened after a step; null if there is no such event. `count` is
 * the number before the step, `slot` the followed thread.
 */
export function stepAlong(
  events: readonly LatchEvent[],
  count: number,
  direction: 1 | -1,
  { followed, slot }: { followed: Followed; slot: number | null },
): number | null {
  const isWanted = (event: LatchEvent) => {
    if (followed === 'thread') return event.slot === slot;
    return followed === 'every_event' || movesLine(event);
  };
  // The selected event is the last of those that have happened.
  for (let i = count - 1 + direction; i >= 0 && i < events.length; i += direction)
    if (isWanted(events[i]!)) return i + 1;
  return null;
}

/** Reports whether the line moved here from another core that had it exclusively. */
const movesLine = ({ access }: LatchEvent): boolean =>
  access !== null && access.from_core !== null && access.from_core !== access.core;
