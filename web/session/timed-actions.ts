import type { Manifest } from '../contract/manifest';
import type { TimedAction } from '../contract/run-spec';

type Knobs = Pick<Manifest, 'actions' | 'knobs'>;

/** What is done at a stated time, in the words of the manifest: Tablespace look-up: One atomic word per tablespace */
export function timedActionInWords(timed: TimedAction, { actions, knobs }: Knobs): string {
  const title = timedActionTitle(timed, { actions, knobs });
  if ('action' in timed) return title;
  return `${knobs.find(({ id }) => id === timed.knob)?.title ?? timed.knob}: ${title}`;
}

/** As a mark of it is called: One atomic word per tablespace */
export function timedActionTitle(timed: TimedAction, { actions, knobs }: Knobs): string {
  if ('action' in timed) return actions.find(({ id }) => id === timed.action)?.title ?? timed.action;
  const knob = knobs.find(({ id }) => id === timed.knob);
  return knob?.variants.find(({ id }) => id === timed.variant)?.title ?? timed.variant;
}
