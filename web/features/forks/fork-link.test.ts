import { expect, test } from 'vitest';

import { formatLink, parseLink } from '../../session/link';
import { lastVariant, machine, scenarios } from '../../contract/test-fixtures';
import { defaultRunSpec, type RunSpec } from '../../contract/run-spec';
import { noBranches, type Branch, type BranchTree } from './branch-tree';
import { branchPairs } from './fork-link';
import { forksFeature } from './index';

const [{ manifest }] = scenarios as [(typeof scenarios)[number]];
const knob = manifest.knobs[0]!;
const base: RunSpec = { ...defaultRunSpec(manifest, machine, 'virtual'), duration_s: 0.1 };
const change = { at_s: 0.02, knob: knob.id, variant: lastVariant(knob).id };
const branch = (rest: Partial<Branch>): Branch => ({
  ...{ id: 1, name: 'first branch', parent: null, atS: 0, spec: base, seen: null },
  ...rest,
});
const tree: BranchTree = {
  branches: [
    branch({}),
    branch({
      id: 5,
      name: 'a; b & c = 100 % +',
      parent: 1,
      atS: 0.02,
      spec: { ...base, actions: [change] },
    }),
  ],
  current: 5,
  behind: 1,
};

const linkOf = (others: readonly (readonly [string, string])[], spec = tree.branches[1]!.spec) =>
  formatLink(spec, 'explorer', { besideTheRun: [], others: others as [string, string][] });
const open = (link: string) => parseLink(link, scenarios, machine, [forksFeature.link!]);

test('a link lists all branches, numbered from 1, and the branch of the run', () => {
  const opened = open(linkOf(branchPairs(tree)));
  expect(opened).toMatchObject({ ok: true });
  const { branchTree } = (opened as { value: { ofFeatures: { branchTree: BranchTree } } }).value.ofFeatures;
  expect(branchTree.branches).toEqual([
    tree.branches[0],
    {
      ...tree.branches[1],
      id: 2,
      parent: 1,
      spec: expect.objectContaining({ actions: [change] }) as unknown,
    },
  ]);
  expect(branchTree).toMatchObject({ current: 2, behind: 1 });
});

const treeOf = (opened: unknown) =>
  (opened as { value: { ofFeatures: { branchTree: BranchTree } } }).value.ofFeatures.branchTree;
const whatIf = {
  costs: { pause_ps: 50 },
  latches: [{ latch: 'fil_system->mutex', section_percent: 80 }],
  from_s: 0.02,
};

test('a branch has its own what-if, or none', () => {
  const supposing = branch({
    id: 2,
    parent: 1,
    atS: 0.02,
    name: 'PAUSE 50 %',
    spec: { ...base, what_if: whatIf },
  });
  const link = linkOf(
    branchPairs({ branches: [branch({}), supposing], current: 2, behind: null }),
    supposing.spec,
  );
  const { branches, current } = treeOf(open(link));
  expect(branches.map(({ spec }) => spec.what_if)).toEqual([undefined, whatIf]);
  expect(current).toBe(2);
});

test('without what-ifs of branches, each has that of the run', () => {
  const pairs = branchPairs(tree);
  const { branches } = treeOf(open(linkOf(pairs, { ...base, what_if: whatIf })));
  expect(branches.map(({ spec }) => spec.what_if)).toEqual([whatIf, whatIf]);
});

test.each([
  ['course.3.what_if', 'what_if.costs.pause_ps%3D50', 'a branch in this link: 1 to 2'],
  [
    'course.1.what_if',
    'threads%3D5',
    'what_if.costs.…, what_if.latch, what_if.from_s as in a link, percent-encoded',
  ],
])('%s=%s is refused with what is allowed', (field, value, allowed) => {
  const errors = [{ field, value: decodeURIComponent(value), allowed }];
  expect(open(linkOf([...branchPairs(tree), [field, value]]))).toEqual({ ok: false, errors });
});

test('without branches, a link has no field of a branch', () => {
  expect(branchPairs(noBranches)).toEqual([]);
  expect(open(linkOf([]))).toMatchObject({ value: { ofFeatures: { branchTree: noBranches } } });
});

const design = Object.entries(base.design)
  .map(([id, variant]) => `${id}:${variant}`)
  .join(',');

test.each([
  ['course.1', '0;0;x', 'parent branch;seconds;knob:variant,…;seconds:action,…;name'],
  ['course.1', `1;0;${design};;first`, '0 as the parent branch'],
  ['course.1', `0;x;${design};;first`, 'a number of seconds, 0 or more'],
  ['course.1', `0;0;${design};;`, 'a name: 1 to 60 characters, all of them visible'],
  ['course.2', `0;0;${design};;first`, 'course.1: branches are numbered from 1'],
])('%s=%s is refused with what is allowed', (field, value, allowed) => {
  expect(open(linkOf([[field, value]]))).toEqual({ ok: false, errors: [{ field, value, allowed }] });
});

test('the branch behind the shown run must exist', () => {
  const pairs = branchPairs(tree).map(
    ([field, value]) => [field, field === 'course.behind' ? '3' : value] as const,
  );
  const errors = [{ field: 'course.behind', value: '3', allowed: '1 to 2' }];
  expect(open(linkOf(pairs))).toEqual({ ok: false, errors });
});

test('a branch that is no valid run is refused with the error of the run', () => {
  const refused = open(linkOf([['course.1', `0;0;${design};0.02:nothing;first`]]));
  expect(refused).toMatchObject({ ok: false, errors: [{ field: 'course.1' }] });
  expect((refused as { errors: { allowed: string }[] }).errors[0]!.allowed).toContain('one of ');
});

test('runs on real threads have no branches', () => {
  const onThreads = defaultRunSpec(manifest, machine, 'threads');
  expect(open(linkOf([['course.1', `0;0;${design};;first`]], onThreads))).toMatchObject({
    ok: false,
    errors: [{ field: 'course.1', allowed: 'nothing: only runs on the virtual server have branches' }],
  });
});
