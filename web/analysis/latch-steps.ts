// From one event of a latch to the next: every one, those of one thread, or those that move the latch's line.
import type { LatchEvent } from '../contract/latch-event';

export const all_followed = ['every_event', 'thread', 'line'] as const;
export type Followed = (typeof all_followed)[number];

/**
 * How many events have happened after a step; null if there is no such event. `count`: how many have happened before it;
 * `slot`: the thread that is followed.
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
  // The last event that has happened is the one that is looked at.
  for (let i = count - 1 + direction; i >= 0 && i < events.length; i += direction)
    if (isWanted(events[i]!)) return i + 1;
  return null;
}

/** The line came from another core, which had it alone. */
export const movesLine = ({ access }: LatchEvent): boolean =>
  access !== null && access.from_core !== null && access.from_core !== access.core;
