import type { Feature } from '../../session/feature';
import {
  default_settings,
  EXPERIMENT_FIELDS,
  experimentPairs,
  isExperimentField,
  isExperimentFieldOfAnyPlatform,
  misplacedFields,
  parseExperiments,
} from './experiment-link';
import { no_experiments, type ExperimentState } from './experiment-state';
import { settingsShown } from './experiments';

const { comparison_settings, sweep_settings } = default_settings;

/** Comparisons and sweeps as a feature of the session. */
export const experiments_feature: Feature = {
  slice: no_experiments,
  // Settings belong to a scenario; outcomes belong to its platform, too.
  sliceAfterLeaving: (_, is_other_scenario) => ({
    ...(is_other_scenario ? { comparison_settings, sweep_settings } : {}),
    comparison: null,
    sweep: null,
  }),
  link: {
    names: EXPERIMENT_FIELDS,
    isBesideTheRun: false,
    isField: isExperimentField,
    isOfAnyPlatform: isExperimentFieldOfAnyPlatform,
    misplaced: misplacedFields,
    parse: ({ view, runnable, spec, scenario: { manifest }, machine }) =>
      parseExperiments(view, runnable, spec, { manifest, machine }),
    format: (state) => experimentPairs(state.view, settingsShown(state as ExperimentState)),
    partsOf: (state) => {
      const shown = state as ExperimentState;
      return [shown.comparison_settings, shown.sweep_settings];
    },
  },
};
