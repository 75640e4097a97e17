import type { HistoryRows } from '../recording/history';
import { conditionsAfter, type RunMark } from '../recording/run-marks';
import type { Manifest } from '../contract/manifest';
import type { RunSpec } from '../contract/run-spec';
import { designTitle } from './designs';

/** The last run of the same scenario and platform, which the charts draw behind the present one. */
export interface PreviousRun {
  history: HistoryRows;
  design: string;
  threads: number;
}

/** What runs must have in common for their charts to have the same axes. */
export const axesKey = ({ scenario, platform }: RunSpec) => `${scenario} on ${platform}`;

/** The design that a run began with and, if it was changed, the one that it ended with. */
export function designsInWords(spec: RunSpec, marks: readonly RunMark[], manifest: Manifest): string {
  const last = conditionsAfter(spec.design, marks).design;
  const [began, ended] = [spec.design, last].map((design) => designTitle(manifest, design));
  return began === ended ? began! : `${began} → ${ended}`;
}
