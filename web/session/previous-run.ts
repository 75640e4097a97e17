import type { HistoryRows } from '../recording/history';
import { conditionsAfter, type RunMark } from '../recording/run-marks';
import type { Manifest } from '../contract/manifest';
import type { RunSpec } from '../contract/run-spec';
import { designTitle } from './designs';
import { measuredPhases, type RunPhase } from './measured-phases';
import { whatIfInWords } from './what-if-words';

/** A run that the charts draw behind the present one. */
export interface PreviousRun {
  history: HistoryRows;
  design: string;
  threads: number;
  /** Its measured phases, from change to change. */
  phases: readonly RunPhase[];
  /** Its what-if in words. */
  whatIf: string | null;
  kind: keyof typeof kinds;
  /** The reader's name for this branch, if it is one of several stored branches. */
  branch?: string;
}

const kinds = {
  /** The last run of the same scenario and platform. */
  previous: 'previous run',
  /** This run as it was before the reader went back and changed something. */
  other_course: 'previous branch',
  /** A recording of the same run (recorded-run.ts). */
  recorded: 'recorded run',
};

interface SeenRun extends Pick<PreviousRun, 'history' | 'kind'> {
  spec: RunSpec;
  marks: readonly RunMark[];
}

/** Converts a shown run or a result to a run that charts draw behind a later one. */
export function previousRunOf({ history, kind, spec, marks }: SeenRun, manifest: Manifest): PreviousRun {
  return {
    ...{ history, kind, threads: spec.threads },
    design: designsInWords(spec, marks, manifest),
    phases: measuredPhases({ marks, history, spec }, manifest),
    whatIf: whatIfInWords(spec.what_if),
  };
}

export function previousRunInWords({ design, whatIf, kind, branch }: PreviousRun): string {
  const supposed = whatIf === null ? '' : `, what if ${whatIf}`;
  if (branch !== undefined) return `branch “${branch}”: ${design}${supposed}`;
  return `${kinds[kind]}: ${design}${supposed}`;
}

/** Runs with the same key have charts with the same axes. */
export function axesKey({ scenario, workload, platform }: RunSpec): string {
  const program = workload === undefined ? '' : ` ${JSON.stringify(workload.program)}`;
  return `${scenario}${program} on ${platform}`;
}

/** Returns the run's initial design and, if it was changed, its final design. */
export function designsInWords(spec: RunSpec, marks: readonly RunMark[], manifest: Manifest): string {
  const last = conditionsAfter(spec.design, marks).design;
  const [began, ended] = [spec.design, last].map((design) => designTitle(manifest, design));
  return began === ended ? began! : `${began} → ${ended}`;
}
