import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { shownRange } from '../../session/chart-picture';
import { showDrawnRows } from '../../session/test-fixtures/drawn-run';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { drawingsOn } from '../../widgets/test-fixtures/reading';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { Overview } from './overview';

const PLOT_LEFT_PX = 4.2 * 16;
const PLOT_WIDTH_PX = 800 - (4.2 + 0.9) * 16;
const handle = () => screen.getByRole('slider', { name: 'Visible part of the run' });

async function shown() {
  const session = sessionForTest();
  await showDrawnRows(session);
  const view = renderView(session, <Overview />);
  await waitFor(() => {
    expect(handle()).toHaveAttribute('aria-valuetext', '0.00 to 12.00 of 12.00 ms');
  });
  const range = () => {
    const { fromS, toS } = shownRange(session);
    return [fromS, toS].map((tS) => Number((tS * 1000).toFixed(2)));
  };
  const drag = (from: number, to: number) => {
    const at = (part: number) => ({
      target: handle(),
      coords: { offsetX: PLOT_LEFT_PX + PLOT_WIDTH_PX * part, offsetY: 10 },
    });
    return view.user.pointer([
      { ...at(from), keys: '[MouseLeft>]' },
      at(to),
      { ...at(to), keys: '[/MouseLeft]' },
    ]);
  };
  return { session, range, drag, ...view };
}

test('by pointer a part is chosen, moved, and drawn out at its edges', async () => {
  const { range, drag, user } = await shown();
  await drag(0.25, 0.5);
  expect(range()).toEqual([3, 6]);
  await drag(0.375, 0.625);
  expect(range()).toEqual([6, 9]);
  await drag(0.75, 0.9);
  expect(range()[0]).toBe(6);
  expect(range()[1]).toBeCloseTo(10.8);
  await user.dblClick(handle());
  expect(range()).toEqual([0, 12]);
});

test('by key it is moved and zoomed, and never leaves the run', async () => {
  const { range, user } = await shown();
  handle().focus();
  await user.keyboard('+');
  expect(range()).toEqual([1.2, 10.8]);
  await user.keyboard('{ArrowLeft}');
  expect(range()).toEqual([0.24, 9.84]);
  await user.keyboard('{End}');
  expect(range()).toEqual([2.4, 12]);
  await user.keyboard('{Home}');
  expect(range()).toEqual([0, 9.6]);
  await user.keyboard('{Escape}');
  expect(range()).toEqual([0, 12]);
});

test('the wheel zooms around the moment below it, sideways it moves', async () => {
  const { range } = await shown();
  const turn = (init: WheelEventInit) => {
    const event = new WheelEvent('wheel', { bubbles: true, cancelable: true, ...init });
    Object.defineProperty(event, 'offsetX', { value: PLOT_LEFT_PX });
    handle().dispatchEvent(event);
  };
  turn({ deltaY: -100 });
  expect(range()).toEqual([0, 9.6]);
  turn({ deltaX: PLOT_WIDTH_PX / 10 });
  expect(range()).toEqual([1.2, 10.8]);
});

test('it draws the whole run, whatever the charts show', async () => {
  await shown();
  const canvas = document.querySelector<HTMLCanvasElement>('.overview canvas')!;
  await waitFor(() => expect(drawingsOn(canvas).events().length).toBeGreaterThan(0));
});

test('there is none before the first run', () => {
  renderView(sessionForTest(), <Overview />);
  expect(screen.queryByRole('slider')).toBeNull();
});
