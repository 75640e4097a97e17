// Tests branches of a run with the page's own engine: an abandoned branch is stored, returns byte
// for byte, and can be compared.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';

import { waitUntil } from '../contract/test-fixtures/wait-for-state';
import { all_scenarios } from '../contract/all-scenarios';
import { course_diff_schema } from '../contract/going-back';
import { defaultRunSpec, type RunSpec } from '../contract/run-spec';
import { schemaFaults } from '../contract/schema-faults';
import { small_server } from '../contract/small-server-fixtures';
import { machine } from '../contract/test-fixtures';
import { framesAsTasks } from '../engine-client/test-fixtures/frames-as-tasks';
import { specsToCompare } from '../features/forks/branch-tree';
import { forkCommands } from '../features/forks/fork-commands';
import { Forks } from '../features/forks/forks';
import { forksFeature } from '../features/forks';
import type { Session } from '../session/session';
import type { PreviousRun } from '../session/previous-run';
import { sessionInNode } from '../session/test-fixtures/session-in-node';

framesAsTasks();

const { manifest } = all_scenarios[0]!;
const defaultSpec = defaultRunSpec(manifest, machine, 'virtual');
const spec: RunSpec = {
  ...defaultSpec,
  parameters: { ...defaultSpec.parameters, ...small_server[manifest.id] },
  threads: 8,
  duration_s: 0.02,
  interval_s: 0.005,
};

async function withForks() {
  const session = sessionInNode({ features: [forksFeature] });
  const forks = new Forks(session);
  session.commands.register(forkCommands(forks, () => undefined));
  await session.openPlatform('virtual');
  return { session, forks };
}

async function forked() {
  const { session, forks } = await withForks();
  const first = await session.run(spec);
  await session.goTo({ run_ns: 10_000_000 });
  await session.setKnob('tablespace_lookup', 'atomic_word');
  const second = await toTheEnd(session);
  return { session, forks, first, second };
}

/**
 * Shared by all tests except the link's, which opens another tree. The last test starts another
 * run.
 */
let shared: Awaited<ReturnType<typeof forked>>;
beforeAll(async () => (shared = await forked()), 120_000);

async function toTheEnd(session: Session): Promise<unknown> {
  await session.resume();
  await untilFinished(session);
  return session.store.getState().result;
}

async function untilFinished({ store }: Session): Promise<void> {
  await waitUntil(() => store.getState().run_state === 'finished' && store.getState().result !== null);
}

test('both branches are stored, and each repeats to the byte', async () => {
  const { session, forks, first, second } = shared;
  const { branches, current } = forks.now();
  expect(branches.map(({ id, parent, spec: { actions } }) => [id, parent, actions.length])).toEqual([
    [1, null, 0],
    [2, 1, 1],
  ]);
  expect(current).toBe(2);
  expect(branches[1]!.spec.actions[0]!.at_s).toBe(0.010000001);
  expect(branches[0]!.seen!.history.endS).toBe(0.02);
  for (const [id, result] of [
    [1, first],
    [2, second],
  ] as const) {
    await session.commands.perform(`forks.show.${id}`);
    await untilFinished(session);
    expect(session.store.getState().result).toEqual(result);
    expect(forks.now().current).toBe(id);
  }
});

test('a what-if may begin at a moment: until then the run is as it was, and going back over it gives the same bytes', async () => {
  const session = sessionInNode();
  await session.openPlatform('virtual');
  const asItIs = await session.run(spec);
  const whatIf = { latches: [{ latch: 'fil_system->mutex', section_percent: 0 }], from_s: 0.012 };
  const supposed = await session.run({ ...spec, what_if: whatIf });
  expect(supposed.intervals.slice(0, 2)).toEqual(asItIs.intervals.slice(0, 2));
  expect(supposed.intervals[2]).not.toEqual(asItIs.intervals[2]);
  const { marks, previousRun } = session.store.getState();
  expect(marks.map(({ kind, run_ns }) => [kind, run_ns])).toEqual([['what_if', 12_000_000]]);
  expect(previousRun!.history.endS).toBe(0.02);
  await session.goTo({ run_ns: 5_000_000 });
  expect(await toTheEnd(session)).toEqual(supposed);
});

