import type { Manifest } from '../contract/manifest';
import type { TimedAction } from '../contract/run-spec';

/** What is done at a stated time, in the words of the manifest: Tablespace look-up: One atomic word per tablespace */
export function timedStepInWords(step: TimedAction, { actions, knobs }: Manifest): string {
  if ('action' in step) return actions.find(({ id }) => id === step.action)?.title ?? step.action;
  const knob = knobs.find(({ id }) => id === step.knob);
  const variant = knob?.variants.find(({ id }) => id === step.variant);
  return `${knob?.title ?? step.knob}: ${variant?.title ?? step.variant}`;
}
