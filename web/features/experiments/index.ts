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
import { noExperiments } from './experiment-state';
import { experimentCommands } from './experiment-commands';
import { Experiments, settingsShown } from './experiments';
import { lazy } from 'react';
import type { Session } from '../../session/session';

export { parseExperimentInput } from './experiment-input';

export const CompareView = lazy(() => import('./compare-view'));
export const SweepView = lazy(() => import('./sweep-view'));

declare module '../../session/feature' {
  interface FeatureModels {
    experiments: Experiments;
  }
}

const { comparisonSettings, sweepSettings } = defaultSettings;

interface ExperimentPorts {
  session: Session;
  nowMs: () => number;
  files: { save: (name: string, content: Blob) => void };
}

/** Comparisons and sweeps. */
export const experimentsFeature: Feature<ExperimentPorts> = {
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
    format: (state) => experimentPairs(state.view, settingsShown(state)),
    partsOf: ({ comparisonSettings, sweepSettings }) => [comparisonSettings, sweepSettings],
  },
  open: ({ session, nowMs, files }) => {
    const experiments = new Experiments(session, nowMs);
    return {
      models: { experiments },
      commands: [experimentCommands(experiments, files.save)],
      openLink: (link) => experiments.openLink(link),
    };
  },
};
