import type { Circumstances } from '../analysis/reported';
import type { Mark } from '../engine-client/snapshot';
import { presetOf } from './draft';
import type { Manifest } from '../contract/manifest';
import type { RunSpec } from '../contract/run-spec';

/** What a run has come to by its marks: the design in force, and the actions that were done. */
export function circumstancesOf(spec: RunSpec, marks: readonly Mark[], manifest: Manifest): Circumstances {
  const turned = marks.flatMap(({ kind, subject, value }) => {
    const knob = kind === 'knob' ? manifest.knobs[subject] : undefined;
    const variant = knob?.variants[value];
    return knob && variant ? [[knob.id, variant.id] as const] : [];
  });
  const actions = marks.flatMap(({ kind, subject, value }) => {
    const action = kind === 'action' && value === ACTION_DONE ? manifest.actions[subject] : undefined;
    return action ? [action.id] : [];
  });
  return { design: presetOf(manifest, { ...spec.design, ...Object.fromEntries(turned) }), actions };
}

const ACTION_DONE = 0;
