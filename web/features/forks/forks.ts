// Stores a branch when the reader goes back and changes something. Shows, draws and compares
// branches.
import { describeValue } from '../../contract/versions';
import type { CourseDiff } from '../../contract/going-back';
import { CommandRefused } from '../../engine-client/command-refused';
import { diffOfCourses, type EnginePair } from '../../session/course-diff';
import { storeWithSlice } from '../../session/feature';
import type { Session } from '../../session/session';
import type { ExplorerState } from '../../session/store';
import {
  courseOf,
  notCarriedOut,
  renamed,
  specsToCompare,
  specToItsEnd,
  whenBegun,
  withFork,
  withSeen,
  withShown,
  type Course,
  type CourseTree,
} from './course-tree';
import { carryOutBatch, type CarryOutBatch, type CourseRun } from './carry-out';
import { comparisonFaults } from './comparison-seeds';
import { isCourseName, NAME_IN_WORDS } from './course-name';
import { noForks, type Comparison, type ForksSlice, type ForksState } from './forks-state';

/** The comparison was cancelled or replaced. */
export class ComparisonCancelled extends CommandRefused {
  constructor() {
    super(
      [{ field: 'comparison', value: 'cancelled', allowed: 'a comparison that is not cancelled' }],
      'The comparison was cancelled.',
    );
  }
}

export class Forks {
  readonly #session: Session;
  readonly #store;
  /** Workers of the shown comparison. */
  #pairs: readonly EnginePair[] = [];
  #carryingOut: CarryOutBatch | null = null;

