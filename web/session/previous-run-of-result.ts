import type { Manifest } from '../contract/manifest';
import type { RunResult } from '../contract/run-result';
import { History } from '../recording/history';
import { historyRowsOf, marksOf } from './opened-result';
import { previousRunOf, type PreviousRun } from './previous-run';

/** What the charts draw behind the present run of one that was not shown: its intervals, each as a step. */
export function previousRunOfResult(
  result: RunResult,
  manifest: Manifest,
  kind: PreviousRun['kind'],
): PreviousRun {
  const history = new History();
  history.show(historyRowsOf(result));
  return previousRunOf({ history, kind, spec: result.spec, marks: marksOf(result, manifest) }, manifest);
}
