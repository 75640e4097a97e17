import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { chainPath } from '../../analysis/chain-path';
import { drawn_explanation } from '../../contract/explanation-fixture';
import { MUTEX } from '../../session/test-fixtures/drawn-run';
import { drawingsOn } from '../../widgets/test-fixtures/reading';
import { LanesPanel } from './lanes-panel';
import { renderLocks, showTime } from './test-fixtures';

const LEFT_PX = 4.2 * 16;
const PLOT_PX = 800 - 5.1 * 16;
const MIDDLE_PX = LEFT_PX + PLOT_PX / 2;

const lanes = () => screen.getByRole('application', { name: /^Thread states/ });
const words = () => screen.getByRole('status');
/** The words follow in one of the next frames. */
const waitForWords = (expected: string | RegExp) =>
  waitFor(() => {
    expect(words()).toHaveTextContent(expected);
  });
const orderButton = (name: string) => screen.getByRole('button', { name });

const drawn = () => drawingsOn(lanes().querySelector('canvas')!);
const filled = () =>
  drawn()
    .calls()
    .filter(({ type }) => type === 'fillRect')
    .map(({ props }) => ({ width: props.width!, height: props.height! }));

test('the lanes say how many threads there are, and what clients do now', async () => {
  await renderLocks(<LanesPanel />);
  expect(await screen.findByText('2 clients, 1 server thread')).toBeVisible();
  expect(lanes()).toHaveAccessibleName('Thread states over virtual time. Now: 2 running.');
});

test('a wait names its latch and who has it at that moment, and leads there and back', async () => {
  const { user, session, reader } = await renderLocks(<LanesPanel />);
  await screen.findByText(/^2 clients/);
  await session.commands.perform('locks.order.name');
  lanes().focus();
  await user.keyboard('{ArrowUp}{ArrowDown}');
  expect(await screen.findByText(/ · pinned/)).toBeVisible();
  await waitForWords('client 0: running 40 µs');
  await user.keyboard('{ArrowDown}{ArrowLeft}{ArrowLeft}');
  const wait = `client 1: spinning 20.4 µs for ${MUTEX} in fil_space_get_version`;
  await waitForWords(
    `${wait}; at this time client 0 holds it, acquired in fil_io; 2 threads held it in that time`,
  );
  await user.keyboard('{Enter}');
  await waitForWords(/^client 0: running 60 µs$/);
  await user.keyboard('{Backspace}');
  await waitForWords(wait);
  // The same wait, later: client 0 has released the latch, and no one holds it.
  reader.lookAt(40_200, 1);
  await waitForWords(`${wait}; at this time no one holds it; 2 threads held it in that time`);
  // So there is no holder to go to.
  await user.keyboard('{Enter}');
  await waitForWords(wait);
  await user.keyboard('{Escape}');
  await waitForWords(/^$/);
  await waitFor(() => expect(screen.queryByText(/ · pinned/)).toBeNull());
});

test('of a latch that is not watched, the holder at the beginning of the wait is told', async () => {
  const { session, reader } = await renderLocks(<LanesPanel />);
  session.latchTrace.clear();
  reader.lookAt(40_200, 1);
  await waitForWords(/; at the start held by client 0, acquired in fil_io$/);
});

test('what is learned later of a moment that stands is drawn', async () => {
  const { session, reader } = await renderLocks(<LanesPanel />);
  await waitFor(() => expect(filled().length).toBeGreaterThan(0));
  const { nowNs } = reader.known;
  const { chosen } = reader;
  drawn().clear();
  session.lanes.clear();
  await waitFor(() => expect(drawn().events().length).toBeGreaterThan(0));
  expect(reader.known.nowNs).toBe(nowNs);
  expect(reader.chosen).toBe(chosen);
});

test('lanes stand by wait, by hold or by name; a thread of the server that waited stands first', async () => {
  const { user, reader } = await renderLocks(<LanesPanel />);
  await screen.findByText(/^2 clients/);
  const orderAfter = async (name: string) => {
    await user.click(orderButton(name));
    expect(orderButton(name)).toHaveAttribute('aria-pressed', 'true');
    return reader.threads.map(({ slot }) => slot);
  };
  // Client 0 held the mutex for 30 µs; client 1 has held it since 40.4 µs, after spinning for 20.
  expect(await orderAfter('hold')).toEqual([2, 1, 0]);
  expect(await orderAfter('name')).toEqual([2, 0, 1]);
  expect(await orderAfter('wait')).toEqual([2, 1, 0]);
});

test('wheel, keys and drag show less time, more, or another part of it', async () => {
  const { user, reader } = await renderLocks(<LanesPanel />);
  await screen.findByText(/^2 clients/);
  const range = () => reader.range;
  expect(range()).toEqual({ fromNs: 0, toNs: 500_000 });
  const wheel = (turn: WheelEventInit) => {
    // happy-dom's event has neither a position nor modifier keys.
    const event = Object.assign(new WheelEvent('wheel', turn), { offsetX: MIDDLE_PX }, turn);
    lanes().dispatchEvent(event);
  };
  wheel({ deltaY: -100 });
  expect(range().toNs - range().fromNs).toBe(400_000);
  wheel({ deltaY: 100 });
  // The browser handles the page's own zoom.
  wheel({ deltaY: 100, ctrlKey: true });
  expect(range().toNs - range().fromNs).toBe(500_000);
  lanes().focus();
  for (let i = 0; i < 4; i += 1) await user.keyboard('+');
  expect(range().toNs - range().fromNs).toBe(31_250);
  showTime(reader, { fromNs: 40_000, toNs: 60_000 });
  await user.keyboard('{Shift>}{ArrowLeft}{/Shift}');
  expect(range()).toEqual({ fromNs: 36_000, toNs: 56_000 });
  const before = range();
  await user.pointer([
    { keys: '[MouseLeft>]', target: lanes(), coords: { offsetX: MIDDLE_PX, offsetY: 20 } },
    { target: lanes(), coords: { offsetX: MIDDLE_PX + 40, offsetY: 20 } },
    { keys: '[/MouseLeft]', target: lanes(), coords: { offsetX: MIDDLE_PX + 40, offsetY: 20 } },
  ]);
  expect(range().fromNs).toBeLessThan(before.fromNs);
  expect(reader.look).toBeNull();
  await user.keyboard('-');
  expect(range().toNs - range().fromNs).toBe(40_000);
});

