import type { HistoryRows } from '../recording/history';
import { conditionsAfter, type RunMark } from '../recording/run-marks';
import type { Manifest } from '../contract/manifest';
import type { RunSpec } from '../contract/run-spec';
import { designTitle } from './designs';
import { measuredPhases, type RunPhase } from './measured-phases';
import { whatIfInWords } from './what-if-words';

/** What the charts draw behind the present run. */
export interface PreviousRun {
  history: HistoryRows;
  design: string;
  threads: number;
  /** What was measured in it from change to change. */
  phases: readonly RunPhase[];
  /** What it supposed, in words. */
  what_if: string | null;
  kind: keyof typeof kinds;
  /** What the reader calls this course, if it is one of several that are kept. */
  course?: string;
}

const kinds = {
  /** The last one of the same scenario and platform. */
  previous: 'previous run',
  /** The reader has gone back in this run and changed something: what came of it without that. */
  other_course: 'previous branch',
  /** The same run, recorded before (recorded-run.ts). */
  recorded: 'recorded run',
};

interface SeenRun extends Pick<PreviousRun, 'history' | 'kind'> {
  spec: RunSpec;
  marks: readonly RunMark[];
}

/** What is drawn later of a run that was seen, or of which there is a result. */
export function previousRunOf({ history, kind, spec, marks }: SeenRun, manifest: Manifest): PreviousRun {
  return {
    ...{ history, kind, threads: spec.threads },
    design: designsInWords(spec, marks, manifest),
    phases: measuredPhases({ marks, history, spec }, manifest),
    what_if: whatIfInWords(spec.what_if),
  };
}

export function previousRunInWords({ design, what_if, kind, course }: PreviousRun): string {
  const supposed = what_if === null ? '' : `, what if ${what_if}`;
  if (course !== undefined) return `branch “${course}”: ${design}${supposed}`;
  return `${kinds[kind]}: ${design}${supposed}`;
}

/** What runs must have in common for their charts to have the same axes. */
export const axesKey = ({ scenario, platform }: RunSpec) => `${scenario} on ${platform}`;

/** The design that a run began with and, if it was changed, the one that it ended with. */
export function designsInWords(spec: RunSpec, marks: readonly RunMark[], manifest: Manifest): string {
  const last = conditionsAfter(spec.design, marks).design;
  const [began, ended] = [spec.design, last].map((design) => designTitle(manifest, design));
  return began === ended ? began! : `${began} → ${ended}`;
}