  constructor(session: Session) {
    this.#session = session;
    this.#store = storeWithSlice<ForksState>(session.store);
    session.onFork((fork) => {
      const courseTree = withFork(this.#slice.courseTree, fork, this.#store.getState().scenario.manifest);
      const left = courseTree.courses.find(({ seen }) => seen === fork.left.seen)!;
      this.#set({ courseTree });
      this.#drawBehind(left);
    });
    this.#store.subscribe(({ spec, forks: { courseTree } }, before) => {
      const isTreeGone = courseTree.courses.length === 0 && before.forks.courseTree.courses.length > 0;
      if (isTreeGone) this.forget();
      if (spec !== null && spec !== before.spec) this.#noteRun(spec);
    });
  }

  get #slice(): ForksSlice {
    return this.#store.getState().forks;
  }

  #set(change: Partial<ForksSlice>): void {
    this.#store.setState(({ forks }) => ({ forks: { ...forks, ...change } }));
  }

  #noteRun(spec: NonNullable<ExplorerState['spec']>): void {
    const { courseTree } = this.#slice;
    if (courseTree.courses.length === 0) return;
    const tree = whenBegun(courseTree, spec);
    this.#set({ courseTree: tree });
    const behind = courseOf(tree, tree.behind);
    if (behind !== null) this.#drawBehind(behind);
  }

  openLink(said: object): void {
    const { courseTree } = said as { courseTree?: CourseTree };
    if (courseTree === undefined) return;
    this.forget();
    this.#set({ courseTree });
  }

  /** Returns all branches, with the shown one in its present state. */
  now(): CourseTree {
    const { courseTree } = this.#slice;
    return courseTree.current === null ? courseTree : withShown(courseTree, this.#session.courseShown());
  }

  rename(id: number, name: string): void {
    this.#known(id);
    if (!isCourseName(name)) throw refused('name', name, NAME_IN_WORDS);
    this.#set({ courseTree: renamed(this.#slice.courseTree, id, name.trim()) });
  }

  /**
   * Runs the branch again from its start, after stopping the current run. Settles when it has
   * begun.
   */
  async show(id: number): Promise<void> {
    const { spec } = this.#known(id);
    this.#set({ courseTree: this.now() });
    await this.#session.startRun(spec);
  }

  /** Draws it pale behind the shown branch, and runs it first if necessary. */
  async drawBehind(id: number): Promise<void> {
    const course = this.#known(id);
    if (course.seen === null) await this.#carryOut([course]);
    const carriedOut = courseOf(this.#slice.courseTree, id);
    if (carriedOut?.seen == null) return;
    this.#set({ courseTree: { ...this.#slice.courseTree, behind: id } });
    this.#drawBehind(carriedOut);
  }

  /** Runs all branches without chart data in the background. */
  async carryOutAll(): Promise<void> {
    await this.#carryOut(notCarriedOut(this.now()));
  }

  async #carryOut(courses: readonly Course[]): Promise<void> {
    const tree = this.now();
    const runs = courses.map((course): CourseRun => {
      const spec = specToItsEnd(course, tree);
      if (spec === null) throw refused('duration_s', 'none', 'a duration: no branch of this run has run yet');
      return { id: course.id, name: course.name, spec };
    });
    if (runs.length === 0 || this.#carryingOut !== null) return;
    const { manifest } = this.#store.getState().scenario;
    const series = this.#session.beside.series(runs.length);
    const port = { ...series, nowMs: () => performance.now() };
    const batch = carryOutBatch(runs, port, manifest, (carryOut, { seen, failed }) => {
      if (this.#carryingOut !== batch) return;
      const courseTree = withSeen(this.#slice.courseTree, seen);
      this.#set({ courseTree, carryOut, notCarriedOut: failed });
    });
    this.#carryingOut = batch;
    await batch.run();
    await series.stop();
    if (this.#carryingOut !== batch) return;
    this.#carryingOut = null;
    this.#set({ carryOut: null });
    const behind = courseOf(this.#slice.courseTree, this.#slice.courseTree.behind);
    if (behind !== null && runs.some(({ id }) => id === behind.id)) this.#drawBehind(behind);
  }

  /** Finished branches remain. */
  async stopCarryingOut(): Promise<void> {
    await this.#carryingOut?.cancel();
  }

  #drawBehind({ seen, name }: Course): void {
    if (seen !== null) this.#session.showBehind({ ...seen, kind: 'other_course', course: name });
  }

  /** Returns where two branches diverge and what differs afterwards, for this number of seeds. */
  async compare(a: number, b: number, seeds = 1): Promise<CourseDiff> {
    const specs = specsToCompare(this.#known(a), this.#known(b));
    if (specs === null) throw refused('course', b, 'branches of which one has run or has a duration');
    const faults = comparisonFaults(specs[0], seeds);
    if (faults.length > 0) throw new CommandRefused(faults);
    this.stopComparing();
    const pairs = this.#session.beside.pairs(seeds);
    this.#pairs = pairs;
    const isCurrent = () => this.#pairs === pairs;
    let comparison: Comparison = { a, b, seeds, progress: nothingDone, diff: null, failed: null };
    const show = (change: Partial<Comparison>) => {
      comparison = { ...comparison, ...change };
      if (isCurrent()) this.#set({ comparison });
    };
    show({});
    try {
      const diff = await diffOfCourses(pairs, specs, seeds, (progress) => {
        show({ progress });
      });
      show({ diff });
      return diff;
    } catch (error) {
      if (!isCurrent()) throw new ComparisonCancelled();
      show({ failed: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      disposeOf(pairs);
    }
  }

  /** Cancels the comparison and removes it from the page. */
  stopComparing(): void {
    disposeOf(this.#pairs);
    this.#pairs = [];
    this.#set({ comparison: null });
  }

  forget(): void {
    this.stopComparing();
    void this.stopCarryingOut();
    this.#carryingOut = null;
    this.#set(noForks);
  }

  #known(id: number): Course {
    const tree = this.now();
    const course = courseOf(tree, id);
    const ids = tree.courses.map((each) => each.id);
    if (course === null)
      throw refused('course', id, ids.length === 0 ? 'none: this run has one branch' : ids.join(', '));
    return course;
  }
}

const nothingDone = { seedsDone: 0, pass: 1 };

function disposeOf(pairs: readonly EnginePair[]): void {
  for (const engine of pairs.flat()) engine.dispose();
}

const refused = (field: string, value: unknown, allowed: string) =>
  new CommandRefused([{ field, value: describeValue(value), allowed }]);
