import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { defaultRunSpec } from '../../contract/run-spec';
import { fil_mutex, machine } from '../../contract/test-fixtures';
import { busy_states } from '../../contract/time-shares';
import { ChartsPanel } from './charts-panel';
import { drawnRows, showDrawnRows } from '../../session/test-fixtures/drawn-run';
import { registerStandIns, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { drawingsOn, textsOf } from '../../widgets/test-fixtures/reading';
import { renderView } from '../../widgets/test-fixtures/render-view';

const noShares = Object.fromEntries(busy_states.map((state) => [state, null]));
const charts = ['Throughput', 'Latency', 'Client time'];
const PLOT_LEFT_PX = 4.2 * 16;
const PLOT_WIDTH_PX = 800 - (4.2 + 0.9) * 16;

const momentIn = (chart: string) => screen.getByRole('slider', { name: `Time in ${chart}` });
const shownPart = () => screen.getByRole('status', { name: 'Visible part of the run' });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const spoken = () => screen.getByRole('status', { name: 'Values at the selected time' });
const panel = (title: string) => screen.getByRole('region', { name: title });
const readoutIn = (title: string) => panel(title).querySelector('.readout')!;

const drawingsOf = (title: string) => drawingsOn(panel(title).querySelector('canvas')!);
const dataDrawnIn = (title: string) => drawingsOf(title).events().length;

/** Waits until everything due has been drawn; each frame does only one task. */
async function framesPass(): Promise<void> {
  for (let frames = 0; frames < 12; frames += 1) await new Promise(requestAnimationFrame);
}

async function shown() {
  const session = sessionForTest();
  registerStandIns(session, 'explain.p99_now');
  await showDrawnRows(session);
  const view = renderView(session, <ChartsPanel />);
  await framesPass();
  return { session, ...view };
}

/** Drags over a chart, from one share of its plot to another. */
async function dragOver(
  { user }: Awaited<ReturnType<typeof shown>>,
  chart: string,
  from: number,
  to: number,
) {
  const target = momentIn(chart);
  const at = (share: number) => ({
    target,
    coords: { offsetX: PLOT_LEFT_PX + PLOT_WIDTH_PX * share, offsetY: 100 },
  });
  await user.pointer([
    { ...at(from) },
    { keys: '[MouseLeft>]', ...at(from) },
    { ...at((from + to) / 2) },
    { ...at(to) },
    { keys: '[/MouseLeft]', ...at(to) },
  ]);
}

test('the crosshair goes by keyboard from row to row, in all charts, and tells what the table tells', async () => {
  const { user } = await shown();
  await user.click(screen.getByText('Show values as table'));
  const table = await screen.findByRole('table', {
    name: '12 evenly spaced samples of the visible range',
  });
  const titles = textsOf(within(table).getAllByRole('columnheader'));
  const rows = [...table.querySelectorAll('tbody tr')].map((row) =>
    Object.fromEntries([...row.children].map((cell, i) => [titles[i]!, cell.textContent])),
  );
  momentIn('Latency').focus();
  const steps = [
    ['{Home}', 0],
    ['{ArrowRight}', 1],
    ['{ArrowRight}', 2],
    ['{ArrowLeft}', 1],
    ['{End}', 11],
    ['{Shift>}{ArrowLeft}{/Shift}', 1],
  ] as const;
  for (const [key, index] of steps) {
    await user.keyboard(key);
    const row = rows[index]!;
    const moment = `${row['time, ms']} ms`;
    await waitFor(() => {
      expect(spoken()).toHaveTextContent(`${moment}: transactions ${row['transactions/s']}/s`);
    });
    expect(spoken()).toHaveTextContent(`p50 ${row['p50, µs']} µs`);
    expect(spoken()).toHaveTextContent(`running ${row['running, %']} %`);
    await waitFor(() => {
      for (const chart of charts) {
        expect(momentIn(chart)).toHaveAttribute('aria-valuetext', moment);
        expect(readoutIn(chart)).toHaveTextContent(moment);
      }
    });
  }
  expect(rows[0]!['transactions/s']).toBe('1,000');
  await user.keyboard('{Escape}');
  await waitFor(() => {
    expect(spoken()).toHaveTextContent(/^$/);
  });
});

test('Page Up and Page Down go from mark to mark, and the readout says what happened', async () => {
  const { user } = await shown();
  momentIn('Throughput').focus();
  await user.keyboard('{PageUp}');
  await waitFor(() => {
    expect(readoutIn('Throughput')).toHaveTextContent('Tablespace look-up: 68 shards by tablespace number');
  });
  expect(
    screen.getByRole('img', { name: /^Transactions .* Marks: 68 shards by tablespace number at 10\.00? ms/ }),
  ).toBeVisible();
});

test('a pointer reads the row below it; away from the chart nothing is read', async () => {
  const { user } = await shown();
  const coords = { offsetX: PLOT_LEFT_PX + PLOT_WIDTH_PX / 2, offsetY: 100 };
  await user.pointer({ target: momentIn('Throughput'), coords });
  await waitFor(() => {
    expect(readoutIn('Latency')).toBeVisible();
  });
  await waitFor(() => {
    expect(momentIn('Latency')).toHaveAttribute('aria-valuetext', expect.stringContaining('ms'));
  });
  // Screen readers announce moments chosen by keys, not those that a pointer passes.
  expect(spoken()).toHaveTextContent(/^$/);
  await user.pointer({ target: document.body });
  await waitFor(() => {
    expect(momentIn('Latency')).toHaveAttribute('aria-valuetext', 'no time selected');
  });
});

test('a range that is dragged over is shown by all charts, until it is given up', async () => {
  const view = await shown();
  const { user } = view;
  const ranges = () => [
    ...new Set(charts.map((chart) => `${momentIn(chart).ariaValueMin} to ${momentIn(chart).ariaValueMax}`)),
  ];
  const whole = ranges();
  expect(whole).toHaveLength(1);
  await dragOver(view, 'Latency', 0.25, 0.75);
  expect(shownPart()).toHaveTextContent(/^zoomed to [\d.]+–[\d.]+ ms$/);
  momentIn('Throughput').focus();
  await user.keyboard('{Home}');
  await waitFor(() => {
    expect(ranges()).toHaveLength(1);
    expect(ranges()).not.toEqual(whole);
  });
  // Escape leaves the moment first, then the zoom.
  await user.keyboard('{Escape}');
  expect(shownPart()).toHaveTextContent('zoomed to');
  await user.keyboard('{Escape}');
  expect(shownPart()).toHaveTextContent(/^$/);

  await user.keyboard('{End}+');
  expect(shownPart()).toHaveTextContent('zoomed to');
  await user.keyboard('0');
  expect(shownPart()).toHaveTextContent(/^$/);

  await dragOver(view, 'Latency', 0.5, 0.3);
  expect(shownPart()).toHaveTextContent('zoomed to');
  await user.dblClick(momentIn('Latency'));
  expect(shownPart()).toHaveTextContent(/^$/);

  await dragOver(view, 'Latency', 0.3, 0.5);
  await user.click(button('Whole run'));
  expect(shownPart()).toHaveTextContent(/^$/);
});

test('a press that hardly moves chooses no range', async () => {
  const view = await shown();
  await dragOver(view, 'Latency', 0.5, 0.505);
  expect(shownPart()).toHaveTextContent(/^$/);
});

test('frozen charts stay as they are while the run goes on, and follow it again', async () => {
  const { session, user } = await shown();
  session.store.setState({ run_state: 'running' });
  await framesPass();
  await user.click(button('Freeze'));
  expect(shownPart()).toHaveTextContent(/^frozen at [\d.]+ ms$/);
  expect(button('Freeze')).toHaveAttribute('aria-pressed', 'true');
  await framesPass();
  const drawn = charts.map(dataDrawnIn);
  const last = drawnRows.at(-1)!;
  session.history.append({ ...last, t_s: last.t_s! + 0.001, transactions_per_s: 90_000 });
  await framesPass();
  expect(charts.map(dataDrawnIn)).toEqual(drawn);
  await user.click(button('Follow'));
  expect(shownPart()).toHaveTextContent(/^$/);
  await framesPass();
  for (const [i, chart] of charts.entries()) expect(dataDrawnIn(chart), chart).toBeGreaterThan(drawn[i]!);
});

test('the run before stands behind the next one, and can be taken out', async () => {
  const { session, user } = await shown();
  expect(screen.queryByRole('button', { name: /^previous run:/ })).toBeNull();
  session.store.setState({
    previousRun: {
      history: session.history.copy(),
      design: 'original',
      threads: 4,
      whatIf: null,
      kind: 'previous',
      phases: [],
    },
  });
  const toggle = await screen.findByRole('button', { name: /^previous run:/ });
  expect(toggle).toHaveTextContent('previous run: original, 4 clients');
  expect(toggle).toHaveAttribute('aria-pressed', 'true');
  await framesPass();
  const eventsOfNextDrawing = async () => {
    for (const chart of charts) drawingsOf(chart).clear();
    session.store.setState(({ marks }) => ({ marks: [...marks] }));
    await framesPass();
    return charts.map(dataDrawnIn);
  };
  const withPrevious = await eventsOfNextDrawing();
  await user.click(toggle);
  expect(toggle).toHaveAttribute('aria-pressed', 'false');
  const without = await eventsOfNextDrawing();
  for (const [i, chart] of charts.entries()) expect(withPrevious[i], chart).toBeGreaterThan(without[i]!);
});

test('before the first run an invitation says what will happen; afterwards it is gone', async () => {
  const session = sessionForTest();
  registerStandIns(session, 'explain.p99_now');
  renderView(session, <ChartsPanel />);
  expect(button('Run on this machine')).toBeVisible();
  expect(screen.getByText(/^\d+ client threads\. Transaction:/)).toBeVisible();
  expect(screen.queryAllByRole('slider')).toEqual([]);
  const spec = defaultRunSpec(fil_mutex.manifest, machine);
  session.store.setState({ spec });
  expect(await screen.findAllByRole('slider', { name: /^Time in/ })).toHaveLength(3);
  expect(screen.queryByRole('button', { name: /^Run on/ })).toBeNull();
});

test('a chart that cannot be drawn leaves the others alone, and is shown again', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const session = sessionForTest();
  registerStandIns(session, 'explain.p99_now');
  await showDrawnRows(session);
  const clip = vi.spyOn(CanvasRenderingContext2D.prototype, 'clip').mockImplementation(() => {
    throw new Error('broken on purpose');
  });
  const { user } = renderView(session, <ChartsPanel />);
  expect(await screen.findByText(/^Chart “Throughput” could not be shown\.$/)).toBeVisible();
  // Three charts and the overview fail, each in a frame of its own.
  await waitFor(() => expect(screen.getAllByText('broken on purpose')).toHaveLength(4));
  expect(screen.getByText('Show values as table')).toBeVisible();
  clip.mockReturnValue();
  const [again] = screen.getAllByRole('button', { name: 'Show again' });
  await user.click(again!);
  expect(momentIn('Throughput')).toBeVisible();
  // Another run tries again by itself.
  session.store.setState(({ spec }) => ({ spec: { ...spec! } }));
  await waitFor(() => expect(screen.getAllByRole('slider', { name: /^Time in/ })).toHaveLength(3));
});

test('of a result from a file it says what the file lacks, and draws no empty chart', async () => {
  const { session } = await shown();
  const withoutShares = drawnRows.map((row) => ({ ...row, ...noShares }));
  expect(momentIn('Client time')).toBeVisible();
  act(() => session.store.setState({ opened: null }));
  act(() => {
    session.history.clear();
    session.history.show(withoutShares);
    session.store.setState({ opened: { name: 'mine.json' } });
  });
  expect(panel('Client time')).toHaveTextContent('for the whole run only');
  expect(panel('Client time').querySelector('canvas')).toBeNull();
  expect(momentIn('Throughput')).toBeVisible();
});
