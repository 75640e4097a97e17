import { expect, test } from 'vitest';

import { chainPath } from '../analysis/chain-path';
import { drawn_explanation } from '../contract/explanation-fixture';
import { thread_states } from '../contract/gen/telemetry-layout';
import { pathPicture } from './lane-path';

const path = chainPath(drawn_explanation);
const threads = [0, 1, 2].map((slot) => ({ slot, state: 0 }));
const picture = (range: { fromNs: number; toNs: number }, shown = threads) =>
  pathPicture(path, { threads: shown, range, columns: 100, states: thread_states.length });
const inWords = ({ runs }: ReturnType<typeof picture>) =>
  runs.map(({ row, fromPx, toPx, state }) => `${row} ${thread_states[state]} ${fromPx}-${toPx}`);

test('each thread of the chain has its part of the path in its lane, with lines to whom it waits for', () => {
  const whole = picture({ fromNs: 20_000, toNs: 70_000 });
  expect(inWords(whole)).toEqual([
    '0 running 0-20',
    '0 waiting 20-80',
    '0 running 80-100',
    '1 spinning 20-60',
    '2 sleeping 20-60',
  ]);
  expect(whole.links).toEqual([
    { atPx: 20, fromRow: 0, toRow: 1 },
    { atPx: 20, fromRow: 1, toRow: 2 },
  ]);
  expect(whole.ends.map(({ row, fromPx, toPx }) => `${row} ${fromPx}-${toPx}`)).toEqual([
    '0 0-20',
    '0 60-100',
    '2 20-60',
  ]);
});

test('what is outside of the window, or scrolled away, is not drawn', () => {
  expect(inWords(picture({ fromNs: 60_000, toNs: 70_000 }))).toEqual(['0 running 0-100']);
  const scrolled = picture({ fromNs: 20_000, toNs: 70_000 }, threads.slice(2));
  expect(inWords(scrolled)).toEqual(['0 sleeping 20-60']);
  expect(scrolled.links).toEqual([]);
});

test('a wait of a few pixels has no line', () => {
  expect(picture({ fromNs: 0, toNs: 1_000_000 }).links).toEqual([]);
});

test('a wait that goes on behind the same thread has one line, whatever that thread does meanwhile', () => {
  const [own] = path.segments;
  const behind = (fromNs: number, toNs: number) => ({
    ...own!,
    slot: 1,
    behindSlot: 0,
    fromNs,
    toNs,
  });
  const segments = [behind(20_000, 30_000), behind(30_000, 40_000), behind(50_000, 70_000)];
  const frame = {
    threads,
    range: { fromNs: 20_000, toNs: 70_000 },
    columns: 100,
    states: thread_states.length,
  };
  expect(pathPicture({ segments }, frame).links.map(({ atPx }) => atPx)).toEqual([0, 60]);
});
