import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { zoomCharts } from '../../session/chart-picture';
import { measuredPhases } from '../../session/measured-phases';
import type { Session } from '../../session/session';
import { drawnRows, showDrawnRows } from '../../session/test-fixtures/drawn-run';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { PhaseStrip } from './phase-strip';

const listed = (name: string | RegExp) => within(screen.getByRole('list', { name })).getAllByRole('listitem');
const phases = () => listed('Phases of the run');
const labelOf = (phase: Element) => phase.querySelector('.phase-label')!.textContent;
const labels = () => phases().map(labelOf);

/**
 * Shows 20 moments, a virtual millisecond apart. Three times as many transactions end after the
 * mark at 10 ms.
 */
async function shown() {
  const session = sessionForTest();
  await showDrawnRows(session);
  session.history.clear();
  let transactions = 0;
  session.history.show(
    Array.from({ length: 20 }, (_, i) => ({
      ...drawnRows[0]!,
      t_s: (i + 1) / 1000,
      transactions: (transactions += i < 10 ? 10 : 30),
    })),
  );
  return { session, ...renderView(session, <PhaseStrip />) };
}

test('each phase stands on the time axis with its mean and the ratio to the one before', async () => {
  await shown();
  expect(labels()).toEqual(['MySQL 5.6 (the bug)', '68 shards by tablespace number']);
  const [first, second] = phases();
  expect(first).toHaveTextContent('10,000');
  expect(first!.querySelector('.phase-ratio')).toBeNull();
  expect(second).toHaveTextContent('30,000');
  expect(second).toHaveTextContent('3.0×');
  expect(second).toHaveAttribute('data-change', 'better');
  expect([first!.style.left, first!.style.width]).toEqual(['0%', '50%']);
  expect(second!.style.left).toBe('50%');
});

test('a mean that may still change is told as about so many', async () => {
  const { session } = await shown();
  const means = () => phases().map((phase) => phase.querySelector('.phase-tps')!.textContent);
  expect(means()).toEqual(['10,000', '30,000']);
  // With this many clients, each phase is a tenth of the time they need to end the transactions
  // begun before.
  const { spec } = session.store.getState();
  act(() => session.store.setState({ spec: { ...spec!, threads: 1_000 } }));
  await waitFor(() => expect(means()).toEqual(['≈ 10,000', '≈ 30,000']));
});

test('it shows the part of the run that the charts show', async () => {
  const { session } = await shown();
  zoomCharts(session, { fromS: 0.012, toS: 0.016 });
  await waitFor(() => expect(phases()).toHaveLength(1));
  expect(phases()[0]!.style.width).toBe('100%');
});

test('a phase that is pressed is looked into, and let go again', async () => {
  const { session, user } = await shown();
  const [, second] = phases();
  const button = within(second!).getByRole('button');
  await user.click(button);
  expect(session.store.getState().selected).toEqual({ kind: 'phase', fromS: 0.01 });
  expect(button).toHaveAttribute('aria-pressed', 'true');
  await user.click(button);
  expect(session.store.getState().selected).toBeNull();
});

/** Draws the abandoned branch: without the change, it continues as it began until 20 ms. */
function drawBehind(session: Session): void {
  const { history, marks, spec } = { ...session.store.getState(), history: session.history.copy() };
  const { manifest } = session.store.getState().scenario;
  const other = { ...marks[0]!, run_ns: 5_000_000 };
  session.shownRun.showBehind({
    ...{ history, threads: 4, whatIf: null, kind: 'other_course', design: 'Original', branch: 'without it' },
    phases: measuredPhases({ marks: [other], history, spec: spec! }, manifest),
  });
}

test('the branch behind the run has a pale row of its own, with its name, the same axis and the same window rule', async () => {
  const { session } = await shown();
  expect(screen.getAllByRole('list')).toHaveLength(1);
  act(() => drawBehind(session));
  const behind = () => listed('Pale: branch “without it”: Original');
  expect(behind().map(labelOf)).toEqual(labels());
  const [first, second] = behind();
  expect([first!.style.left, first!.style.width]).toEqual(['0%', '25%']);
  expect([second!.style.left, second!.style.width]).toEqual(['25%', '75%']);
  // From 5 ms the first millisecond does not count, because clients end earlier transactions in it.
  // (4 x 10 + 10 x 30) in 14 ms.
  expect(first).toHaveTextContent('10,000');
  expect(second).toHaveTextContent('24,286');
  expect(second).toHaveTextContent('2.4×');
  expect(second).toHaveAttribute('data-change', 'better');
  expect(within(second!).queryByRole('button')).toBeNull();
  zoomCharts(session, { fromS: 0.012, toS: 0.016 });
  await waitFor(() => expect(behind().map(({ style }) => style.width)).toEqual(['100%']));
});

test('a previous run has no row, and neither has a branch removed from the charts', async () => {
  const { session } = await shown();
  act(() => {
    drawBehind(session);
    session.shownRun.showBehind({ ...session.store.getState().previousRun!, kind: 'previous' });
  });
  expect(screen.getAllByRole('list')).toHaveLength(1);
  act(() => drawBehind(session));
  expect(screen.getAllByRole('list')).toHaveLength(2);
  act(() => session.store.setState(({ chart }) => ({ chart: { ...chart, isPreviousRunShown: false } })));
  expect(screen.getAllByRole('list')).toHaveLength(1);
});

test('before the first run it says what will stand there', () => {
  renderView(sessionForTest(), <PhaseStrip />);
  expect(screen.getByText(/^Mean throughput per phase/)).toBeVisible();
});
