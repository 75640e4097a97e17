import { expect, test } from 'vitest';

import { all_scenarios } from '../../contract/all-scenarios';
import { defaultRunSpec, type RunSpec, type TimedAction } from '../../contract/run-spec';
import { machine } from '../../contract/test-fixtures';
import type { PreviousRun } from '../../session/previous-run';
import type { SeenBranch } from '../../session/shown-run';
import {
  branchOf,
  inOrder,
  notCarriedOut,
  noBranches,
  renamed,
  specsToCompare,
  specToItsEnd,
  whenBegun,
  withFork,
  withSeen,
  withShown,
  type BranchTree,
} from './branch-tree';

const { manifest } = all_scenarios[0]!;
const base: RunSpec = { ...defaultRunSpec(manifest, machine, 'virtual'), duration_s: 0.1 };
const flip = (atS: number): TimedAction => ({ at_s: atS, knob: 'tablespace_lookup', variant: 'atomic_word' });
const fire = (atS: number): TimedAction => ({ at_s: atS, action: 'one_table' });
const specWith = (...actions: TimedAction[]): RunSpec => ({ ...base, actions });
const seenTo = (endS: number) => ({ history: { endS } }) as PreviousRun;
const branch = (endS: number, ...actions: TimedAction[]): SeenBranch => ({
  spec: specWith(...actions),
  seen: seenTo(endS),
});

/**
 * The first branch was left at 20 ms by changing a knob, and the second at 60 ms by an action. Then
 * the reader changed the run at 10 ms, before both.
 */
function grown(): BranchTree {
  const first = withFork(noBranches, { left: branch(0.1), taken: specWith(flip(0.02)), atS: 0.02 }, manifest);
  const left = branch(0.08, flip(0.02));
  const second = withFork(first, { left, taken: specWith(flip(0.02), fire(0.06)), atS: 0.06 }, manifest);
  const again = branch(0.07, flip(0.02), fire(0.06));
  return withFork(second, { left: again, taken: specWith(fire(0.01)), atS: 0.01 }, manifest);
}

test('each change at an earlier time makes a branch; the branch that it leaves stays as long as it ran', () => {
  const tree = grown();
  expect(tree.current).toBe(4);
  expect(tree.branches.map(({ id, parent, atS, name }) => [id, parent, atS, name])).toEqual([
    [1, null, 0, 'first branch'],
    [2, 1, 0.02, 'One atomic word per tablespace at 20.00 ms'],
    [3, 2, 0.06, 'Read one table only at 60.00 ms'],
    [4, 1, 0.01, 'Read one table only at 10.00 ms'],
  ]);
  expect(tree.branches.map(({ seen }) => seen?.history.endS)).toEqual([0.1, 0.08, 0.07, undefined]);
});

test('a branch with a what-if is named after it, in at most as many characters as a name has', () => {
  const latches = ['fil_system->mutex', 'buf_pool->mutex'].map((latch) => ({
    ...{ latch, hand_over: 'free' as const, section_percent: 20 },
  }));
  const taken = { ...base, what_if: { latches, from_s: 0.02 } };
  const { branches } = withFork(noBranches, { left: branch(0.1), taken, atS: 0.02 }, manifest);
  expect(branches[1]!.name).toBe('fil_system->mutex: critical section 20 %, hand-… at 20.00 ms');
  expect(branches[1]!.name).toHaveLength(60);
});

test('the tree is told from above, each below the one that it left', () => {
  expect(inOrder(grown()).map(({ branch: { id }, depth }) => [id, depth])).toEqual([
    [1, 0],
    [4, 1],
    [2, 1],
    [3, 2],
  ]);
});

test('the shown branch has the actions since it began', () => {
  const tree = withShown(grown(), branch(0.09, fire(0.01), flip(0.05)));
  expect(branchOf(tree, 4)!.spec.actions).toEqual([fire(0.01), flip(0.05)]);
  expect(branchOf(tree, 3)!.spec.actions).toEqual([flip(0.02), fire(0.06)]);
});

test('a run that equals a branch shows that branch; any other run has no tree', () => {
  expect(whenBegun(grown(), specWith(flip(0.02))).current).toBe(2);
  expect(whenBegun(grown(), { ...specWith(flip(0.02)), seed: 9 })).toBe(noBranches);
});

test('what the charts draw behind stays behind, until it is shown itself', () => {
  const tree = grown();
  expect(tree.behind).toBe(3);
  expect(whenBegun(tree, specWith(flip(0.02)))).toMatchObject({ current: 2, behind: 3 });
  expect(whenBegun(tree, specWith(flip(0.02), fire(0.06)))).toMatchObject({ current: 3, behind: null });
});

test('branches that have not run come parents first, without the shown one', () => {
  const tree = grown();
  const unseen = { ...tree, branches: tree.branches.map((each) => ({ ...each, seen: null })) };
  expect(notCarriedOut({ ...unseen, current: 1 }).map(({ id }) => id)).toEqual([4, 2, 3]);
  const carriedOut = withSeen(unseen, new Map([[2, seenTo(0.05)]]));
  expect(notCarriedOut({ ...carriedOut, current: null }).map(({ id }) => id)).toEqual([1, 4, 3]);
});

test('without a duration, a branch runs as long as the longest one', () => {
  const tree = grown();
  const endless = { ...tree.branches[3]!, spec: { ...specWith(fire(0.01), flip(0.5)), duration_s: null } };
  expect(specToItsEnd(endless, tree)).toMatchObject({ duration_s: 0.1, actions: [fire(0.01)] });
  expect(specToItsEnd(endless, { ...tree, branches: [{ ...endless, seen: null }] })).toBeNull();
  expect(specToItsEnd(tree.branches[0]!, tree)).toBe(tree.branches[0]!.spec);
});

test('names are the reader’s', () => {
  expect(branchOf(renamed(grown(), 2, 'with the fix'), 2)!.name).toBe('with the fix');
});

test('branches are compared as long as either ran, with the actions until then', () => {
  const { branches } = grown();
  const [a, b] = specsToCompare(branches[1]!, branches[2]!)!;
  expect([a.duration_s, b.duration_s]).toEqual([0.08, 0.08]);
  expect(b.actions).toEqual([flip(0.02), fire(0.06)]);
  const endless = { ...branches[0]!, seen: null, spec: { ...base, duration_s: null } };
  expect(specsToCompare(endless, endless)).toBeNull();
});
