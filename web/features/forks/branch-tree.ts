// Represents the branches of a run that a reader has tried. Each except the first left another one
// at some moment, with a change.
import { formatVirtualTime } from '../../analysis/format';
import type { Manifest } from '../../contract/manifest';
import { isVisible } from '../../contract/fault';
import type { RunSpec } from '../../contract/run-spec';
import type { PreviousRun } from '../../session/previous-run';
import { isSameRun } from '../../session/baseline-run';
import type { Fork, SeenBranch } from '../../session/shown-run';
import { timedActionTitle } from '../../session/timed-actions';
import { changesInWords } from '../../session/what-if-words';

const NAME_CHARACTERS_MAX = 60;
export const NAME_IN_WORDS = `1 to ${NAME_CHARACTERS_MAX} characters, all of them visible`;

/** Returns a name with this end; shortens the beginning if it is too long. */
function branchName(beginning: string, end: string): string {
  const room = NAME_CHARACTERS_MAX - end.length;
  return `${beginning.length <= room ? beginning : `${beginning.slice(0, room - 1)}…`}${end}`;
}

export const isBranchName = (name: string) =>
  name.trim() !== '' && name.length <= NAME_CHARACTERS_MAX && isVisible(name);

export interface Branch {
  id: number;
  name: string;
  /** The branch that it left; null for the first one. */
  parent: number | null;
  /** Run time at which it left that branch, in seconds; 0 for the first one. */
  atS: number;
  /** Includes all interactive changes, so it repeats every event of this branch. */
  spec: RunSpec;
  /** Chart data of the branch; null until it has run in this page. */
  seen: PreviousRun | null;
}

export interface BranchTree {
  branches: readonly Branch[];
  /** The shown branch; null if it is none of them. */
  current: number | null;
  /** The branch that the reader wants behind it in the charts; it may have to run first. */
  behind: number | null;
}

export const noBranches: BranchTree = { branches: [], current: null, behind: null };
export const FIRST_NAME = 'first branch';

export const branchOf = ({ branches }: BranchTree, id: number | null): Branch | null =>
  branches.find((branch) => branch.id === id) ?? null;

/** Updates the shown branch, which continues to change, to its present state. */
export function withShown(tree: BranchTree, shown: SeenBranch | null): BranchTree {
  if (shown === null) return tree;
  const branches = tree.branches.map((branch) =>
    branch.id === tree.current ? { ...branch, ...shown } : branch,
  );
  return { ...tree, branches };
}

export function withFork(tree: BranchTree, { left, taken, atS }: Fork, manifest: Manifest): BranchTree {
  const known = tree.current === null ? firstBranch(left) : withShown(tree, left);
  const id = Math.max(...known.branches.map((branch) => branch.id)) + 1;
  const name = nameOf(taken, atS, manifest);
  const branch: Branch = { id, name, parent: parentAt(known, atS), atS, spec: taken, seen: null };
  return { branches: [...known.branches, branch], current: id, behind: known.current };
}

const firstBranch = (left: SeenBranch): BranchTree => ({
  branches: [{ id: 1, name: FIRST_NAME, parent: null, atS: 0, ...left }],
  current: 1,
  behind: null,
});

/**
 * Returns the branch that contains the moment `at_s`: the current one, or an ancestor that began
 * earlier.
 */
function parentAt(tree: BranchTree, atS: number): number | null {
  let branch = branchOf(tree, tree.current)!;
  while (branch.parent !== null && branch.atS >= atS) branch = branchOf(tree, branch.parent)!;
  return branch.id;
}

function nameOf({ actions, what_if }: RunSpec, atS: number, manifest: Manifest): string {
  const change = actions.find((action) => action.at_s === atS);
  const supposed = what_if?.from_s === atS ? changesInWords(what_if) : null;
  const title = change === undefined ? supposed : timedActionTitle(change, manifest);
  const at = formatVirtualTime(atS);
  return title === null ? `from ${at}` : branchName(title, ` at ${at}`);
}

/** Updates the tree for a run that has begun: one of the branches, or another run. */
export function whenBegun(tree: BranchTree, spec: RunSpec): BranchTree {
  const branch = tree.branches.find((each) => isSameRun(each.spec, spec));
  if (branch === undefined) return noBranches;
  return { ...tree, current: branch.id, behind: tree.behind === branch.id ? null : tree.behind };
}

/** Adds the chart data of branches that have run in the background, by id. */
export function withSeen(tree: BranchTree, seen: ReadonlyMap<number, PreviousRun>): BranchTree {
  const branches = tree.branches.map((branch) => ({ ...branch, seen: seen.get(branch.id) ?? branch.seen }));
  return { ...tree, branches };
}

/**
 * Returns the branches without chart data, parents first. Excludes the shown branch, which runs
 * like any run.
 */
export const notCarriedOut = (tree: BranchTree): Branch[] =>
  inOrder(tree).flatMap(({ branch }) => (branch.seen === null && branch.id !== tree.current ? [branch] : []));

/** Limits a spec without a duration to the furthest end of any branch; null if that is unknown. */
export function specToItsEnd({ spec }: Branch, { branches }: BranchTree): RunSpec | null {
  if (spec.duration_s !== null) return spec;
  const toS = Math.max(0, ...branches.map(({ seen }) => seen?.history.endS ?? 0));
  return toS === 0 ? null : specTo(spec, toS);
}

export function renamed(tree: BranchTree, id: number, name: string): BranchTree {
  const branches = tree.branches.map((branch) => (branch.id === id ? { ...branch, name } : branch));
  return { ...tree, branches };
}

export interface BranchInTree {
  branch: Branch;
  depth: number;
}

/** Returns each branch followed by the branches that left it, sorted by time. */
export function inOrder({ branches }: BranchTree): BranchInTree[] {
  const below = (parent: number | null, depth: number): BranchInTree[] =>
    branches
      .filter((branch) => branch.parent === parent)
      .sort((a, b) => a.atS - b.atS || a.id - b.id)
      .flatMap((branch) => [{ branch, depth }, ...below(branch.id, depth + 1)]);
  return below(null, 0);
}

/**
 * Runs both to the same moment, the furthest of either, so that the diff covers all known parts.
 */
export function specsToCompare(a: Branch, b: Branch): [RunSpec, RunSpec] | null {
  const ends = [a, b].flatMap(({ spec, seen }) => seen?.history.endS ?? spec.duration_s ?? []);
  if (ends.length === 0) return null;
  const planned = [a, b].map(({ spec }) => spec.duration_s ?? Number.POSITIVE_INFINITY);
  const toS = Math.min(Math.max(...ends), ...planned);
  return [specTo(a.spec, toS), specTo(b.spec, toS)];
}

const specTo = (spec: RunSpec, toS: number): RunSpec => ({
  ...spec,
  duration_s: Math.round(toS * 1e9) / 1e9,
  actions: spec.actions.filter(({ at_s }) => at_s < toS),
});
