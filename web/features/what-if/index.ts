import type { Feature } from '../../session/feature';
import { isStudyField, misplacedStudyFields, parseStudy, studyFields, studyPairs } from './study-link';
import { defaultStudy } from './study-plan';
import { noStudy } from './study-state';
import { plannedStudy, Studies } from './studies';
import { studyCommands } from './study-commands';
import { whatIfCommands } from './what-if';
import { lazy } from 'react';
import type { Session } from '../../session/session';

export { parseStudyInput } from './study-input';
export { WhatIfNote } from './what-if-note';

export const WhatIfView = lazy(() => import('./what-if-view'));

declare module '../../session/feature' {
  interface FeatureModels {
    studies: Studies;
  }
}

interface StudyPorts {
  session: Session;
  nowMs: () => number;
  files: { save: (name: string, content: Blob) => void };
}

/** The what-if of a run, and studies. */
export const whatIfFeature: Feature<StudyPorts> = {
  slice: noStudy,
  // Settings belong to a scenario; outcomes belong to its platform, too.
  sliceAfterLeaving: (_, isOtherScenario) => ({
    ...(isOtherScenario ? { studySettings: defaultStudy } : {}),
    study: null,
  }),
  link: {
    names: studyFields,
    isBesideTheRun: false,
    isField: isStudyField,
    isOfAnyPlatform: () => false,
    misplaced: misplacedStudyFields,
    parse: parseStudy,
    // Omits invalid settings, because a link with them could not be opened.
    format: (state) => {
      const { view, studySettings } = state;
      return studyPairs(view, plannedStudy(state).ok ? studySettings : defaultStudy);
    },
    partsOf: (state) => [state.studySettings],
  },
  open: ({ session, nowMs, files }) => {
    const studies = new Studies(session, nowMs);
    return {
      models: { studies },
      commands: [whatIfCommands(session), studyCommands(studies, session, files.save)],
      openLink: (link) => studies.openLink(link),
    };
  },
};
