import type { Manifest } from '../contract/manifest';
import type { TimedAction } from '../contract/run-spec';

type Knobs = Pick<Manifest, 'actions' | 'knobs'>;

/**
 * Describes a timed action in the manifest's words: Tablespace look-up: One atomic word per
 * tablespace
 */
export function timedActionInWords(timed: TimedAction, { actions, knobs }: Knobs): string {
  const title = timedActionTitle(timed, { actions, knobs });
  if ('action' in timed) return title;
  return `${knobs.find(({ id }) => id === timed.knob)?.title ?? timed.knob}: ${title}`;
}

/** Returns the title of its mark: One atomic word per tablespace */
export function timedActionTitle(timed: TimedAction, { actions, knobs }: Knobs): string {
  if ('action' in timed) return actions.find(({ id }) => id === timed.action)?.title ?? timed.action;
  const knob = knobs.find(({ id }) => id === timed.knob);
  return knob?.variants.find(({ id }) => id === timed.variant)?.title ?? timed.variant;
}
