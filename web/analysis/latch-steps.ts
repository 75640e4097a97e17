// Steps between the events of a latch: all events, those of one thread, or those that move its
// cache line.
import type { LatchEvent } from '../contract/latch-event';

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
export const movesLine = ({ access }: LatchEvent): boolean =>
  access !== null && access.from_core !== null && access.from_core !== access.core;