test('a what-if at an earlier time makes a branch with its name, which repeats to the byte', async () => {
  const { session, forks } = await withForks();
  const first = await session.run(spec);
  await session.goTo({ run_ns: 10_000_000 });
  await session.suppose({ costs: { pause_ps: 50 } });
  await session.resume();
  await untilFinished(session);
  const second = session.store.getState().result!;
  expect(second.spec.what_if).toEqual({ costs: { pause_ps: 50 }, from_s: 0.010000001 });
  expect(second.totals).not.toEqual(first.totals);
  expect(forks.now().branches.map(({ name, atS }) => [name, atS])).toEqual([
    ['first branch', 0],
    ['PAUSE 50 % at 10.00 ms', 0.010000001],
  ]);
  const { draftSpec, previousRun } = session.store.getState();
  expect(draftSpec!.what_if).toEqual(second.spec.what_if);
  expect(previousRun!.history.endS).toBe(0.02);

  // A rewind before its start keeps the what-if. While it applies, there can be no other.
  for (const runNs of [15_000_000, 5_000_000, 12_000_000]) await session.goTo({ run_ns: runNs });
  await expect(session.suppose({ costs: { pause_ps: 60 } })).rejects.toThrow('a what-if already applies');
  expect(await toTheEnd(session)).toEqual(second);

  await session.commands.perform('forks.show.1');
  await untilFinished(session);
  expect(session.store.getState().result).toEqual(first);
  await session.commands.perform('forks.show.2');
  await untilFinished(session);
  expect(session.store.getState().result!.totals).toEqual(second.totals);
});

test('an invalid what-if is refused, and the run does not change', async () => {
  const session = sessionInNode();
  await session.openPlatform('virtual');
  await session.run(spec);
  await session.goTo({ run_ns: 10_000_000 });
  for (const [whatIf, error] of [
    [null, { field: 'what_if' }],
    [
      { costs: { pause_ps: 50 }, from_s: 0.01 },
      { field: 'what_if.from_s', value: '0.01' },
    ],
    [{ latches: [{ latch: 'LOCK_log' }] }, { field: 'what_if.latches[0].latch' }],
  ] as const)
    await expect(session.suppose(whatIf)).rejects.toMatchObject({ errors: [error] });
  expect(session.store.getState()).toMatchObject({ whatIfByHand: null, marks: [], runLock: 'going' });
  await session.stop();
});

test('the branches of a link run beside the shown run, with the same results as in the page', async () => {
  const { session, forks } = await forked();
  const { branches } = forks.now();
  const link = {
    branchTree: { branches: branches.map((each) => ({ ...each, seen: null })), current: 2, behind: 1 },
  };
  forks.openLink(link);
  expect(forks.now().branches.map(({ seen }) => seen === null)).toEqual([true, false]);
  await session.run(branches[1]!.spec);

  await session.commands.perform('forks.behind.1');
  const { previousRun, spec: shown } = session.store.getState();
  expect(shown!.actions).toHaveLength(1);
  expect(previousRun).toMatchObject({ kind: 'other_course', branch: 'first branch' });
  expect(previousRun!.history.endS).toBe(0.02);
  // The page samples a run on screen more finely than the intervals of its result.
  expectSamePhases(previousRun!, branches[0]!.seen!);

  forks.openLink({ ...link, branchTree: { ...link.branchTree, current: null } });
  await session.commands.perform('forks.carry_out');
  const carriedOut = forks.now().branches.map(({ seen }) => seen!);
  expect(carriedOut).toHaveLength(2);
  for (const [i, seen] of carriedOut.entries()) expectSamePhases(seen, branches[i]!.seen!);
  expect(session.store.getState().previousRun).toMatchObject({ branch: 'first branch' });

  forks.openLink(link);
  const cancelled = session.commands.perform('forks.carry_out');
  await session.commands.perform('forks.carry_out.cancel');
  await cancelled;
  expect(forks.now().branches[0]!.seen).toBeNull();
  expect(session.store.getState().forks.replay).toBeNull();
});

