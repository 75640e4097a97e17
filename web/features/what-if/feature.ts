import type { Feature } from '../../session/feature';
import { isStudyField, misplacedStudyFields, parseStudy, studyFields, studyPairs } from './study-link';
import { defaultStudy } from './study-plan';
import { noStudy, type StudyState } from './study-state';
import { plannedStudy } from './studies';

/** What-if studies as a feature of the session. */
export const whatIfFeature: Feature = {
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
      const shown = state as StudyState;
      return studyPairs(shown.view, plannedStudy(shown).ok ? shown.studySettings : defaultStudy);
    },
    partsOf: (state) => [(state as StudyState).studySettings],
  },
};
