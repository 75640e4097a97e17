import { cleanup, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import type { QueuePicture } from '../../analysis/client-queue';
import { QueuePictureView } from './queue-picture';

const queue = {
  latch: 'Fil_shard::m_mutex',
  spinning: 3,
  waiting: 20,
  holders: [
    { is_client: true, ordinal: 4, state: 'running', acquired_in: 'a', executes: 'fil_space_get' },
    { is_client: false, ordinal: 0, state: 'running', acquired_in: 'a', executes: 'b' },
  ],
} as const;
const picture = (change: Partial<QueuePicture> = {}): QueuePicture => ({
  tS: 1,
  states: { running: 1, spinning: 3, waiting: 28 },
  queue: { ...queue, holders: [...queue.holders] },
  cause: { latch: 'Fil_shard::m_mutex', thread: null, clients: 31 },
  ...change,
});
const shown = (picture: QueuePicture | null) => {
  render(<QueuePictureView picture={picture} clients={32} />);
  return screen.getByRole('region', { name: 'Queue at the hottest latch' });
};

test('says who holds the latch, what the others do, and why they wait', () => {
  const region = shown(picture());
  expect(region).toHaveTextContent('1 of 32 clients runs. 28 sleep at a latch, 3 spin.');
  expect(region).toHaveTextContent(/client 5 holds it, with 1 other\s*fil_space_get/);
  expect(region).toHaveTextContent('Why: 31 clients queue at Fil_shard::m_mutex, whose holders run.');
});

test('names what a holder waits for, not its queue', () => {
  const thread = {
    ...{ is_client: true, ordinal: 0, state: 'io' as const },
    ...{ frames: ['purge_index_entry', 'rotate'], holds: ['LOCK_log', 'LOCK_index'] },
  };
  const region = shown(
    picture({ states: { following: 31, io: 1 }, cause: { latch: null, thread, clients: 31 } }),
  );
  expect(region).toHaveTextContent(
    'Why: 31 clients wait for a client that is waiting for the disk in purge_index_entry and holds LOCK_log, LOCK_index.',
  );
});

const noQueue = (running: number) =>
  new RegExp(`^No queue${running} of 32 clients run.*No latch has a long queue`);

test('a few blocked clients are no queue', () => {
  const cause = { latch: 'Fil_shard::m_mutex', thread: null, clients: 2 };
  const region = shown(picture({ states: { running: 30, waiting: 2 }, cause }));
  expect(region).toHaveTextContent(noQueue(30));
  expect(region).not.toHaveTextContent('Why');
});

test('a cause of earlier samples counts no more clients than are blocked now', () => {
  const region = shown(picture({ states: { running: 25, waiting: 7 } }));
  expect(region).toHaveTextContent('Why: 7 clients queue at Fil_shard::m_mutex, whose holders run.');
  cleanup();
  expect(shown(picture({ states: { running: 32 } }))).toHaveTextContent(noQueue(32));
});

test('a commit group whose leader runs is no queue', () => {
  const region = shown(picture({ states: { running: 12, following: 20 } }));
  expect(region).toHaveTextContent(noQueue(12));
  expect(region).not.toHaveTextContent('Why');
});

test('a latch without a holder says so, and no picture has no clients', () => {
  const region = shown(picture({ queue: { ...queue, holders: [] } }));
  expect(region).toHaveTextContent('No thread holds it at this moment');
  expect(region).toHaveTextContent('Why: 31 clients queue at Fil_shard::m_mutex.');
  cleanup();
  expect(shown(null)).toHaveTextContent(noQueue(0));
});

test('each client has one dot, in the color of its state', () => {
  const region = shown(picture());
  const dots = [...region.querySelectorAll('.stage-dots path')];
  expect(dots.map((path) => path.getAttribute('d')!.split('M').length - 1)).toEqual([1, 3, 28]);
  expect(dots[2]).toHaveAttribute('fill', 'var(--state-waiting)');
  const places = dots.flatMap((path) => path.getAttribute('d')!.match(/M[\d.]+ [\d.]+/g)!);
  expect(new Set(places).size).toBe(32);
});
