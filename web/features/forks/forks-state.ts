// Declares the branches' slice of the session's state, and their fields of the link.
import type { CourseDiff } from '../../contract/going-back';
import type { DiffProgress } from '../../session/course-diff';
import type { Feature } from '../../session/feature';
import { isNextRunTheSame } from '../../session/run-as-it-went';
import type { ExplorerState } from '../../session/store';
import type { CarryOutProgress } from './carry-out';
import { noCourses, type CourseTree } from './course-tree';
import { courseFields, coursePairs, isCourseField, parseCourses } from './fork-link';

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
  courseTree: CourseTree;
  comparison: Comparison | null;
  /** Progress of branches running in the background; null if there are none. */
  carryOut: CarryOutProgress | null;
  /** Descriptions of branches that failed. */
  notCarriedOut: readonly string[];
}

export type ForksState = ExplorerState & { forks: ForksSlice };

export const noForks: ForksSlice = {
  courseTree: noCourses,
  comparison: null,
  carryOut: null,
  notCarriedOut: [],
};

export const forksFeature: Feature = {
  slice: { forks: noForks },
  sliceAfterLeaving: () => ({ forks: noForks }),
  link: {
    names: courseFields,
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
      return state.view === 'explorer' && isNextRunTheSame(state) ? coursePairs(forks.courseTree) : [];
    },
    partsOf: (state) => [(state as ForksState).forks.courseTree, state.spec, state.marks],
  },
};
