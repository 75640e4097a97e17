// Carries out courses beside the run that is shown, so that the charts can draw them: on as many workers as a series of runs has.
import type { Manifest } from '../../contract/manifest';
import type { RunSpec } from '../../contract/run-spec';
import { Batch, faultOfRun, type BatchPort, type BatchProgress } from '../../session/batch';
import { previousRunOfResult } from '../../session/previous-run-of-result';
import type { PreviousRun } from '../../session/previous-run';

export interface CourseRun {
  id: number;
  name: string;
  /** To its end. */
  spec: RunSpec;
}

interface Kept {
  seen: PreviousRun;
}

export interface CarriedOut {
  /** What the charts have of each, by id. */
  seen: ReadonlyMap<number, PreviousRun>;
  /** In words, one for each that came to nothing. */
  failed: readonly string[];
}

export type CarryOutProgress = BatchProgress<CourseRun>;
export type CarryOutBatch = Batch<CourseRun, Kept>;

/** In the order of `runs`. */
export function carryOutBatch(
  runs: readonly CourseRun[],
  port: BatchPort,
  manifest: Manifest,
  onProgress: (progress: CarryOutProgress, carried_out: CarriedOut) => void,
): CarryOutBatch {
  return new Batch<CourseRun, Kept>(
    {
      runs,
      kindOf: () => null,
      judge: ({ spec }, report) => {
        const reason = faultOfRun(spec, report);
        if (reason !== null) return { ok: false, reason };
        return { ok: true, seen: previousRunOfResult(report.result, manifest, 'other_course') };
      },
    },
    port,
    (progress, finished) => {
      onProgress(progress, {
        seen: new Map(finished.flatMap(({ id, outcome }) => (outcome.ok ? [[id, outcome.seen]] : []))),
        failed: finished.flatMap(({ name, outcome }) => (outcome.ok ? [] : [`“${name}”: ${outcome.reason}`])),
      });
    },
  );
}
