// Declares the branches' slice of the session's state, and their fields of the link.
import type { CourseDiff } from '../../contract/going-back';
import type { DiffProgress } from '../../session/course-diff';
import type { Feature } from '../../session/feature';
import { isNextRunTheSame } from '../../session/run-as-it-went';
import type { ExplorerState } from '../../session/store';
import type { CarryOutProgress } from './carry-out';
import { no_courses, type CourseTree } from './course-tree';
import { COURSE_FIELDS, coursePairs, isCourseField, parseCourses } from './fork-link';

/** Two compared branches, by id. */
export interface Comparison {
  a: number;
  b: number;
  /** Number of seeds: the seed of the run, and the ones after it. */
  seeds: number;
  progress: DiffProgress;
  diff: CourseDiff | null;
  /** Why there is no diff. */
  failed: string | null;
}

export const isUnderWay = ({ diff, failed }: Comparison) => diff === null && failed === null;

export interface ForksSlice {
  course_tree: CourseTree;
  comparison: Comparison | null;
  /** Progress of branches running in the background; null if there are none. */
  carry_out: CarryOutProgress | null;
  /** Descriptions of branches that failed. */
  not_carried_out: readonly string[];
}

export type ForksState = ExplorerState & { forks: ForksSlice };

export const no_forks: ForksSlice = {
  course_tree: no_courses,
  comparison: null,
  carry_out: null,
  not_carried_out: [],
};

export const forks_feature: Feature = {
  slice: { forks: no_forks },
  sliceAfterLeaving: () => ({ forks: no_forks }),
  link: {
    names: COURSE_FIELDS,
    isBesideTheRun: false,
    isField: isCourseField,
    isOfAnyPlatform: () => false,
    misplaced: (view, pairs) =>
      pairs.flatMap(([field, value]) =>
        isCourseField(field) && view !== 'explorer'
          ? [{ field, value, allowed: `no such field with view=${view}` }]
          : [],
      ),
    parse: parseCourses,
    format: (state) => {
      const { forks } = state as ForksState;
      return state.view === 'explorer' && isNextRunTheSame(state) ? coursePairs(forks.course_tree) : [];
    },
    partsOf: (state) => [(state as ForksState).forks.course_tree, state.spec, state.marks],
  },
};
