// The courses of a run: kept when the reader goes back and changes something, shown again, drawn behind each other, compared.
import { describeValue } from '../../contract/versions';
import type { CourseDiff } from '../../contract/going-back';
import { CommandRefused } from '../../engine-client/command-refused';
import { diffOfCourses, type EnginePair } from '../../session/course-diff';
import { storeWithSlice } from '../../session/feature';
import type { Session } from '../../session/session';
import type { ExplorerState } from '../../session/store';
import {
  courseOf,
  renamed,
  specsToCompare,
  whenBegun,
  withFork,
  withShown,
  type Course,
  type CourseTree,
} from './course-tree';
import { comparisonFaults } from './comparison-seeds';
import { isCourseName, NAME_IN_WORDS } from './course-name';
import { no_forks, type Comparison, type ForksSlice, type ForksState } from './forks-state';

/** Nobody waits for it any more. */
export class ComparisonCancelled extends CommandRefused {
  constructor() {
    super(
      [{ field: 'comparison', value: 'cancelled', allowed: 'one that nobody cancels' }],
      'The comparison was cancelled.',
    );
  }
}

export class Forks {
  readonly #session: Session;
  readonly #store;
  /** Of the comparison that is shown. */
  #pairs: readonly EnginePair[] = [];

  constructor(session: Session) {
    this.#session = session;
    this.#store = storeWithSlice<ForksState>(session.store);
    session.onFork((fork) => {
      const course_tree = withFork(this.#slice.course_tree, fork, this.#store.getState().scenario.manifest);
      const left = course_tree.courses.find(({ seen }) => seen === fork.left.seen)!;
      this.#set({ course_tree });
      this.#drawBehind(left);
    });
    this.#store.subscribe(({ spec }, before) => {
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
    if (tree.courses.length > 0) this.#set({ course_tree: tree });
    else this.forget();
  }

  openLink(said: object): void {
    const { course_tree } = said as { course_tree?: CourseTree };
    if (course_tree !== undefined) this.#set({ ...no_forks, course_tree });
  }

  /** All of them, the one that is shown as it is by now. */
  now(): CourseTree {
    const { course_tree } = this.#slice;
    return course_tree.current === null ? course_tree : withShown(course_tree, this.#session.courseShown());
  }

  rename(id: number, name: string): void {
    this.#known(id);
    if (!isCourseName(name)) throw refused('name', name, NAME_IN_WORDS);
    this.#set({ course_tree: renamed(this.#slice.course_tree, id, name.trim()) });
  }

  /** Carries the course out once more, from its start; the run that is shown is stopped first. Settles when it has begun. */
  async show(id: number): Promise<void> {
    const { spec } = this.#known(id);
    this.#set({ course_tree: this.now() });
    await this.#session.startRun(spec);
  }

  /** Draws it pale behind the course that is shown. */
  drawBehind(id: number): void {
    const course = this.#known(id);
    if (course.seen === null) throw refused('course', id, 'one that was carried out in this page');
    this.#drawBehind(course);
  }

  #drawBehind({ seen, name }: Course): void {
    if (seen !== null) this.#session.showBehind({ ...seen, kind: 'other_course', course: name });
  }

  /** Where two courses part, and what differs since, with so many seeds. */
  async compare(a: number, b: number, seeds = 1): Promise<CourseDiff> {
    const specs = specsToCompare(this.#known(a), this.#known(b));
    if (specs === null) throw refused('course', b, 'courses of which one was carried out, or has a duration');
    const faults = comparisonFaults(specs[0], seeds);
    if (faults.length > 0) throw new CommandRefused(faults);
    this.stopComparing();
    const pairs = this.#session.enginePairsBeside(seeds);
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

  /** Nothing is compared any more, nor shown of it. */
  stopComparing(): void {
    disposeOf(this.#pairs);
    this.#pairs = [];
    this.#set({ comparison: null });
  }

  forget(): void {
    this.stopComparing();
    this.#set(no_forks);
  }

  #known(id: number): Course {
    const tree = this.now();
    const course = courseOf(tree, id);
    const ids = tree.courses.map((each) => each.id);
    if (course === null)
      throw refused('course', id, ids.length === 0 ? 'none: this run has one course' : ids.join(', '));
    return course;
  }
}

const nothing_done = { seeds_done: 0, pass: 1 };

function disposeOf(pairs: readonly EnginePair[]): void {
  for (const engine of pairs.flat()) engine.dispose();
}

const refused = (field: string, value: unknown, allowed: string) =>
  new CommandRefused([{ field, value: describeValue(value), allowed }]);
