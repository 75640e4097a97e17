// What the courses of a run add to the session: a slice of its state, and fields of the link.
import type { CourseDiff } from '../../contract/going-back';
import type { DiffProgress } from '../../session/course-diff';
import type { Feature } from '../../session/feature';
import { isNextRunTheSame } from '../../session/run-as-it-went';
import type { ExplorerState } from '../../session/store';
import type { CarryOutProgress } from './carry-out';
import { no_courses, type CourseTree } from './course-tree';
import { COURSE_FIELDS, coursePairs, isCourseField, parseCourses } from './fork-link';

/** Two courses that are compared, by id. */
export interface Comparison {
  a: number;
  b: number;
  /** How many: that of the run, and the ones after it. */
  seeds: number;
  progress: DiffProgress;
  diff: CourseDiff | null;
  /** Why there is no diff, and will be none. */
  failed: string | null;
}

export const isUnderWay = ({ diff, failed }: Comparison) => diff === null && failed === null;

export interface ForksSlice {
  course_tree: CourseTree;
  comparison: Comparison | null;
  /** How far those are that are carried out beside the one that is shown; null: none is. */
  carry_out: CarryOutProgress | null;
  /** Those that came to nothing, in words. */
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
    is_beside_the_run: false,
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
