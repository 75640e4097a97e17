import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { rw_lock_x_lock_decr as DECR, latch_classes } from '../../contract/gen/latch-classes';
import { latchBatchOf } from '../../recording/test-fixtures/latch-batch';
import { MUTEX } from '../../session/test-fixtures/drawn-run';
import { drawingsOn, textsOf } from '../../widgets/test-fixtures/reading';
import { renderLocks, showTime } from './test-fixtures';
import { ThreadTime } from './thread-time';

const panel = () => screen.getByRole('region', { name: 'Latch track' });
const headings = () => within(panel()).getAllByRole('button');
const canvas = () => panel().querySelector('canvas')!;
const strip = () => screen.getByRole('slider', { name: 'Visible time of track and lanes' });

// In this document without layout, each chart is 800 by 240 pixels.
const LEFT_PX = 4.2 * 16;
const PLOT_PX = 800 - 5.1 * 16;
const TOP_PX = 0.7 * 16;
const atTime = (tNs: number, ofNs = 500_000) => ({
  offsetX: LEFT_PX + (PLOT_PX * tNs) / ofNs,
  offsetY: TOP_PX + 60,
});

test('each latch is named with its holder and its queue, in the order in which they are watched', async () => {
  const { reader } = await renderLocks(<ThreadTime />);
  expect(textsOf(headings())).toEqual([
    `${MUTEX}: held by client 1 1 waiter`,
    'buf_pool->mutex: free no waiters',
  ]);
  reader.lookAt(35_000, null);
  await waitFor(() => {
    expect(headings()[0]).toHaveTextContent(`${MUTEX}: held by client 0`);
  });
  expect(headings()[0]).toHaveTextContent('2 waiters');
  expect(panel()).toHaveTextContent('at 0.035000 ms');
});

test('holds are drawn with the number of their owner, in a different color for each', async () => {
  const { reader } = await renderLocks(<ThreadTime />);
  showTime(reader, { fromNs: 5_000, toNs: 60_000 });
  const labels = () =>
    drawingsOn(canvas())
      .calls()
      .filter(({ type }) => type === 'fillText')
      .map(({ props }) => props.text as unknown as string);
  await waitFor(() => expect(labels()).toEqual(expect.arrayContaining(['0', '1'])));
  await waitFor(() => {
    expect(panel()).toHaveTextContent(/55\sµs up to 0\.060000 ms/);
  });
});

test('pressing a hold looks at its moment, its thread and its latch', async () => {
  const { user, session, reader } = await renderLocks(<ThreadTime />);
  const host = canvas().parentElement!;
  const coords = atTime(35_000);
  await waitFor(() => expect(drawingsOn(canvas()).calls().length).toBeGreaterThan(0));
  await user.pointer([
    { target: host, coords },
    { keys: '[MouseLeft]', target: host, coords },
  ]);
  expect(reader.look).toMatchObject({ slot: 0, isPinned: true });
  expect(session.store.getState()).toMatchObject({
    locks: { latch: 7, holdsMoment: true },
    selected: {
      kind: 'span',
      thread: 'client 0',
      words: `client 0 holds ${MUTEX} for 30 µs, acquired in fil_io`,
      latch: MUTEX,
    },
  });
  // The lanes show the same moment.
  await waitFor(() => {
    expect(screen.getByRole('status')).toHaveTextContent(/^client 0: running 60 µs/);
  });
});

test('pressing a name chooses the latch', async () => {
  const { user } = await renderLocks(<ThreadTime />);
  expect(headings()[0]).toHaveAttribute('aria-pressed', 'true');
  await user.click(headings()[1]!);
  expect(headings()[1]).toHaveAttribute('aria-pressed', 'true');
  expect(headings()[0]).toHaveAttribute('aria-pressed', 'false');
});

test('readers of an rw_lock are told from its writer', async () => {
  const { session, reader } = await renderLocks(<ThreadTime />);
  const latchClass = latch_classes.findIndex(({ name }) => name === 'RwLock');
  const word = { latch: 7, latchClass, kind: 'read_modify_write' } as const;
  session.latchTrace.clear();
  session.latchTrace.add(
    latchBatchOf([
      { ...word, atNs: 10_000, slot: 0, value: DECR - 1 },
      { atNs: 10_000, slot: 0, kind: 'gets', site: 0 },
      { ...word, atNs: 12_000, slot: 1, value: DECR - 2 },
      { atNs: 12_000, slot: 1, kind: 'gets', site: 0 },
      { atNs: 20_000, slot: 0, kind: 'gives_back' },
      { ...word, atNs: 20_000, slot: 0, value: DECR - 1 },
      { atNs: 21_000, slot: 1, kind: 'gives_back' },
      { ...word, atNs: 21_000, slot: 1, value: DECR },
      { ...word, atNs: 30_000, slot: 2, value: 0 },
      { atNs: 30_000, slot: 2, kind: 'gets', site: 0 },
    ]),
  );
  const headingAt = async (tNs: number) => {
    reader.lookAt(tNs, null);
    await waitFor(() => {
      expect(panel()).toHaveTextContent(`at ${(tNs / 1e6).toFixed(6)} ms`);
    });
    return headings()[0]!.textContent;
  };
  expect(await headingAt(15_000)).toBe(`${MUTEX}: held S by client 0, client 1 no waiters`);
  expect(await headingAt(25_000)).toBe(`${MUTEX}: free no waiters`);
  expect(await headingAt(40_000)).toBe(`${MUTEX}: held X by srv_purge_coordinator_thread no waiters`);
});

test('the strip says which part of the known time is shown, and moves and zooms it by key', async () => {
  const { user, reader } = await renderLocks(<ThreadTime />);
  showTime(reader, { fromNs: 40_000, toNs: 60_000 });
  await waitFor(() => {
    expect(strip()).toHaveAttribute('aria-valuetext', '20 µs from 0.040000 ms, of 100 µs recorded');
  });
  strip().focus();
  await user.keyboard('{ArrowLeft}');
  expect(reader.range).toEqual({ fromNs: 38_000, toNs: 58_000 });
  await user.keyboard('{Home}');
  expect(reader.range).toEqual({ fromNs: 0, toNs: 20_000 });
  await user.keyboard('+');
  expect(reader.range).toEqual({ fromNs: 5_000, toNs: 15_000 });
  await user.keyboard('{End}');
  expect(reader.range).toEqual({ fromNs: 90_000, toNs: 100_000 });
});

test('before a latch is watched the track says what it will show', async () => {
  const { session } = await renderLocks(<ThreadTime />);
  session.latchTrace.clear();
  expect(await screen.findByText(/^(No latch activity yet|Run to trace)/)).toBeVisible();
  expect(session.commands.isEnabled('locks.step_forward')).toBe(false);
});

test('while no track is known the room of the last ones stays, so that the lanes do not move', async () => {
  const { session } = await renderLocks(<ThreadTime />);
  const rows = panel().querySelector<HTMLElement>('.latch-track-rows')!.style.height;
  expect(parseFloat(rows)).toBeGreaterThan(0);
  session.latchTrace.clear();
  const nothing = await screen.findByText(/^(No latch activity yet|Run to trace)/);
  expect(nothing.style.minHeight).toBe(rows);
});
