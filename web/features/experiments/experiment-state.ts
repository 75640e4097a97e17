// Declares the experiments' slice of the page's state.
import type { ComparisonSettings, Plan, SweepSettings } from '../../contract/experiment-plan';
import type { ThreadsAxis } from '../../charts/sweep-chart';
import type { ExplorerState } from '../../session/store';
import type { ExperimentProgress } from './batch';
import type { ComparisonOutcome, SweepOutcome } from '../../contract/experiment-outcome';
import { default_comparison, default_sweep } from './experiment-plan';

export interface ExperimentSlice {
  comparison_settings: ComparisonSettings;
  sweep_settings: SweepSettings;
  /** The comparison or sweep in progress. */
  batch: BatchState | null;
  /** The last outcome, or the partial outcome of the one in progress. */
  comparison: ComparisonOutcome | null;
  sweep: SweepOutcome | null;
  /** The threads axis of a sweep's charts. */
  threads_axis: ThreadsAxis;
}

type BatchState = ExperimentProgress & { plan: Plan };

export type ExperimentState = ExplorerState & ExperimentSlice;

export const no_experiments: ExperimentSlice = {
  comparison_settings: default_comparison,
  sweep_settings: default_sweep,
  batch: null,
  comparison: null,
  sweep: null,
  threads_axis: 'linear',
};
