// On the way to another moment of a run: where it is, how far it still is. Pure functions over places in the run.
import type { Refusal } from './engine-calls';
import type { Moment } from '../contract/model-readings';

/** A moment of a run, in both of its measures. */
export interface PlaceInRun {
  events: number;
  run_ns: number;
}

/** Where to: after so many events, or at a run time. */
export type Target = { events: number } | { run_ns: number };

export interface Journey {
  /** The request that is answered on arrival. */
  id: number;
  target: Target;
  from: PlaceInRun;
  /** Events after which moments are kept on the way; the next one first. */
  stops: number[];
}

/** What of a run can be gone to. */
interface KnownPart {
  first_events: number;
  furthest: PlaceInRun;
}

export const isAtOrBefore = (place: PlaceInRun, target: Target): boolean =>
  'events' in target ? place.events <= target.events : place.run_ns <= target.run_ns;

export const hasReached = (place: PlaceInRun, target: Target): boolean =>
  'events' in target ? place.events >= target.events : place.run_ns >= target.run_ns;

/** From 0 to 1. */
export function partDone({ from, target }: Journey, here: PlaceInRun): number {
  const [done, all] =
    'events' in target
      ? [here.events - from.events, target.events - from.events]
      : [here.run_ns - from.run_ns, target.run_ns - from.run_ns];
  return all <= 0 ? 1 : Math.min(1, done / all);
}

/** Where `to` is, or why it is nowhere. */
export function targetOf(
  to: Moment,
  here: PlaceInRun,
  { first_events, furthest }: KnownPart,
): Target | { refused: Refusal } {
  if ('run_ns' in to) {
    // The clock has whole nanoseconds.
    const run_ns = Math.round(to.run_ns);
    const is_known = run_ns >= 0 && run_ns <= furthest.run_ns;
    return is_known ? { run_ns } : refused('run_ns', to.run_ns, `from 0 to ${furthest.run_ns}`);
  }
  const isKnown = (events: number) => events >= first_events && events <= furthest.events;
  if ('events' in to) {
    const { events } = to;
    return isKnown(events)
      ? { events }
      : refused('events', events, `from ${first_events} to ${furthest.events}`);
  }
  const events = here.events - to.events_back;
  const most = Math.max(0, here.events - first_events);
  return isKnown(events) ? { events } : refused('events_back', to.events_back, `from 0 to ${most}`);
}

const refused = (field: string, value: number, allowed: string): { refused: Refusal } => ({
  refused: { outcome: 'wrong_value', errors: [{ field, value: String(value), allowed }] },
});
