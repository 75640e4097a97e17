import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { waitTimeline } from '../../analysis/pictures/gtid-train';
import { phaseOf } from '../../analysis/pictures/test-fixtures';
import { all_scenarios } from '../../contract/all-scenarios';
import { textsOf } from '../../widgets/test-fixtures/reading';
import { drawXa } from './xa-picture';

const { manifest } = all_scenarios.find((scenario) => scenario.manifest.bug === 99638)!;
const poll = phaseOf({
  design: { gtid_flush_wait: 'poll_1ms' },
  counts: {
    xa_commits: 800,
    gtid_flush_waits: 800,
    gtid_wait_polls: 1600,
    commits: 1600,
    commit_groups: 320,
  },
});
const reserved = phaseOf({
  design: { gtid_flush_wait: 'reserved_undo_slot' },
  counts: { xa_commits: 80_000, commits: 160_000, commit_groups: 1000 },
});
const timeline = waitTimeline(
  { fromNs: 0, toNs: 2_000_000 },
  [
    { fromNs: 0, toNs: 1_000_000 },
    { fromNs: 1_000_000, toNs: 2_000_000 },
  ],
  [
    { fromNs: 50_000, toNs: 500_000 },
    { fromNs: 1_050_000, toNs: 1_500_000 },
  ],
);

function shown(...given: Parameters<typeof drawXa>) {
  const drawn = drawXa(...given)!;
  const { container } = render(drawn.drawing);
  return { drawn, container, values: () => textsOf(container.querySelectorAll('.picture-value')) };
}

test('a train of five, two naps with a flush in each, and half of the sleep in which nobody looks', () => {
  const { drawn, container } = shown([poll], timeline, manifest);
  expect(screen.getByRole('img', { name: /^Commit group/ })).toBeVisible();
  expect(container.querySelectorAll('.picture-leader')).toHaveLength(1);
  expect(container.querySelectorAll('.picture-wagon')).toHaveLength(4);
  for (const look of ['nap', 'flush', 'unseen'])
    expect(container.querySelectorAll(`.picture-${look}`), look).toHaveLength(2);
  expect(drawn.words).toContain('one XA COMMIT takes 1.25 ms. A commit group has 5 members.');
  expect(drawn.words).toContain('waits 1.00 times and polls 2.00 times per wait');
  expect(drawn.words).toContain('During 50.0\u202f% of its sleep, the GTIDs were already saved.');
});

test('all six variants are on one axis; those that have not run are not drawn, but said', () => {
  const { container, values } = shown([poll, reserved], null, manifest);
  expect(values()).toEqual([
    '1.25 ms',
    'not run yet',
    'not run yet',
    'not run yet',
    'not run yet',
    '12.5 µs',
  ]);
  expect(container.querySelectorAll('.picture-bar')).toHaveLength(2);
  expect(container.querySelectorAll('.picture-bar-now')).toHaveLength(1);
  expect(container.querySelectorAll('.picture-none')).toHaveLength(4);
});

test('where nobody waits there is no look to draw', () => {
  const { drawn } = shown([reserved], null, manifest);
  expect(screen.getByText('No thread waits for the persister.')).toBeInTheDocument();
  expect(drawn.words).toMatch(/No thread waits for the persister\.$/);
});
