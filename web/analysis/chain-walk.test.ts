import { sum } from 'd3-array';
import { expect, test } from 'vitest';

import type { ExplainedPart, Explanation } from '../contract/explanation';
import { drawn_explanation } from '../contract/explanation-fixture';
import { chainWalk, type Activity } from './chain-walk';

const inWords = ({ states, latch, place, ps }: Activity) =>
  `${states.map(({ state }) => state).join('+')} ${latch ?? '-'} ${place ?? '-'} ${ps / 1e6}`;

const walkOf = (parts: readonly ExplainedPart[]) =>
  chainWalk({ transaction: { parts } as Explanation['transaction'] });

test('the walk covers the transaction from its begin to its end, a wait in one part', () => {
  const walk = chainWalk(drawn_explanation);
  expect(walk.map(inWords)).toEqual([
    'running - - 10',
    'waiting fil_system->mutex fil_space_get_version 30',
    'running - - 10.000123',
  ]);
  expect(sum(walk, ({ ps }) => ps)).toBe(drawn_explanation.transaction.latency_ps);
  expect(walk.map(({ fromPs }) => fromPs)).toEqual([0, 10_000_000, 40_000_000]);
});

test('each part says who stood behind it, and what that thread did meanwhile, down to where the chain ends', () => {
  const [held, free] = chainWalk(drawn_explanation)[1]!.behind;
  expect(held).toMatchObject({
    by: 'holder',
    thread: 'client 1',
    threads: 1,
    gotIn: 'fil_io',
    ps: 20_000_000,
  });
  expect(held!.did.map(inWords)).toEqual(['spinning buf_pool->mutex buf_page_get_gen 20']);
  const [second] = held!.did[0]!.behind;
  expect(second).toMatchObject({ by: 'holder', thread: 'client 2', gotIn: 'buf_LRU_get_free_block' });
  expect(second!.did.map(inWords)).toEqual(['sleeping - buf_LRU_get_free_block 20']);
  expect(free).toMatchObject({ by: 'nobody', thread: null, threads: 0, ps: 10_000_000, did: [] });
});

const follow = (fromPs: number, ps: number, leader: number | null): ExplainedPart => ({
  ...{ state: 'following', from_ps: fromPs, ps, latch: 'COND_done', latch_number: 9, site: 'enroll_for' },
  ...(leader === null
    ? { behind: 'nobody' }
    : {
        behind: 'leader',
        holder: { thread: `client ${leader}`, slot: leader },
        chain: [
          { state: 'running', from_ps: fromPs, ps: 1 },
          { state: 'sleeping', from_ps: fromPs + 1, ps: 9, function: 'Clone_Sys::wait' },
          { state: 'running', from_ps: fromPs + 10, ps: 1 },
          { state: 'sleeping', from_ps: fromPs + 11, ps: ps - 11, function: 'Clone_Sys::wait' },
        ],
      }),
});

test('running and stalled are one part; a wait in a commit group is cut where its leader changes', () => {
  const walk = walkOf([
    { state: 'running', from_ps: 0, ps: 5 },
    { state: 'stalled', from_ps: 5, ps: 1, function: 'a' },
    { state: 'running', from_ps: 6, ps: 4 },
    follow(10, 20, 3),
    follow(30, 40, 4),
    follow(70, 5, null),
    { state: 'sleeping', from_ps: 75, ps: 5, function: 'my_net_read' },
  ]);
  expect(walk.map(({ fromPs, ps }) => [fromPs, ps])).toEqual([
    [0, 10],
    [10, 20],
    [30, 40],
    [70, 5],
    [75, 5],
  ]);
  expect(walk[0]!.states).toEqual([
    { state: 'running', ps: 9 },
    { state: 'stalled', ps: 1 },
  ]);
  // Client 4 slept, ran and slept again: two activities within one wait.
  const [led] = walk[2]!.behind;
  expect(led).toMatchObject({ by: 'leader', thread: 'client 4', threads: 1 });
  expect(led!.did.map(({ place, ps, times }) => [place, ps, times])).toEqual([
    ['Clone_Sys::wait', 38, 2],
    [null, 2, 2],
  ]);
});

test('of a thread that is looked at only now and then nobody says how often it did something', () => {
  const [, wait] = walkOf([
    { state: 'running', from_ps: 0, ps: 10 },
    follow(10, 20, 3),
    { ...follow(30, 20, 3), latch_number: 9 },
  ]);
  expect(wait!.behind[0]!.did.map(({ place, times }) => [place, times])).toEqual([
    ['Clone_Sys::wait', null],
    [null, null],
  ]);
});
