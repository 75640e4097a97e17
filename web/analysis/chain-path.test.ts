import { expect, test } from 'vitest';

import { drawn_explanation } from '../contract/explanation-fixture';
import { thread_states } from '../contract/gen/telemetry-layout';
import { chainPath } from './chain-path';

test('the path leads from the transaction to whoever stands at the end of its chain', () => {
  const path = chainPath(drawn_explanation);
  expect([path.slot, path.fromNs, path.toNs]).toEqual([0, 20_000, 70_000.123]);
  const seen = path.segments.map(({ slot, fromNs, toNs, state, depth, behindSlot, isEnd }) => [
    `${slot} ${thread_states[state]} ${fromNs}-${toNs}`,
    depth,
    behindSlot,
    isEnd,
  ]);
  expect(seen).toEqual([
    ['0 running 20000-30000', 0, null, true],
    ['0 waiting 30000-50000', 0, null, false],
    ['1 spinning 30000-50000', 1, 0, false],
    ['2 sleeping 30000-50000', 2, 1, true],
    ['0 waiting 50000-60000', 0, null, true],
    ['0 running 60000-70000.123', 0, null, true],
  ]);
});

test('the transaction’s own thread comes first, then those that were on the chain for the longest', () => {
  const { transaction } = drawn_explanation;
  const [work, wait, free] = transaction.parts;
  const longer = { ...free!, behind: 'holder', holder: { thread: 'client 9', slot: 9 } } as const;
  const chain = [{ state: 'io', from_ps: 30_000_000, ps: 40_000_000 }] as const;
  const parts = [work!, wait!, { ...longer, ps: 40_000_000, chain }];
  expect(chainPath({ transaction: { ...transaction, parts } }).slots).toEqual([0, 9, 1, 2]);
});

test('a request that waited for a client shows what the client did meanwhile, on its own lane', () => {
  const { transaction } = drawn_explanation;
  const chain = [{ state: 'io', from_ps: 0, ps: 10_000_000 }] as const;
  const holder = { thread: 'client 0', slot: 0 };
  const queued = { state: 'waiting', from_ps: 0, ps: 10_000_000, behind: 'earlier', holder, chain } as const;
  const { segments } = chainPath({ transaction: { ...transaction, parts: [queued] } });
  expect(segments.map(({ slot, state, depth }) => [slot, thread_states[state], depth])).toEqual([
    [0, 'io', 0],
  ]);
});
