import type { FinishedRun } from '../../contract/experiment-outcome';
import { unsteadyOf } from './experiment-outcome';

/** How many runs were still changing at their end: a mean of such a run is one of nothing. */
export function UnsteadyRuns({ runs }: { runs: readonly FinishedRun[] }) {
  const count = unsteadyOf(runs).length;
  if (count === 0) return null;
  return ` ${count} of ${runs.length} runs had not settled; use longer runs.`;
}
