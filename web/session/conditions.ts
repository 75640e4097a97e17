import type { RunConditions } from '../analysis/reported';
import type { Mark } from '../engine-client/snapshot';
import { actionsDone, turnedTo } from '../recording/mark-meaning';
import { presetOf } from '../contract/design';
import type { Manifest } from '../contract/manifest';
import type { RunSpec } from '../contract/run-spec';

/** What a run's marks add up to: the current design, and the actions that were fired. */
export function conditionsOf(spec: RunSpec, marks: readonly Mark[], manifest: Manifest): RunConditions {
  return {
    design: presetOf(manifest, { ...spec.design, ...turnedTo(marks, manifest) }),
    actions: actionsDone(marks, manifest).map(({ id }) => id),
  };
}
