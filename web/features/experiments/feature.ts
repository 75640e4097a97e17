import type { Feature } from '../../session/feature';
import {
  defaultSettings,
  experimentFields,
  experimentPairs,
  isExperimentField,
  isExperimentFieldOfAnyPlatform,
  misplacedFields,
  parseExperiments,
} from './experiment-link';
import { noExperiments, type ExperimentState } from './experiment-state';
import { settingsShown } from './experiments';

const { comparisonSettings, sweepSettings } = defaultSettings;

/** Comparisons and sweeps as a feature of the session. */
export const experimentsFeature: Feature = {
  slice: noExperiments,
  // Settings belong to a scenario; outcomes belong to its platform, too.
  sliceAfterLeaving: (_, isOtherScenario) => ({
    ...(isOtherScenario ? { comparisonSettings, sweepSettings } : {}),
    comparison: null,
    sweep: null,
  }),
  link: {
    names: experimentFields,
    isBesideTheRun: false,
    isField: isExperimentField,
    isOfAnyPlatform: isExperimentFieldOfAnyPlatform,
    misplaced: misplacedFields,
    parse: ({ view, runnable, spec, scenario: { manifest }, machine }) =>
      parseExperiments(view, runnable, spec, { manifest, machine }),
    format: (state) => experimentPairs(state.view, settingsShown(state as ExperimentState)),
    partsOf: (state) => {
      const shown = state as ExperimentState;
      return [shown.comparisonSettings, shown.sweepSettings];
    },
  },
};