function expectSamePhases(a: PreviousRun, b: PreviousRun): void {
  expect(a.phases.map(({ label }) => label)).toEqual(b.phases.map(({ label }) => label));
  for (const [i, { tps }] of a.phases.entries())
    expect(Math.abs(tps! / b.phases[i]!.tps! - 1)).toBeLessThan(0.05);
}

test('a branch behind the shown run has its name', async () => {
  const { session, forks } = shared;
  forks.rename(1, 'as it was');
  await session.commands.perform('forks.behind.1');
  const { previousRun } = session.store.getState();
  expect(previousRun).toMatchObject({ branch: 'as it was', kind: 'other_course' });
  expect(previousRun!.phases.map(({ label }) => label)).toHaveLength(1);
});

test('it says where they part and what differs since, as the contract declares it', async () => {
  const { session, forks } = shared;
  const diff = await forks.compare(1, 2);
  expect(schemaFaults(course_diff_schema, diff)).toEqual([]);
  const [parts] = diff.parts;
  expect(parts!.b).toMatchObject({ thread: 'coordinator', kind: 'timer' });
  expect(Math.abs(parts!.b!.run_ns - 10_000_001)).toBeLessThanOrEqual(1);
  expect(parts!.on_server!.b.thread).toMatch(/^client \d+$/);
  const { acquisitions } = diff.since.latches['fil_system->mutex']!;
  expect(acquisitions.b.mean).toBeLessThan(acquisitions.a.mean);
  expect(session.store.getState().forks.comparison).toMatchObject({
    ...{ a: 1, b: 2, diff, failed: null },
  });
  expect((await forks.compare(1, 1)).parts).toEqual([null]);
});

test('with several seeds its figures are those of the command line, intervals and ratios included', async () => {
  const { session, forks } = shared;
  const { branches } = forks.now();
  const diff = await forks.compare(1, 2, 2);
  expect(diff).toEqual(diffOnCommandLine(specsToCompare(branches[0]!, branches[1]!)!, 2));
  expect(diff.parts).toHaveLength(2);
  const { tps } = diff.since;
  for (const estimate of [tps.a, tps.b, tps.ratio!]) expect(estimate.low).toBeLessThan(estimate.mean);
  expect(session.store.getState().forks.comparison).toMatchObject({
    ...{ seeds: 2, diff, failed: null },
  });
});

function diffOnCommandLine(specs: readonly [RunSpec, RunSpec], seeds: number): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'branches-'));
  try {
    const [a, b] = specs.map((each, i) => {
      const path = join(folder, `${i}.json`);
      writeFileSync(path, JSON.stringify(each));
      return path;
    }) as [string, string];
    const options = ['diff', '--spec', a, '--other', b, '--seeds', String(seeds), '--json', '-'];
    const text = execFileSync('node', ['tools/cli.mjs', 'latchscope', ...options], { encoding: 'utf8' });
    return JSON.parse(text) as unknown;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a comparison that is cancelled shows nothing and rejects; bad seeds are refused by name', async () => {
  const { session, forks } = shared;
  const compared = forks.compare(1, 2, 30);
  await session.commands.perform('forks.cancel');
  await expect(compared).rejects.toThrow('The comparison was cancelled.');
  expect(session.store.getState().forks.comparison).toBeNull();
  for (const seeds of [0, 31, 1.5, '2'])
    await expect(forks.compare(1, 2, seeds as number)).rejects.toMatchObject({
      errors: [{ field: 'seeds', allowed: 'an integer from 1 to 30' }],
    });
});

test('another run has no branches, and an unknown branch is refused by name', async () => {
  const { session, forks } = shared;
  expect(() => forks.rename(3, 'x')).toThrow(/course: got 3; allowed: 1, 2|course/);
  await session.run({ ...spec, seed: 2 });
  expect(forks.now().branches).toEqual([]);
  await expect(forks.compare(1, 2)).rejects.toThrow(/none: this run has one branch/);
});
