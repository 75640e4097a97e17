import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { phaseOf, rowOf } from '../../analysis/pictures/test-fixtures';
import { undo_read } from '../../contract/test-fixtures';
import { textsOf } from '../../widgets/test-fixtures/reading';
import { drawUndoRead } from './undo-read-picture';

const { manifest } = undo_read;
const groups = { kind: 'complex', size: 8, count: 3 } as const;
const latch = (name: string, costShare: number | null) =>
  rowOf(name, [{ function: 'f', acquisitions: 1000 }], { cost_share: costShare });
const phaseUnder = (design: string, ...latches: ReturnType<typeof latch>[]) =>
  phaseOf({
    design: manifest.designs[design]!,
    seconds: 0.001,
    counts: { undo_reads: 1000 },
    totals: { undo_records_written: 1000 },
    latches,
  });

const hops = {
  shown: [
    { atNs: 100, tookNs: 23, from: 0, to: 3 },
    { atNs: 350, tookNs: 107, from: 3, to: 20 },
  ],
  count: 400,
  across: 100,
  tookNs: 65,
  perAcquisition: 4.5,
};

function shown(phases: Parameters<typeof drawUndoRead>[0]['phases'], known: typeof hops | null = hops) {
  const asked: string[] = [];
  const hopsOf = (name: string) => (asked.push(name), known);
  const drawn = drawUndoRead({ phases, clients: 32, rows: 500, groups, hopsOf })!;
  const { container } = render(drawn.drawing);
  return { drawn, container, asked };
}

test('the way of the line of the latch that costs most, hop by hop, and a row two versions back', () => {
  const phase = phaseUnder('original', latch('purge_sys->latch', 0.1), latch('Fil_shard::m_mutex', 0.8));
  const { drawn, container, asked } = shown([phase]);
  expect(screen.getByRole('img', { name: /path of the cache line/ })).toBeVisible();
  expect(asked).toEqual(['Fil_shard::m_mutex']);
  expect(container.querySelectorAll('.picture-group')).toHaveLength(3);
  expect(container.querySelectorAll('.picture-hop')).toHaveLength(2);
  // The second hop goes from complex 0 to complex 2.
  expect(container.querySelectorAll('.picture-hop')[1]).toHaveClass('picture-hop-far');
  expect(container.querySelectorAll('.picture-hop-far')).toHaveLength(1);
  expect(container.querySelectorAll('.picture-version')).toHaveLength(2);
  expect(screen.getByText('2 transfers in 250 ns')).toBeInTheDocument();
  expect(textsOf(container.querySelectorAll('.picture-label'))).toEqual([
    'Fil_shard::m_mutex',
    'purge_sys->latch',
  ]);
  // 32 clients for a millisecond, divided by a thousand reads: 32 µs each.
  expect(textsOf(container.querySelectorAll('.picture-value'))).toEqual(['25.6 µs', '3.2 µs']);
  expect(drawn.words).toContain('Each row has 2 older versions');
  expect(drawn.words).toContain('moved between cores 400 times while traced, 4.5 times per acquisition');
  expect(drawn.words).toContain('65 ns each, 25.0\u202f% of them to another complex.');
});

test('what cost most under the designs before stays in sight', () => {
  const { container } = shown([
    phaseUnder('original', latch('Fil_shard::m_mutex', 0.8)),
    phaseUnder('page_size_cached', latch('purge_sys->latch', 0.5)),
  ]);
  expect(textsOf(container.querySelectorAll('.picture-label'))).toEqual([
    'purge_sys->latch',
    'Before: Fil_shard::m_…',
  ]);
});

test('what is not known is said and not drawn', () => {
  const { drawn, container } = shown([phaseUnder('original', latch('Fil_shard::m_mutex', null))], null);
  expect(screen.getByText('Unknown: the latch was not traced.')).toBeInTheDocument();
  expect(container.querySelectorAll('.picture-hop, .picture-bar')).toHaveLength(0);
  expect(textsOf(container.querySelectorAll('.picture-value'))).toEqual(['unknown']);
  expect(drawn.words).toContain('is unknown: the latch was not traced');
});
