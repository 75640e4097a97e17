// Declares the experiments' slice of the page's state.
import type { ComparisonSettings, Plan, SweepSettings } from '../../contract/experiment-plan';
import type { ThreadsAxis } from '../../charts/sweep-chart';
import type { ExperimentProgress } from './batch';
import type { ComparisonOutcome, SweepOutcome } from '../../contract/experiment-outcome';
import { defaultComparison, defaultSweep } from './experiment-plan';

export interface ExperimentSlice {
  comparisonSettings: ComparisonSettings;
  sweepSettings: SweepSettings;
  /** The comparison or sweep in progress. */
  batch: BatchState | null;
  /** The last outcome, or the partial outcome of the one in progress. */
  comparison: ComparisonOutcome | null;
  sweep: SweepOutcome | null;
  /** The threads axis of a sweep's charts. */
  threadsAxis: ThreadsAxis;
}

declare module '../../session/store' {
  interface FeatureSlices extends ExperimentSlice {}
}

type BatchState = ExperimentProgress & { plan: Plan };

export const noExperiments: ExperimentSlice = {
  comparisonSettings: defaultComparison,
  sweepSettings: defaultSweep,
  batch: null,
  comparison: null,
  sweep: null,
  threadsAxis: 'linear',
};
