import { expect, test } from 'vitest';

import type { FlameStack } from '../contract/live-view';
import { flameTree } from '../analysis/flame';
import { flameLayout, frameAfterKey, FRAMES_MAX, type FlameLayout } from './flame-layout';

const stackOf = (names: string, samples: number): FlameStack => ({
  frames: names.split(' '),
  is_client: true,
  samples,
  states: {},
  doing: null,
});
const root = flameTree('all', [stackOf('a', 1), stackOf('a b', 2), stackOf('a c', 5), stackOf('z', 8)]);
const ends = (layout: FlameLayout) =>
  layout.frames.map(({ node, row, left, width }) => [node.name, row, left, left + width]);
const frameOf = (layout: FlameLayout, name: string) => layout.frames.find(({ node }) => node.name === name)!;

test('an icicle: as wide as often seen, callees below their callers', () => {
  const layout = flameLayout(root, root.path, 0);
  expect(ends(layout)).toEqual([
    ['all', 0, 0, 1],
    ['a', 1, 0, 0.5],
    ['z', 1, 0.5, 1],
    ['b', 2, 0, 0.125],
    ['c', 2, 0.125, 0.4375],
  ]);
  expect(layout.rows).toBe(3);
  expect(frameOf(layout, 'c')).toMatchObject({ place: 2, siblings: 2, parent: '\na' });
});

test('a frame that is zoomed into takes the whole width, with its callers above it', () => {
  const layout = flameLayout(root, '\na', 0.01);
  expect(ends(layout)).toEqual([
    ['all', 0, 0, 1],
    ['a', 1, 0, 1],
    ['b', 2, 0, 0.25],
    ['c', 2, 0.25, 0.875],
  ]);
  expect(layout.frames.filter(({ isAncestor }) => isAncestor).map(({ node }) => node.name)).toEqual(['all']);
});

test('what is too narrow is left out', () => {
  expect(ends(flameLayout(root, root.path, 0.2)).map(([name]) => name)).toEqual(['all', 'a', 'z', 'c']);
});

test('arrow keys go to the caller, the widest callee and the neighbors', () => {
  const layout = flameLayout(root, root.path, 0);
  const after = (name: string, key: string) => frameAfterKey(layout, frameOf(layout, name), key)?.node.name;
  expect(after('all', 'ArrowDown')).toBe('a');
  expect(after('a', 'ArrowDown')).toBe('c');
  expect(after('c', 'ArrowUp')).toBe('a');
  expect(after('a', 'ArrowRight')).toBe('z');
  expect(after('c', 'ArrowLeft')).toBe('b');
  expect(after('b', 'Home')).toBe('all');
  expect(after('all', 'End')).toBe('c');
  expect([
    after('all', 'ArrowUp'),
    after('z', 'ArrowDown'),
    after('z', 'ArrowRight'),
    after('a', 'x'),
  ]).toEqual(Array(4).fill(undefined));
});

test('a graph of nothing is its root', () => {
  expect(flameLayout(flameTree('clients', []), '', 0).frames.length).toBeLessThanOrEqual(1);
});

test('of more frames than a browser draws at once the widest are drawn, with all their callers, and the others counted', () => {
  const stacks = Array.from({ length: 100 }, (_, i) => {
    const names = Array.from({ length: 30 }, (_, depth) => `f${i}_${depth}`);
    return stackOf(names.join(' '), 100 + i);
  });
  const layout = flameLayout(flameTree('all', stacks), '', 0);
  expect([layout.frames.length, layout.leftOut]).toEqual([FRAMES_MAX, 3001 - FRAMES_MAX]);
  const drawn = new Set(layout.frames.map(({ node }) => node.path));
  expect(layout.frames.filter(({ parent }) => parent !== null && !drawn.has(parent))).toEqual([]);
  expect(frameOf(layout, 'f99_29').width).toBeCloseTo(199 / 14_950, 9);
});
