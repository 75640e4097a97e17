import type { RunConditions } from '../analysis/reported';
import { conditionsAfter, type RunMark } from '../recording/run-marks';
import { presetOf } from '../contract/design';
import type { Manifest } from '../contract/manifest';
import type { RunSpec } from '../contract/run-spec';
import { whatIfInWords } from './what-if-words';

/** What a run's marks add up to: the current design, and the actions that were fired. */
export function conditionsOf(spec: RunSpec, marks: readonly RunMark[], manifest: Manifest): RunConditions {
  const { design, actions } = conditionsAfter(spec.design, marks);
  return { design: presetOf(manifest, design), actions, supposes: whatIfInWords(spec.what_if) !== null };
}
