import type { Manifest } from '../contract/manifest';
import type { RunResult } from '../contract/run-result';
import { History } from '../recording/history';
import { historyRowsOf, marksOf } from './opened-result';
import { previousRunOf, type PreviousRun } from './previous-run';

/**
 * Converts the result of a run that was not shown to a run that charts draw behind the present one.
 * Each interval becomes a step.
 */
export function previousRunOfResult(
  result: RunResult,
  manifest: Manifest,
  kind: PreviousRun['kind'],
): PreviousRun {
  const history = new History();
  history.show(historyRowsOf(result));
  return previousRunOf({ history, kind, spec: result.spec, marks: marksOf(result, manifest) }, manifest);
}
