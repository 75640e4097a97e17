// Stores a branch when the reader goes back and changes something. Shows, draws and compares
// branches.
import type { Field } from '../../contract/draft';
import type { Fault } from '../../contract/fault';
import type { Manifest } from '../../contract/manifest';
import type { RunSpec } from '../../contract/run-spec';
import type { BranchDiff } from '../../contract/going-back';
import { CommandRefused, refusedField } from '../../engine-client/command-refused';
import { Batch, faultOfRun, type BatchPort } from '../../session/batch';
import { diffOfBranches, type EnginePair } from '../../session/branch-diff';
import type { PreviousRun } from '../../session/previous-run';
import { previousRunOfResult } from '../../session/opened-result';
import { integerFaults, seedFaults, seedsRange } from '../../session/series-settings';
import type { Session } from '../../session/session';
import {
  branchOf,
  notCarriedOut,
  renamed,
  specsToCompare,
  specToItsEnd,
  whenBegun,
  withFork,
  withSeen,
  withShown,
  type Branch,
  type BranchTree,
  isBranchName,
  NAME_IN_WORDS,
} from './branch-tree';
import {
  noForks,
  type BranchRun,
  type CarryOutProgress,
  type Comparison,
  type ForksSlice,
} from './forks-state';
import type { ExplorerState } from '../../session/store';

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
  #carryingOut: Batch<BranchRun, Kept> | null = null;

  constructor(session: Session) {
    this.#session = session;
    this.#store = session.store;
    session.shownRun.forked.subscribe((fork) => {
      const branchTree = withFork(this.#slice.branchTree, fork, this.#store.getState().scenario.manifest);
      const left = branchTree.branches.find(({ seen }) => seen === fork.left.seen)!;
      this.#set({ branchTree });
      this.#drawBehind(left);
    });
    this.#store.subscribe(({ spec, forks: { branchTree } }, before) => {
      const isTreeGone = branchTree.branches.length === 0 && before.forks.branchTree.branches.length > 0;
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
    const { branchTree } = this.#slice;
    if (branchTree.branches.length === 0) return;
    const tree = whenBegun(branchTree, spec);
    this.#set({ branchTree: tree });
    const behind = branchOf(tree, tree.behind);
    if (behind !== null) this.#drawBehind(behind);
  }

  openLink(said: object): void {
    const { branchTree } = said as { branchTree?: BranchTree };
    if (branchTree === undefined) return;
    this.forget();
    this.#set({ branchTree });
  }

  /** Returns all branches, with the shown one in its present state. */
  now(): BranchTree {
    const { branchTree } = this.#slice;
    return branchTree.current === null
      ? branchTree
      : withShown(branchTree, this.#session.shownRun.courseShown());
  }

  rename(id: number, name: string): void {
    this.#known(id);
    if (!isBranchName(name)) throw refusedField('name', name, NAME_IN_WORDS);
    this.#set({ branchTree: renamed(this.#slice.branchTree, id, name.trim()) });
  }

  /**
   * Runs the branch again from its start, after stopping the current run. Settles when it has
   * begun.
   */
  async show(id: number): Promise<void> {
    const { spec } = this.#known(id);
    this.#set({ branchTree: this.now() });
    await this.#session.startRun(spec);
  }

  /** Draws it pale behind the shown branch, and runs it first if necessary. */
  async drawBehind(id: number): Promise<void> {
    const branch = this.#known(id);
    if (branch.seen === null) await this.#carryOut([branch]);
    const carriedOut = branchOf(this.#slice.branchTree, id);
    if (carriedOut?.seen == null) return;
    this.#set({ branchTree: { ...this.#slice.branchTree, behind: id } });
    this.#drawBehind(carriedOut);
  }

  /** Runs all branches without chart data in the background. */
  async carryOutAll(): Promise<void> {
    await this.#carryOut(notCarriedOut(this.now()));
  }

  async #carryOut(branches: readonly Branch[]): Promise<void> {
    const tree = this.now();
    const runs = branches.map((branch): BranchRun => {
      const spec = specToItsEnd(branch, tree);
      if (spec === null)
        throw refusedField('duration_s', 'none', 'a duration: no branch of this run has run yet');
      return { id: branch.id, name: branch.name, spec };
    });
    if (runs.length === 0 || this.#carryingOut !== null) return;
    const { manifest } = this.#store.getState().scenario;
    const series = this.#session.extraEngines.series(runs.length);
    const port = { ...series, nowMs: () => performance.now() };
    const batch = carryOutBatch(runs, port, manifest, (carryOut, { seen, failed }) => {
      if (this.#carryingOut !== batch) return;
      const branchTree = withSeen(this.#slice.branchTree, seen);
      this.#set({ branchTree, replay: carryOut, notReplayed: failed });
    });
    this.#carryingOut = batch;
    await batch.run();
    await series.stop();
    if (this.#carryingOut !== batch) return;
    this.#carryingOut = null;
    this.#set({ replay: null });
    const behind = branchOf(this.#slice.branchTree, this.#slice.branchTree.behind);
    if (behind !== null && runs.some(({ id }) => id === behind.id)) this.#drawBehind(behind);
  }

  /** Finished branches remain. */
  async stopCarryingOut(): Promise<void> {
    await this.#carryingOut?.cancel();
  }

  #drawBehind({ seen, name }: Branch): void {
    if (seen !== null) this.#session.shownRun.showBehind({ ...seen, kind: 'other_course', branch: name });
  }

  /** Returns where two branches diverge and what differs afterwards, for this number of seeds. */
  async compare(a: number, b: number, seeds = 1): Promise<BranchDiff> {
    const specs = specsToCompare(this.#known(a), this.#known(b));
    if (specs === null) throw refusedField('course', b, 'branches of which one has run or has a duration');
    const faults = comparisonFaults(specs[0], seeds);
    if (faults.length > 0) throw new CommandRefused(faults);
    this.stopComparing();
    const pairs = this.#session.extraEngines.pairs(seeds);
    this.#pairs = pairs;
    const isCurrent = () => this.#pairs === pairs;
    let comparison: Comparison = { a, b, seeds, progress: nothingDone, diff: null, failed: null };
    const show = (change: Partial<Comparison>) => {
      comparison = { ...comparison, ...change };
      if (isCurrent()) this.#set({ comparison });
    };
    show({});
    try {
      const diff = await diffOfBranches(pairs, specs, seeds, (progress) => show({ progress }));
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

  #known(id: number): Branch {
    const tree = this.now();
    const branch = branchOf(tree, id);
    const ids = tree.branches.map((each) => each.id);
    if (branch === null)
      throw refusedField('course', id, ids.length === 0 ? 'none: this run has one branch' : ids.join(', '));
    return branch;
  }
}

const nothingDone = { seedsDone: 0, pass: 1 };

function disposeOf(pairs: readonly EnginePair[]): void {
  for (const engine of pairs.flat()) engine.dispose();
}

/** Returns faults unless both branches can run with this number of seeds. */
export function comparisonFaults(spec: RunSpec, seeds: Field): Fault[] {
  const faults = integerFaults('seeds', seeds, seedsRange);
  return faults.length > 0 ? faults : seedFaults(spec, seeds, 'seeds');
}

interface Kept {
  seen: PreviousRun;
}

interface CarriedOut {
  /** Chart data of each branch, by id. */
  seen: ReadonlyMap<number, PreviousRun>;
  /** A description of each branch that failed. */
  failed: readonly string[];
}

/** Runs branches in the background, so that the charts can draw them. */
function carryOutBatch(
  runs: readonly BranchRun[],
  port: BatchPort,
  manifest: Manifest,
  onProgress: (progress: CarryOutProgress, carriedOut: CarriedOut) => void,
): Batch<BranchRun, Kept> {
  return new Batch<BranchRun, Kept>(
    {
      runs,
      kindOf: () => null,
      judge: ({ spec }, report) => {
        const reason = faultOfRun(spec, report);
        if (reason !== null) return { ok: false, reason };
        return { ok: true, seen: previousRunOfResult(report.result, manifest, 'other_course') };
      },
    },
    port,
    (progress, finished) =>
      onProgress(progress, {
        seen: new Map(finished.flatMap(({ id, outcome }) => (outcome.ok ? [[id, outcome.seen]] : []))),
        failed: finished.flatMap(({ name, outcome }) => (outcome.ok ? [] : [`“${name}”: ${outcome.reason}`])),
      }),
  );
}
