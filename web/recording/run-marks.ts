// Converts the engine's marks, which are indices into the manifest's lists, to the manifest's
// terms. Computes the conditions that they lead to.
import type { Design } from '../contract/design';
import type { Action, Knob, Manifest, Variant } from '../contract/manifest';
import type { Mark } from '../contract/telemetry-states';

type MarkMeaning =
  | { kind: 'knob'; knob: Knob; variant: Variant }
  | { kind: 'action'; action: Action; isRefused: boolean }
  | { kind: 'latch_stopped'; knob: Knob }
  | { kind: 'pause' | 'resume' | 'what_if' };

export type RunMark = Mark & MarkMeaning;

/** The value of an executed action's mark. */
const ACTION_DONE = 0;

/** Converts a mark. Throws if the manifest has no such knob, variant or action. */
export const runMark = (mark: Mark, manifest: Manifest): RunMark => ({
  ...mark,
  ...meaningOf(mark, manifest),
});

function meaningOf({ kind, subject, value }: Mark, { id, knobs, actions }: Manifest): MarkMeaning {
  switch (kind) {
    case 'knob': {
      const knob = knobs[subject];
      const variant = knob?.variants[value];
      if (!knob || !variant) throw new Error(`${id}: knob ${subject} has no variant ${value}.`);
      return { kind, knob, variant };
    }
    case 'latch_stopped': {
      const knob = knobs[subject];
      if (!knob) throw new Error(`${id} has no knob ${subject}.`);
      return { kind, knob };
    }
    case 'action': {
      const action = actions[subject];
      if (!action) throw new Error(`${id} has no action ${subject}.`);
      return { kind, action, isRefused: value !== ACTION_DONE };
    }
    case 'pause':
    case 'resume':
    case 'what_if':
      return { kind };
  }
}

/** The conditions at a moment of a run. */
export interface Conditions {
  design: Design;
  /** Ids of the executed actions, oldest first. */
  actions: readonly string[];
  /** The run spec's assumptions have been in force since a moment of the run. */
  supposesSince?: true;
  /**
   * Knobs at which the reader's latch was stopped. The engine uses its own latch there, whatever
   * the design says.
   */
  stopped?: readonly string[];
}

/** Returns the conditions after these marks, for a run that began with this design. */
export const conditionsAfter = (design: Design, marks: readonly RunMark[]): Conditions =>
  marks.reduce(withMark, { design, actions: [] });

/**
 * Returns the conditions after one more mark: the same object if the mark changes nothing that is
 * measured.
 */
export function withMark(conditions: Conditions, mark: RunMark): Conditions {
  const { design, actions } = conditions;
  if (mark.kind === 'knob') return { ...conditions, design: { ...design, [mark.knob.id]: mark.variant.id } };
  if (mark.kind === 'action' && !mark.isRefused)
    return { ...conditions, actions: [...actions, mark.action.id] };
  if (mark.kind === 'what_if') return { ...conditions, supposesSince: true };
  if (mark.kind === 'latch_stopped')
    return { ...conditions, stopped: [...(conditions.stopped ?? []), mark.knob.id] };
  return conditions;
}
