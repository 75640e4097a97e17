import type { Manifest } from '../contract/manifest';
import type { TimedAction } from '../contract/run-spec';

/** What is done at a stated time, in the words of the manifest: Tablespace look-up: One atomic word per tablespace */
export function timedActionInWords(timed: TimedAction, { actions, knobs }: Manifest): string {
  if ('action' in timed) return actions.find(({ id }) => id === timed.action)?.title ?? timed.action;
  const knob = knobs.find(({ id }) => id === timed.knob);
  const variant = knob?.variants.find(({ id }) => id === timed.variant);
  return `${knob?.title ?? timed.knob}: ${variant?.title ?? timed.variant}`;
}
