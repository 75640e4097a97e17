import { expect, test } from 'vitest';

import { latch_catalogue } from '../../contract/all-known-latches';
import type { FoldedStack } from '../../contract/live-view';
import { flameTree } from '../flame';
import type { Imported, LatchTime } from './reader';
import { shownStacks } from './shown-stacks';

const textOf = (id: string, one: Imported) => ({
  ...{ source: 'a.txt', form: { id, title: id } },
  contents: [one],
});
const stacksText = (stacks: readonly FoldedStack[], id = 'thread_stacks') =>
  textOf(id, { kind: 'stacks', stacks });
const threadsOf = (stacks: readonly FoldedStack[], id?: string) =>
  shownStacks([stacksText(stacks, id)], () => null).threads!;

const blocked = { frames: ['pthread_mutex_lock', 'fil_space_get', 'do_command'], count: 6 };
const alsoBlocked = { frames: ['pthread_mutex_lock', 'fil_space_get', 'row_search', 'do_command'], count: 9 };
const idle = { frames: ['epoll_wait', 'listen'], count: 3 };
const running = { frames: ['row_search', 'do_command'], count: 2 };

test('each thread is blocked, idle or running, and the flame graph knows it', () => {
  const threads = threadsOf([blocked, alsoBlocked, idle, running]);
  expect(threads).toMatchObject({ unit: 'threads', blocked: 15, idle: 3, running: 2, flame: { share: 1 } });
  const { samples, states } = flameTree('all', threads.flame.stacks);
  expect([samples, states]).toEqual([20, { waiting: 15, sleeping: 3, running: 2 }]);
  expect(threads.flame.stacks[0]!.frames[0]).toBe('do_command');
});

test('a place where threads are blocked has its stacks, the most frequent first', () => {
  const { sites } = threadsOf([blocked, alsoBlocked, idle]);
  expect(sites).toMatchObject([
    { site: 'fil_space_get', on: 'latch', count: 15, share: 1, entry: null, isStripped: false },
  ]);
  expect(sites[0]!.stacks).toEqual([alsoBlocked, blocked]);
});

test('a place that is a latch of the catalogue has its entry', () => {
  const [latch] = latch_catalogue.latches;
  const [site] = shownStacks([stacksText([blocked])], (name) => (name === 'fil_space_get' ? latch! : null))
    .threads!.sites;
  expect(site!.entry).toEqual({ id: latch!.id, name: latch!.name, guards: latch!.guards });
});

test('functions without names inside of the place are noted', () => {
  const frames = ['syscall', '??', 'ha_update_row', 'do_command'];
  expect(threadsOf([{ frames, count: 1 }]).sites[0]).toMatchObject({
    ...{ site: 'ha_update_row', isStripped: true },
  });
});

test('stacks that a profiler samples are samples', () => {
  expect(threadsOf([blocked], 'folded_stacks').unit).toBe('samples');
  expect(threadsOf([blocked], 'pt_pmp').unit).toBe('threads');
});

test('a stack of any depth is drawn, without its middle', () => {
  const frames = Array.from({ length: 100_000 }, (_, i) => `f${i}`);
  const [stack] = threadsOf([{ frames, count: 1 }]).flame.stacks;
  expect(stack!.frames).toHaveLength(201);
  expect(stack!.frames[100]).toBe('(99800 frames)');
  expect([stack!.frames[0], stack!.frames.at(-1)]).toEqual(['f99999', 'f0']);
});

test('of any number of stacks, the most frequent are drawn, with their share', () => {
  const stacks = Array.from({ length: 100_000 }, (_, i) => ({
    frames: [`f${i}`, 'main'],
    count: i < 10 ? 10_000 : 1,
  }));
  const { flame, running: all } = threadsOf(stacks);
  expect(flame.stacks).toHaveLength(5000);
  expect(flame.share).toBeCloseTo((10 * 10_000 + 4990) / all, 10);
  const long = Array.from({ length: 5000 }, (_, i) => ({ frames: [`f${i}`.padEnd(4000, 'x')], count: 1 }));
  expect(threadsOf(long).flame.stacks).toHaveLength(500);
});

test('times of callers are apart for waits and holds, in nanoseconds', () => {
  const row = { line: 1, count: 5, maxNs: null };
  const rows: LatchTime[] = [
    { ...row, what: 'wait', frames: ['pipe_wait', 'pipe_read'], totalNs: 800 },
    { ...row, what: 'hold', frames: ['pipe_read'], totalNs: 90 },
  ];
  const { threads, times } = shownStacks([textOf('klockstat', { kind: 'times', rows })], () => null);
  expect(threads).toBeNull();
  expect(times!.wait.stacks).toMatchObject([{ frames: ['pipe_read', 'pipe_wait'], samples: 800 }]);
  expect(times!.hold.stacks).toMatchObject([{ frames: ['pipe_read'], samples: 90 }]);
  expect(shownStacks([], () => null)).toEqual({ threads: null, times: null });
});
