import type { Mark } from '../engine-client/snapshot';
import { presetOf, type Design } from '../contract/design';
import type { HistoryRows } from '../recording/history';
import { turnedTo } from '../recording/mark-meaning';
import type { Manifest } from '../contract/manifest';
import type { RunSpec } from '../contract/run-spec';

/** The last run of the same scenario and platform, which the charts draw behind the present one. */
export interface PreviousRun {
  history: HistoryRows;
  design: string;
  threads: number;
}

/** What runs must have in common for their charts to have the same axes. */
export const axesKey = ({ scenario, platform }: RunSpec) => `${scenario} on ${platform}`;

/** The design that a run began with and, if it was changed, the one that it ended with. */
export function designsInWords(spec: RunSpec, marks: readonly Mark[], manifest: Manifest): string {
  const last = { ...spec.design, ...turnedTo(marks, manifest) };
  const [began, ended] = [spec.design, last].map((design) => nameOf(design, manifest));
  return began === ended ? began! : `${began} → ${ended}`;
}

function nameOf(design: Design, manifest: Manifest): string {
  return presetOf(manifest, design) ?? manifest.knobs.map(({ id }) => design[id]).join(' + ');
}
