import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import type { BranchDiff } from '../../contract/going-back';
import type { PreviousRun } from '../../session/previous-run';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { BranchesButton } from './branches-button';
import BranchesPanel from './branches-panel';
import { forkCommands } from './fork-commands';
import { Forks } from './forks';
import type { ForksSlice } from './forks-state';
import { forksFeature } from './index';

function panel() {
  const session = sessionForTest({ features: [forksFeature] });
  const forks = new Forks(session);
  session.commands.register(forkCommands(forks, () => undefined));
  const spec = session.store.getState().draftSpec!;
  const seen = { history: { endS: 0.1 } } as PreviousRun;
  const branch = { name: 'first branch', parent: null, atS: 0, spec, seen };
  const change = { at_s: 0.02, action: 'update_k' };
  const show = (slice: Partial<ForksSlice>) => {
    session.store.setState(({ forks: before }) => ({
      forks: { ...before, ...slice },
    }));
  };
  show({
    branchTree: {
      branches: [
        { id: 1, ...branch },
        {
          id: 2,
          ...branch,
          name: 'with a flip',
          parent: 1,
          atS: 0.02,
          spec: { ...spec, actions: [change] },
        },
      ],
      current: 2,
      behind: null,
    },
  });
  const view = (
    <>
      <BranchesButton />
      <BranchesPanel />
    </>
  );
  return { session, forks, show, ...renderView(session, view, { forks }) };
}

const rows = () => within(screen.getByRole('list', { name: 'Branches' })).getAllByRole('listitem');

test('the branches form a tree, with the parent and the time of each', () => {
  panel();
  expect(screen.getByRole('button', { name: '2 branches' })).toBeVisible();
  expect(rows()[0]).toHaveTextContent('from the start; no changes');
  expect(rows()[1]).toHaveTextContent('from “first branch” at 20.00 ms; 1 change · shown');
});

test('a name is changed on leaving its field, and a bad one is not taken', async () => {
  const { forks, user } = panel();
  const field = screen.getByRole('textbox', { name: 'Name of branch “with a flip”' });
  await user.clear(field);
  expect(field).toBeInvalid();
  expect(rows()[1]).toHaveTextContent('A name has 1 to 60 characters, all of them visible.');
  await user.type(field, 'the fix{Enter}');
  expect(forks.now().branches[1]!.name).toBe('the fix');
});

test('a press runs all branches of a tree from a link, with progress and Cancel', async () => {
  const { forks, show, user } = panel();
  expect(screen.queryByRole('button', { name: 'Replay all' })).toBeNull();
  const { branches } = forks.now();
  const unseen = branches.map((branch) => ({ ...branch, seen: null }));
  act(() => show({ branchTree: { branches: unseen, current: 2, behind: 1 } }));
  const carryOutAll = vi.spyOn(forks, 'carryOutAll').mockResolvedValue();
  const drawBehind = vi.spyOn(forks, 'drawBehind').mockResolvedValue();
  await user.click(screen.getByRole('button', { name: 'Replay all' }));
  expect(carryOutAll).toHaveBeenCalledOnce();
  await user.click(screen.getByRole('button', { name: 'Overlay “first branch”' }));
  expect(drawBehind).toHaveBeenCalledWith(1);

  const current = [{ id: 1, name: 'first branch', spec: unseen[0]!.spec }];
  const progress = { done: 0, total: 1, failed: 0, current, remainingS: null, isCancelling: false };
  act(() => show({ replay: progress }));
  expect(screen.getByRole('progressbar', { name: '0 of 1 runs done' })).toBeVisible();
  expect(screen.getByText('Now: “first branch”')).toBeVisible();
  const cancel = vi.spyOn(forks, 'stopCarryingOut').mockResolvedValue();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(cancel).toHaveBeenCalledOnce();
  act(() => show({ replay: null, notReplayed: ['“first branch”: memory ran out'] }));
  expect(screen.getByRole('alert')).toHaveTextContent('Could not replay: “first branch”: memory ran out');
});

