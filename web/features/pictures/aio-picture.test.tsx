import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { phaseOf } from '../../analysis/pictures/test-fixtures';
import { all_scenarios } from '../../contract/all-scenarios';
import { textsOf } from '../../widgets/test-fixtures/reading';
import { drawAio } from './aio-picture';

const { manifest } = all_scenarios.find((scenario) => scenario.manifest.bug === 95491)!;
const counts = {
  aio_reads_completed: 10,
  handler_wake_calls: 120,
  handler_wakeups: 5,
  handler_wakeups_empty: 2,
  slot_waits: 90,
  slot_waits_in_vain: 80,
};
const totals = { aio_reads_posted: 522, aio_reads_completed: 10 };
const original = phaseOf({ design: manifest.designs.original!, counts, totals });

function shown(seen: Partial<Parameters<typeof drawAio>[0]>) {
  const drawn = drawAio({ phases: [original], slots: 1024, handlers: [], manifest, ...seen })!;
  const { container } = render(drawn.drawing);
  return { drawn, container, titles: () => textsOf(container.querySelectorAll('.picture-title')) };
}

test('twelve bells for one read, nine clients for one slot, half of the array taken', () => {
  const { drawn, container, titles } = shown({});
  expect(screen.getByRole('img', { name: /^Slots, handlers and wake-ups/ })).toBeVisible();
  expect(titles()).toEqual([
    'Slots: 512 of 1,024 in use',
    'Handlers: state unknown',
    '12 wake-up calls for one read; 1 is needed',
    '9 clients wake for one slot; 1 gets it',
    'Wake-up calls per completed read',
  ]);
  expect(container.querySelectorAll('.picture-bell')).toHaveLength(12);
  expect(container.querySelectorAll('.picture-bell.picture-needed')).toHaveLength(1);
  expect(container.querySelectorAll('.picture-sleeper')).toHaveLength(9);
  expect(container.querySelectorAll('.picture-slot-taken')).toHaveLength(32);
  expect(drawn.words).toContain('512 of 1,024 slots hold a request.');
  expect(drawn.words).toContain('lock and search a segment 12 times');
  expect(drawn.words).toContain('For each slot a client got, 9 clients woke.');
  expect(drawn.outcome).toBe('12 wake-up calls per read');
});

test('each handler by what it does', () => {
  const handlers = (['busy', 'idle', 'wants'] as const).map((state, i) => ({ name: String(i + 1), state }));
  const { container, titles } = shown({ handlers });
  expect(titles()[1]).toBe('Handlers: 1 of 3 busy');
  expect(container.querySelectorAll('.picture-handler')).toHaveLength(3);
  expect(container.querySelectorAll('.picture-handler-wants')).toHaveLength(1);
});

test('a design before stands below the present one; who sleeps for no slot is not drawn', () => {
  const fixed = phaseOf({
    design: manifest.designs.fixed!,
    counts: { aio_reads_completed: 10, handler_wake_calls: 5 },
  });
  const { drawn, container } = shown({ phases: [original, fixed] });
  expect(textsOf(container.querySelectorAll('.picture-label'))).toEqual([
    'Now: Targeted wake-ups (t…',
    'Before: MySQL 5.6 to 8.4 (t…',
  ]);
  expect(textsOf(container.querySelectorAll('.picture-value'))).toEqual(['0.5', '12']);
  expect(container.querySelectorAll('.picture-sleeper')).toHaveLength(0);
  expect(drawn.words).toContain('No client slept for a slot.');
});

test('before a read is completed there is nothing to draw', () => {
  expect(drawAio({ phases: [], slots: 1024, handlers: [], manifest })).toBeNull();
});
