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
import { no_forks, type Comparison, type ForksSlice, type ForksState } from './forks-state';

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
  #carrying_out: CarryOutBatch | null = null;

  constructor(session: Session) {
    this.#session = session;
    this.#store = storeWithSlice<ForksState>(session.store);
    session.onFork((fork) => {
      const course_tree = withFork(this.#slice.course_tree, fork, this.#store.getState().scenario.manifest);
      const left = course_tree.courses.find(({ seen }) => seen === fork.left.seen)!;
      this.#set({ course_tree });
      this.#drawBehind(left);
    });
    this.#store.subscribe(({ spec, forks: { course_tree } }, before) => {
      const is_tree_gone = course_tree.courses.length === 0 && before.forks.course_tree.courses.length > 0;
      if (is_tree_gone) this.forget();
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
    const { course_tree } = this.#slice;
    if (course_tree.courses.length === 0) return;
    const tree = whenBegun(course_tree, spec);
    this.#set({ course_tree: tree });
    const behind = courseOf(tree, tree.behind);
    if (behind !== null) this.#drawBehind(behind);
  }

  openLink(said: object): void {
    const { course_tree } = said as { course_tree?: CourseTree };
    if (course_tree === undefined) return;
    this.forget();
    this.#set({ course_tree });
  }

  /** Returns all branches, with the shown one in its present state. */
  now(): CourseTree {
    const { course_tree } = this.#slice;
    return course_tree.current === null ? course_tree : withShown(course_tree, this.#session.courseShown());
  }

  rename(id: number, name: string): void {
    this.#known(id);
    if (!isCourseName(name)) throw refused('name', name, NAME_IN_WORDS);
    this.#set({ course_tree: renamed(this.#slice.course_tree, id, name.trim()) });
  }

  /**
   * Runs the branch again from its start, after stopping the current run. Settles when it has
   * begun.
   */
  async show(id: number): Promise<void> {
    const { spec } = this.#known(id);
    this.#set({ course_tree: this.now() });
    await this.#session.startRun(spec);
  }

  /** Draws it pale behind the shown branch, and runs it first if necessary. */
  async drawBehind(id: number): Promise<void> {
    const course = this.#known(id);
    if (course.seen === null) await this.#carryOut([course]);
    const carried_out = courseOf(this.#slice.course_tree, id);
    if (carried_out?.seen == null) return;
    this.#set({ course_tree: { ...this.#slice.course_tree, behind: id } });
    this.#drawBehind(carried_out);
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
    if (runs.length === 0 || this.#carrying_out !== null) return;
    const { manifest } = this.#store.getState().scenario;
    const series = this.#session.beside.series(runs.length);
    const port = { ...series, nowMs: () => performance.now() };
    const batch = carryOutBatch(runs, port, manifest, (carry_out, { seen, failed }) => {
      if (this.#carrying_out !== batch) return;
      const course_tree = withSeen(this.#slice.course_tree, seen);
      this.#set({ course_tree, carry_out, not_carried_out: failed });
    });
    this.#carrying_out = batch;
    await batch.run();
    await series.stop();
    if (this.#carrying_out !== batch) return;
    this.#carrying_out = null;
    this.#set({ carry_out: null });
    const behind = courseOf(this.#slice.course_tree, this.#slice.course_tree.behind);
    if (behind !== null && runs.some(({ id }) => id === behind.id)) this.#drawBehind(behind);
  }

  /** Finished branches remain. */
  async stopCarryingOut(): Promise<void> {
    await this.#carrying_out?.cancel();
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
    let comparison: Comparison = { a, b, seeds, progress: nothing_done, diff: null, failed: null };
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
    this.#carrying_out = null;
    this.#set(no_forks);
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

const nothing_done = { seedsDone: 0, pass: 1 };

function disposeOf(pairs: readonly EnginePair[]): void {
  for (const engine of pairs.flat()) engine.dispose();
}

const refused = (field: string, value: unknown, allowed: string) =>
  new CommandRefused([{ field, value: describeValue(value), allowed }]);
