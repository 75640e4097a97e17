import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { GLOBAL_MUTEX } from '../../analysis/pictures/block-read-stops';
import { phaseOf, rowOf } from '../../analysis/pictures/test-fixtures';
import { fil_mutex } from '../../contract/test-fixtures';
import { textsOf } from '../../widgets/test-fixtures/reading';
import { drawBlockRead } from './block-read-picture';

const { manifest } = fil_mutex;
// Held, or waited for, in a fifth of the time.
const occupation = { acquisitions: 9, share: 0.2 };

const fixed = phaseOf({ design: { tablespace_lookup: 'atomic_word' }, counts: { block_reads: 400_000 } });
const original = phaseOf({
  design: { tablespace_lookup: 'global_mutex' },
  seconds: 0.5,
  counts: { block_reads: 100_000 },
  latches: [
    rowOf(
      GLOBAL_MUTEX,
      [
        { function: 'fil_space_get_version', acquisitions: 100_000, queue_mean: 3.2 },
        { function: 'fil_node_complete_io', acquisitions: 100_000, queue_mean: 0.4 },
      ],
      { mean_hold_ns: 100 },
    ),
  ],
});

function shown(...given: Parameters<typeof drawBlockRead>) {
  const drawn = drawBlockRead(...given)!;
  const { container } = render(drawn.drawing);
  const texts = (look: string) => textsOf(container.querySelectorAll(`.picture-${look}`));
  return { drawn, container, texts };
}

test('two stops, a dot for each thread that stands there, and the ceiling beside what is measured', () => {
  const { drawn, container, texts } = shown([fixed, original], occupation, manifest);
  expect(screen.getByRole('img', { name: /^Acquisitions of one block read/ })).toBeVisible();
  expect(texts('function')).toEqual(['fil_space_get_version', 'fil_node_complete_io']);
  expect(texts('small')).toEqual(['1.00 per read, queue 3.2', '1.00 per read, queue 0.4']);
  // 3.2 threads are three dots, 0.4 none.
  expect(container.querySelectorAll('.picture-thread')).toHaveLength(3);
  // Two turns of 500 ns per read: a million reads per second.
  expect(texts('label')).toEqual(['Limit: 1 s ÷ (2.00…', 'Measured: One global …', 'Before: One atomic wo…']);
  expect(texts('value')).toEqual(['1,000,000', '200,000', '400,000']);
  const widths = [...container.querySelectorAll('.picture-bar')].map((bar) =>
    Number(bar.getAttribute('width')),
  );
  expect(widths[1]! / widths[0]!).toBeCloseTo(0.2);
  expect(drawn.words).toContain('acquires fil_system->mutex 2.00 times, in 2 functions');
  expect(drawn.words).toContain('Each time it is held for 100 ns, and the hand-off takes 400 ns');
  expect(drawn.words).toContain('The limit is therefore 1,000,000 blocks/s; measured: 200,000.');
  expect(drawn.figures).toContainEqual({ name: 'Limit, block reads/s', value: '1,000,000' });
  expect(drawn.outcome).toBe('200,000 block reads/s');
});

test('what is not known is said, and no bar is drawn for it', () => {
  const { drawn, container, texts } = shown([original], null, manifest);
  expect(texts('value')).toEqual(['unknown', '200,000']);
  expect(container.querySelectorAll('.picture-bar')).toHaveLength(1);
  expect(drawn.words).toContain('The hold time is unknown');
});

test('without a mutex there is no stop and no ceiling', () => {
  const { drawn, texts } = shown([fixed], occupation, manifest);
  expect(texts('function')).toEqual([]);
  expect(texts('value')).toEqual(['400,000']);
  expect(drawn.words).toBe('A block read acquires no tablespace mutex. Clients read 400,000 blocks/s.');
});

test('before a block is read there is nothing to draw', () => {
  expect(drawBlockRead([], null, manifest)).toBeNull();
});
