// What the marks of a run say, in the words of its manifest. A mark itself holds places in the manifest's lists.
import type { Design } from '../contract/design';
import type { Action, Knob, Manifest, Variant } from '../contract/manifest';
import type { Mark } from '../engine-client/snapshot';

export type MarkMeaning =
  | { kind: 'knob'; knob: Knob; variant: Variant }
  | { kind: 'action'; action: Action; is_refused: boolean }
  | { kind: 'pause' | 'resume' };

/** The value of an action's mark that was carried out. */
const ACTION_DONE = 0;

/** null: the manifest has no such knob, variant or action. */
export function meaningOf({ kind, subject, value }: Mark, manifest: Manifest): MarkMeaning | null {
  switch (kind) {
    case 'knob': {
      const knob = manifest.knobs[subject];
      const variant = knob?.variants[value];
      return knob && variant ? { kind, knob, variant } : null;
    }
    case 'action': {
      const action = manifest.actions[subject];
      return action ? { kind, action, is_refused: value !== ACTION_DONE } : null;
    }
    case 'pause':
    case 'resume':
      return { kind };
  }
}

/** The variants that knobs were turned to, by knob: the last one of each. */
export function turnedTo(marks: readonly Mark[], manifest: Manifest): Design {
  const turned: Design = {};
  for (const mark of marks) {
    const meaning = meaningOf(mark, manifest);
    if (meaning?.kind === 'knob') turned[meaning.knob.id] = meaning.variant.id;
  }
  return turned;
}

/** The actions that were carried out, oldest first. */
export function actionsDone(marks: readonly Mark[], manifest: Manifest): Action[] {
  return marks.flatMap((mark) => {
    const meaning = meaningOf(mark, manifest);
    return meaning?.kind === 'action' && !meaning.is_refused ? [meaning.action] : [];
  });
}
