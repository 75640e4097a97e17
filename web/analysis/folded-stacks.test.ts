import { expect, test } from 'vitest';

import { foldedFrames } from './folded-stacks';

const stack = (count: number, frames: string) => ({ count, frames: frames.split(' ') });

test('what all stacks share is folded, and each shows from where on it differs', () => {
  const folds = foldedFrames([
    stack(30, 'get_version read_page row_search execute main'),
    stack(10, 'io read_page row_search execute main'),
    stack(5, 'net_read execute main'),
  ]);
  expect(folds).toEqual([
    { count: 30, own: ['get_version'], between: ['read_page', 'row_search'], shared: ['execute', 'main'] },
    { count: 10, own: ['io'], between: ['read_page', 'row_search'], shared: ['execute', 'main'] },
    { count: 5, own: ['net_read'], between: [], shared: ['execute', 'main'] },
  ]);
});

test('stacks that have nothing in common are shown whole', () => {
  expect(foldedFrames([stack(2, 'a b'), stack(1, 'c d')]).map(({ own }) => own)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('a stack that ends where another one goes on shows its innermost frame', () => {
  const [short] = foldedFrames([stack(2, 'b main'), stack(1, 'a b main')]);
  expect(short).toEqual({ count: 2, own: ['b'], between: [], shared: ['main'] });
});

test('one stack alone has nothing to be folded', () => {
  expect(foldedFrames([stack(2, 'a b')])).toEqual([{ count: 2, own: ['a', 'b'], between: [], shared: [] }]);
});