test('two fingers zoom around what lies between them', async () => {
  const { user, reader } = await renderLocks(<LanesPanel />);
  await screen.findByText(/^2 clients/);
  showTime(reader, { fromNs: 20_000, toNs: 60_000 });
  const width = () => reader.range.toNs - reader.range.fromNs;
  const at = (xPx: number) => ({ target: lanes(), coords: { offsetX: xPx, offsetY: 20 } });
  await user.pointer([
    { keys: '[TouchA>]', ...at(MIDDLE_PX - 50) },
    { keys: '[TouchB>]', ...at(MIDDLE_PX + 50) },
    { pointerName: 'TouchA', ...at(MIDDLE_PX - 100) },
    { pointerName: 'TouchB', ...at(MIDDLE_PX + 100) },
  ]);
  expect(width()).toBeCloseTo(20_000, 6);
});

test('a press holds the moment that is pointed at, and the inspector tells of it; another one lets it go', async () => {
  const { user, session } = await renderLocks(<LanesPanel />);
  await session.commands.perform('locks.order.name');
  await screen.findByText(/^2 clients/);
  // 30 of 500 µs into the last of three lanes, client 1's.
  const coords = { offsetX: LEFT_PX + PLOT_PX * 0.06, offsetY: 48 };
  const press = () =>
    user.pointer([
      { target: lanes(), coords },
      { keys: '[MouseLeft]', target: lanes(), coords },
    ]);
  await press();
  await waitForWords(/^client 1: spinning/);
  await user.pointer({ target: document.body });
  await waitForWords(/^client 1: spinning/);
  expect(session.store.getState().selected).toMatchObject({ kind: 'span', thread: 'client 1', latch: MUTEX });
  await press();
  await user.pointer({ target: document.body });
  await waitForWords(/^$/);
});

test('a part of a chain fills the lanes, with a quarter of it before and after; then all of it comes back', async () => {
  const { locks, reader } = await renderLocks(<LanesPanel />);
  await screen.findByText(/^2 clients/);
  locks.showPath(chainPath(drawn_explanation));
  const whole = reader.range;
  locks.showPathPart({ fromNs: 30_000, toNs: 60_000 });
  expect(reader.range).toEqual({ fromNs: 22_500, toNs: 67_500 });
  await waitFor(() => {
    const edges = filled().filter(({ width, height }) => width === 1 && height > 24);
    expect(edges).toHaveLength(2);
  });
  locks.showPathPart(null);
  expect(reader.range).toEqual(whole);
});

test('a press right after the run went back, before the lanes are drawn anew, holds a moment of what is shown then', async () => {
  const { session, reader } = await renderLocks(<LanesPanel />);
  await session.commands.perform('locks.order.name');
  showTime(reader, { fromNs: 68_750, toNs: 100_000 });
  await waitFor(() => expect(drawn().events().length).toBeGreaterThan(0));
  expect(reader.range).toEqual({ fromNs: 68_750, toNs: 100_000 });
  const { threads, names } = reader.known;
  session.lanesNow = () => ({ nowNs: 50_000, threads, names });
  session.lanes.cutFrom(3);
  const place = Object.assign(new MouseEvent('click'), { offsetX: MIDDLE_PX, offsetY: 48 });
  act(() => {
    lanes().dispatchEvent(place);
  });
  // The last lane in the present order: the server's thread has not waited yet.
  expect(reader.threads.map(({ slot }) => slot)).toEqual([0, 1, 2]);
  expect(reader.held).toEqual({ slot: 2, tNs: 34_375 });
  expect(reader.range).toEqual({ fromNs: 18_750, toNs: 50_000 });
});

test('under a pointer that rests, the lanes go back with the run; a moment that is held stays', async () => {
  const { session, reader } = await renderLocks(<LanesPanel />);
  await screen.findByText(/^2 clients/);
  const { threads, names } = reader.known;
  const goBackTo = (nowNs: number) => {
    session.lanesNow = () => ({ nowNs, threads, names });
    session.lanes.cutFrom(3);
  };
  reader.pointAt({ tNs: 30_000, slot: 1 });
  goBackTo(50_000);
  expect(reader.look).toBeNull();
  expect(reader.known.nowNs).toBe(50_000);
  reader.lookAt(30_000, 1);
  goBackTo(40_000);
  expect(reader.held).toEqual({ slot: 1, tNs: 30_000 });
  expect(reader.known.nowNs).toBe(50_000);
});

test('each state is drawn as high as its legend says', async () => {
  await renderLocks(<LanesPanel />);
  await waitFor(() => expect(filled().length).toBeGreaterThan(3));
  // Running, spinning, waiting and the bar of a hold use different parts of a lane.
  expect(new Set(filled().map(({ height }) => height.toFixed(1))).size).toBeGreaterThanOrEqual(4);
});
