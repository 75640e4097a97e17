// Runs branches in the background, so that the charts can draw them. Uses as many workers as a
// series of runs has.
import type { Manifest } from '../../contract/manifest';
import type { RunSpec } from '../../contract/run-spec';
import { Batch, faultOfRun, type BatchPort, type BatchProgress } from '../../session/batch';
import { previousRunOfResult } from '../../session/previous-run-of-result';
import type { PreviousRun } from '../../session/previous-run';

export interface BranchRun {
  id: number;
  name: string;
  /** Includes the end of the run. */
  spec: RunSpec;
}

interface Kept {
  seen: PreviousRun;
}

export interface CarriedOut {
  /** Chart data of each branch, by id. */
  seen: ReadonlyMap<number, PreviousRun>;
  /** A description of each branch that failed. */
  failed: readonly string[];
}

export type CarryOutProgress = BatchProgress<BranchRun>;
export type CarryOutBatch = Batch<BranchRun, Kept>;

/** Runs the branches in the order of `runs`. */
export function carryOutBatch(
  runs: readonly BranchRun[],
  port: BatchPort,
  manifest: Manifest,
  onProgress: (progress: CarryOutProgress, carriedOut: CarriedOut) => void,
): CarryOutBatch {
  return new Batch<BranchRun, Kept>(
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
