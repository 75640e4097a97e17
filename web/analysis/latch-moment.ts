// What a latch looks like at one moment: what its events up to then leave behind, exact as far as they are known.
import type { LatchEvent } from '../contract/latch-event';
import type { Holding, LatchState, Wanting } from '../recording/latch-state';
import type { Hold, LatchTrack } from '../recording/latch-trace';

export interface LatchMoment {
  at_ns: number;
  /** How many of the known events have happened. */
  count: number;
  /** Who has it, and where each took it. */
  holders: readonly Holding[];
  /** Who wants it, longest first. */
  wanting: readonly Wanting[];
  /** The line that was accessed last, which `words`, `owner`, `copies` and `asking` are of: 0, but for a latch of the lab. */
  line: number;
  /** By number of the word; null: not known yet. */
  words: readonly (number | null)[];
  /** The core that alone has the line, changed; null if cores share it, or nothing is known. */
  owner: number | null;
  /** The cores that have a copy, the owner among them. */
  copies: readonly number[];
  /** Accesses that have asked for the line and have not got it, in the order in which they will. */
  asking: readonly LatchEvent[];
  /** Who has the latch next. */
  next_hold: Hold | null;
  last: LatchEvent | null;
  next: LatchEvent | null;
  /** The core that a thread was seen on last, null if on none. */
  coreOf: (slot: number) => number | null;
}

/** What of a latch is known. */
export type KnownLatch = Pick<LatchTrack, 'events' | 'holds' | 'before' | 'revision'>;

/** How many events took effect up to a moment, that moment included. */
export const eventsUntil = (events: readonly LatchEvent[], at_ns: number): number =>
  countWhile(events.length, (i) => events[i]!.at_ns <= at_ns);

/** How many of the first `length` numbers from 0 on hold; those that do come first. */
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

/** Accesses that take longer are not looked for beyond this many events ahead. */
const AHEAD_MAX = 2_000;
/** From one state that is kept to the next. */
const CHECKPOINT_EVENTS = 1_024;
/** The newest events may yet be joined by one that takes effect before them. */
const UNSETTLED_EVENTS = 4_096;

/** Goes to any moment of a latch. States on the way are kept, so that a moment near another one is quickly there. */
export class LatchReplay {
  readonly #known: KnownLatch;
  #checkpoints: LatchState[] = [];
  #revision = Number.NaN;

  constructor(known: KnownLatch) {
    this.#known = known;
  }

  /** After the first `count` events, in the order of time. `at_ns`: the moment, if it lies between two events. */
  momentAfter(count: number, at_ns?: number): LatchMoment {
    const { events } = this.#known;
    const state = this.#stateAfter(count);
    const moment_ns = at_ns ?? events[count - 1]?.at_ns ?? 0;
    const { holders, wanting, line, words, owner, copies } = state;
    return {
      at_ns: moment_ns,
      count,
      holders,
      wanting,
      line,
      words,
      owner,
      copies,
      asking: requestsOf(askingAt(events, count, moment_ns), state.copy()),
      next_hold: this.#nextHold(moment_ns, state),
      last: events[count - 1] ?? null,
      next: events[count] ?? null,
      coreOf: (slot) => state.coreOf(slot) ?? nextCoreOf(slot, events, count),
    };
  }

  /** All that has happened up to a moment. */
  momentAt(at_ns: number): LatchMoment {
    return this.momentAfter(eventsUntil(this.#known.events, at_ns), at_ns);
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

  #nextHold(at_ns: number, state: LatchState): Hold | null {
    const { holds } = this.#known;
    const first = countWhile(holds.length, (i) => holds[i]!.from_ns < at_ns);
    const is_next = ({ from_ns, slot }: Hold) => from_ns > at_ns || !state.isHeldBy(slot);
    return holds.slice(first, first + AHEAD_MAX).find(is_next) ?? null;
  }
}

function askingAt(events: readonly LatchEvent[], count: number, at_ns: number): LatchEvent[] {
  return events
    .slice(count, count + AHEAD_MAX)
    .filter((event) => event.access !== null && event.at_ns - event.access.took_ns <= at_ns);
}

/** A core that will have what it needs when it is its turn asks nobody. `state` goes on with each. */
function requestsOf(accesses: readonly LatchEvent[], state: LatchState): LatchEvent[] {
  const { line } = state;
  const of_line = accesses.filter(({ access }) => access?.line === line);
  return of_line.filter((event) => {
    const is_request = lacksLine(event, state);
    state.take(event);
    return is_request;
  });
}

function lacksLine({ kind, access }: LatchEvent, state: LatchState): boolean {
  if (access === null) return false;
  const { owner, copies } = state.lineState(access.line);
  return kind === 'load' || kind === 'poll' ? !copies.has(access.core) : owner !== access.core;
}

/** Before a thread has touched the latch it is on the core from which it will. */
const nextCoreOf = (slot: number, events: readonly LatchEvent[], count: number): number | null =>
  events.slice(count, count + AHEAD_MAX).find((event) => event.slot === slot && event.access !== null)?.access
    ?.core ?? null;