test('a comparison of two branches shows where they diverge', async () => {
  const { forks, show, user } = panel();
  const compare = vi.spyOn(forks, 'compare').mockResolvedValue({} as BranchDiff);
  await user.click(screen.getByRole('button', { name: 'Compare branches' }));
  expect(compare).toHaveBeenCalledWith(1, 2, 1);
  const part = () => screen.getByRole('region', { name: 'Branch comparison' });
  const comparison = { a: 1, b: 2, seeds: 1, progress: { seedsDone: 0, pass: 2 }, diff: null, failed: null };
  act(() => show({ comparison }));
  expect(part()).toHaveTextContent('Replaying both, pass 2 …');
  act(() => show({ comparison: { ...comparison, diff } }));
  expect(part()).toHaveTextContent(
    'A and B diverge at event 1,001; the 1,000 events before it are identical.',
  );
  expect(part()).toHaveTextContent('at 20.00 ms: coordinator wakes by its timer');
  expect(part()).toHaveTextContent('No server thread diverges in the next 4,000 events.');
  expect(within(part()).getByRole('row', { name: 'LOCK_log: waits 10 25 2.5×' })).toBeVisible();
  act(() => show({ comparison: { ...comparison, failed: 'memory ran out' } }));
  expect(part()).toHaveTextContent('The branches could not be compared: memory ran out');
});

test('a comparison with several seeds shows progress and Cancel, then intervals', async () => {
  const { forks, show, user } = panel();
  const compare = vi.spyOn(forks, 'compare').mockResolvedValue({} as BranchDiff);
  const field = screen.getByRole('spinbutton', { name: 'Seeds' });
  await user.clear(field);
  await user.type(field, '31');
  expect(field).toBeInvalid();
  expect(screen.getByRole('button', { name: 'Compare branches' })).toHaveAttribute('aria-disabled', 'true');
  await user.click(screen.getByRole('button', { name: 'Compare branches' }));
  expect(compare).not.toHaveBeenCalled();
  await user.clear(field);
  await user.type(field, '5');
  await user.click(screen.getByRole('button', { name: 'Compare branches' }));
  expect(compare).toHaveBeenCalledWith(1, 2, 5);

  const part = () => screen.getByRole('region', { name: 'Branch comparison' });
  const progress = { seedsDone: 2, pass: 1 };
  const comparison = { a: 1, b: 2, seeds: 5, progress, diff: null, failed: null };
  act(() => show({ comparison }));
  expect(part()).toHaveTextContent('Replaying both with 5 seeds: 2 done …');
  expect(within(part()).getByRole('progressbar', { name: '2 of 5 seeds done' })).toBeVisible();
  const tps = {
    a: { mean: 100, low: 90, high: 110 },
    b: { mean: 200, low: 180, high: 220 },
    ratio: { mean: 2, low: 1.9, high: 2.1 },
  };
  act(() =>
    show({ comparison: { ...comparison, diff: { ...diff, seeds: 5, since: { ...diff.since, tps } } } }),
  );
  expect(
    within(part()).getByRole('row', {
      name: 'Transactions per second 100 (90 to 110) 200 (180 to 220) 2.000 (1.900 to 2.100)',
    }),
  ).toBeVisible();
  expect(part()).toHaveTextContent('with the first seed. Means over 5 seeds');
  expect(within(part()).queryByRole('button', { name: 'Cancel' })).toBeNull();
});

const same = (a: number, b: number) => ({ a: { mean: a }, b: { mean: b }, ratio: { mean: b / a } });
const coordinator = { event: 1_001, run_ns: 20_000_000, thread: 'coordinator', kind: 'timer' } as const;
const diff = {
  version: 1,
  ...{ a: {}, b: {}, seeds: 1 },
  parts: [
    {
      event: 1_001,
      ...{ a: null, b: coordinator, on_server: null, noted_until: 5_001, from_s: 0.019 },
    },
  ],
  since: {
    ...{ tps: same(100, 200), mean_ms: same(1, 1), p99_ms: same(1, 1) },
    latches: {
      LOCK_log: {
        ...{ acquisitions: same(10, 20), contended: same(1, 1), waits: same(10, 25) },
        ...{ wait_ns: same(1, 1), cost_ns: same(1, 1) },
      },
    },
  },
} as unknown as BranchDiff;
