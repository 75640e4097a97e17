// What experiments add to the state of the page.
import type { ComparisonSettings, Plan, SweepSettings } from '../../contract/experiment-plan';
import type { ThreadsAxis } from '../../charts/sweep-chart';
import type { ExplorerState } from '../../session/store';
import type { ExperimentProgress } from './batch';
import type { ComparisonOutcome, SweepOutcome } from '../../contract/experiment-outcome';
import { default_comparison, default_sweep } from './experiment-plan';

export interface ExperimentSlice {
  comparison_settings: ComparisonSettings;
  sweep_settings: SweepSettings;
  /** The comparison or sweep that goes on. */
  batch: BatchState | null;
  /** The last one, or what there is of the one that goes on. */
  comparison: ComparisonOutcome | null;
  sweep: SweepOutcome | null;
  /** Of the charts of a sweep. */
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
