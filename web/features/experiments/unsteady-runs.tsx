import type { ExperimentRun } from '../../contract/experiment-outcome';
import { unsteadyOf } from './experiment-outcome';

/** Shows how many runs were still changing at their end, which makes their means meaningless. */
export function UnsteadyRuns({ runs }: { runs: readonly ExperimentRun[] }) {
  const count = unsteadyOf(runs).length;
  if (count === 0) return null;
  return ` ${count} of ${runs.length} runs had not settled; use longer runs.`;
}
