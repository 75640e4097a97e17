import type { RunConditions } from '../analysis/reported';
import { conditionsAfter, type RunMark } from '../recording/run-marks';
import { presetOf } from '../contract/design';
import type { Manifest } from '../contract/manifest';
import type { RunSpec } from '../contract/run-spec';
import { whatIfInWords } from './what-if-words';

/** Derives a run's current conditions from its marks: the design, and the actions fired so far. */
export function conditionsOf(spec: RunSpec, marks: readonly RunMark[], manifest: Manifest): RunConditions {
  const { design, actions } = conditionsAfter(spec.design, marks);
  return { design: presetOf(manifest, design), actions, supposes: whatIfInWords(spec.what_if) !== null };
}
