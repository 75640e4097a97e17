import type { Manifest } from '../contract/manifest';
import type { RunResult } from '../contract/run-result';
import { History } from '../recording/history';
import { measuredPhases } from './measured-phases';
import { historyRowsOf, marksOf } from './opened-result';
import { designsInWords, type PreviousRun } from './previous-run';
import { whatIfInWords } from './what-if-words';

/** What the charts draw behind the present run of one that was not shown: its intervals, each as a step. */
export function previousRunOfResult(
  result: RunResult,
  manifest: Manifest,
  kind: PreviousRun['kind'],
): PreviousRun {
  const { spec } = result;
  const marks = marksOf(result, manifest);
  const history = new History();
  history.show(historyRowsOf(result));
  return {
    ...{ history, kind, threads: spec.threads },
    design: designsInWords(spec, marks, manifest),
    phases: measuredPhases({ marks, history, spec }, manifest),
    what_if: whatIfInWords(spec.what_if),
  };
}
