// Computes targets and progress of a move to another moment of a run. All functions are pure.
import type { Refusal } from './engine-calls';
import type { Moment } from '../contract/page-readings';

/** A moment of a run, as an event count and as run time. */
export interface PlaceInRun {
  events: number;
  runNs: number;
}

/** Where to move: after this many events, or to this run time. */
export type Target = { events: number } | { runNs: number };

export interface Journey {
  /** Id of the request to answer on arrival. */
  id: number;
  target: Target;
  from: PlaceInRun;
  /** Event counts at which to store checkpoints on the way, the next one first. */
  stops: number[];
}

/** The part of a run that can be moved to. */
interface KnownPart {
  firstEvents: number;
  furthest: PlaceInRun;
}

export const isAtOrBefore = (place: PlaceInRun, target: Target): boolean =>
  'events' in target ? place.events <= target.events : place.runNs <= target.runNs;

export const hasReached = (place: PlaceInRun, target: Target): boolean =>
  'events' in target ? place.events >= target.events : place.runNs >= target.runNs;

/** Returns the completed part, from 0 to 1. */
export function partDone({ from, target }: Journey, here: PlaceInRun): number {
  const [done, all] =
    'events' in target
      ? [here.events - from.events, target.events - from.events]
      : [here.runNs - from.runNs, target.runNs - from.runNs];
  return all <= 0 ? 1 : Math.min(1, done / all);
}

/** Converts `to` to a target, or refuses a moment outside the known part of the run. */
export function targetOf(
  to: Moment,
  here: PlaceInRun,
  { firstEvents, furthest }: KnownPart,
): Target | { refused: Refusal } {
  if ('run_ns' in to) {
    // The clock has whole nanoseconds.
    const runNs = Math.round(to.run_ns);
    const isKnown = runNs >= 0 && runNs <= furthest.runNs;
    return isKnown ? { runNs } : refused('run_ns', to.run_ns, `from 0 to ${furthest.runNs}`);
  }
  const isKnown = (events: number) => events >= firstEvents && events <= furthest.events;
  if ('events' in to) {
    const { events } = to;
    return isKnown(events)
      ? { events }
      : refused('events', events, `from ${firstEvents} to ${furthest.events}`);
  }
  const events = here.events - to.events_back;
  const most = Math.max(0, here.events - firstEvents);
  return isKnown(events) ? { events } : refused('events_back', to.events_back, `from 0 to ${most}`);
}

const refused = (field: string, value: number, allowed: string): { refused: Refusal } => ({
  refused: { outcome: 'wrong_value', errors: [{ field, value: String(value), allowed }] },
});
