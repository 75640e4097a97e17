import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { MUTEX } from '../../session/test-fixtures/drawn-run';
import { textsOf } from '../../widgets/test-fixtures/reading';
import { LockPicturePanel } from './lock-picture';
import { mutexEvents, renderLocks } from './test-fixtures';

const server = { sockets: 2, cores_per_socket: 8 };

const panel = () => screen.getByRole('region', { name: 'Latch, event by event' });
const button = (name: string) => screen.getByRole('button', { name });
const threadsIn = (list: string) =>
  within(panel())
    .queryAllByRole('list', { name: list })
    .flatMap((one) => textsOf(within(one).getAllByRole('listitem')));

/** Returns the content of the picture. */
function seen() {
  const text = panel().textContent;
  return {
    event: screen.getByRole('status').textContent,
    has_it: threadsIn('Holders'),
    line: /cache line: (.*?)\.Words/.exec(text)?.[1],
    words: within(panel())
      .getAllByRole('row')
      .map((row) => textsOf(within(row).getAllByRole('cell'))),
    asks: threadsIn('Queue for the line'),
    spins: threadsIn('Spinning'),
    sleeps: threadsIn('Asleep'),
    cores: within(panel()).getByRole('img').getAttribute('aria-label'),
  };
}

const held = ['0x00000001', 'held'];
const free = ['0x00000000', 'free'];
const unknown = ['–', 'not accessed yet'];
const sleepers = ['0x00000001', 'waiters may be asleep'];

const pictures: Partial<ReturnType<typeof seen>>[] = [
  {
    event: 'client 0, core 1, changes lock_word to 0x00000001 (held): 22 ns',
    has_it: [],
    words: [held, unknown],
    line: 'core 1 on socket 0 has the only copy, modified',
  },
  {
    event: 'client 0 acquires the latch',
    has_it: ['client 0 0 ns'],
    cores: 'Core 1: client 0 holds the latch.',
  },
  {
    event:
      'client 1, core 9, fails to change lock_word and reads 0x00000001 (held): 119 ns, line from core 1',
    has_it: ['client 0 10 µs'],
    line: 'core 9 on socket 1 has the only copy, modified',
  },
  {
    event: 'client 1 fails to acquire the latch',
    spins: ['client 1'],
    sleeps: [],
    cores: 'Core 1: client 0 holds the latch. Core 9: client 1 spins.',
  },
  {
    event: expect.stringMatching(/^srv_purge_coordinator_thread, core 2, fails to change/) as string,
  },
  { spins: ['client 1', 'srv_purge_coordinator_thread'], sleeps: [] },
  { words: [held, sleepers], line: 'core 2 on socket 0 has the only copy, modified' },
  {
    event: 'srv_purge_coordinator_thread goes to sleep',
    spins: ['client 1'],
    sleeps: ['srv_purge_coordinator_thread'],
  },
  {
    event: 'client 0 releases the latch',
    has_it: [],
    words: [held, sleepers],
    line: 'core 2 on socket 0 has the only copy, modified; it moves from core 2 to core 1 in 60 ns',
    asks: ['client 0 60 ns'],
  },
  { has_it: [], words: [free, sleepers], line: 'core 1 on socket 0 has the only copy, modified', asks: [] },
  { line: '2 cores have a copy', spins: ['client 1'] },
  { words: [held, sleepers], line: 'core 9 on socket 1 has the only copy, modified' },
  {
    event: 'client 1 acquires the latch',
    has_it: ['client 1 0 ns'],
    spins: [],
    sleeps: ['srv_purge_coordinator_thread'],
    cores: 'Core 9: client 1 holds the latch.',
  },
];

test('the picture at each event of three threads on one mutex, forwards and back', async () => {
  const { reader, user } = await renderLocks(<LockPicturePanel server={server} />);
  expect(panel()).toHaveTextContent(`${MUTEX} is held by`);
  expect(pictures).toHaveLength(mutexEvents.length);
  reader.lookAt(0, null);
  for (const picture of pictures) {
    await user.click(button('Event ▶'));
    expect(seen()).toMatchObject(picture);
  }
  // There is no event after the last one.
  await user.click(button('Event ▶'));
  expect(seen()).toMatchObject(pictures.at(-1)!);
  for (const picture of [...pictures].reverse().slice(1)) {
    await user.click(button('◀ Event'));
    expect(seen()).toMatchObject(picture);
  }
});

test('it names who is next, and how soon', async () => {
  const { reader } = await renderLocks(<LockPicturePanel server={server} />);
  reader.lookAt(35_000, null);
  await waitFor(() => {
    expect(panel()).toHaveTextContent('Next: client 1, in 5.42 µs');
  });
});

test('steps follow the line from core to core, or one thread', async () => {
  const { reader, user } = await renderLocks(<LockPicturePanel server={server} />);
  reader.lookAt(0, null);
  await user.click(button('this line'));
  const moves: (string | null)[] = [];
  for (let i = 0; i < 4; i += 1) {
    await user.click(button('Event ▶'));
    moves.push(seen().event.replace(/,.*from/, ': from'));
  }
  expect(moves).toEqual([
    'client 1: from core 1',
    'srv_purge_coordinator_thread: from core 9',
    'client 0: from core 2',
    'client 1: from core 1',
  ]);
  reader.lookAt(0, 2);
  await user.click(button('this thread'));
  for (let i = 0; i < 3; i += 1) await user.click(button('Event ▶'));
  expect(seen().event).toMatch(/^srv_purge_coordinator_thread, core 2, changes waiters/);
});

test('it plays one recorded event after the other, and ends at the last', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const frames: FrameRequestCallback[] = [];
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame));
  const { reader, user, session } = await renderLocks(<LockPicturePanel server={server} />);
  const passFrame = (ms: number) => {
    nowMs += ms;
    for (const frame of frames.splice(0)) frame(nowMs);
  };
  reader.lookAt(0, null);
  await user.click(button('Play slowly'));
  await waitFor(() => expect(seen()).toMatchObject(pictures[0]!));
  passFrame(10);
  expect(seen()).toMatchObject(pictures[0]!);
  for (const picture of pictures.slice(1)) {
    for (let i = 0; i < 3; i += 1) passFrame(200);
    await waitFor(() => expect(seen()).toMatchObject(picture));
  }
  for (let i = 0; i < 3; i += 1) passFrame(500);
  expect(session.store.getState()).toMatchObject({ locks: { isPlaying: false } });
});

test('who wishes for less motion can only step', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query.includes('reduced-motion') }) as MediaQueryList,
  );
  const { reader, session, user } = await renderLocks(<LockPicturePanel server={server} />);
  const play = button('Play slowly');
  expect(play).toHaveAttribute('aria-disabled', 'true');
  reader.lookAt(0, null);
  await user.click(play);
  await session.commands.perform('locks.play');
  expect(session.store.getState()).toMatchObject({ locks: { isPlaying: false } });
  await user.click(button('Event ▶'));
  expect(seen()).toMatchObject(pictures[0]!);
});

test('of an opened file it says that none holds events', async () => {
  const { session, reader } = await renderLocks(<LockPicturePanel server={server} />);
  session.latchTrace.clear();
  session.store.setState({ opened: { name: 'saved.json' } });
  reader.lookAway();
  expect(await screen.findByText('A result file has no latch events.')).toBeVisible();
});
