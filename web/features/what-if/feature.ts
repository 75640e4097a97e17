import type { Feature } from '../../session/feature';
import { isStudyField, misplacedStudyFields, parseStudy, STUDY_FIELDS, studyPairs } from './study-link';
import { default_study } from './study-plan';
import { no_study, type StudyState } from './study-state';
import { plannedStudy } from './studies';

/** What-if studies as a feature of the session. */
export const what_if_feature: Feature = {
  slice: no_study,
  // Settings belong to a scenario; outcomes belong to its platform, too.
  sliceAfterLeaving: (_, is_other_scenario) => ({
    ...(is_other_scenario ? { study_settings: default_study } : {}),
    study: null,
  }),
  link: {
    names: STUDY_FIELDS,
    isBesideTheRun: false,
    isField: isStudyField,
    isOfAnyPlatform: () => false,
    misplaced: misplacedStudyFields,
    parse: parseStudy,
    // Omits invalid settings, because a link with them could not be opened.
    format: (state) => {
      const shown = state as StudyState;
      return studyPairs(shown.view, plannedStudy(shown).ok ? shown.study_settings : default_study);
    },
    partsOf: (state) => [(state as StudyState).study_settings],
  },
};
