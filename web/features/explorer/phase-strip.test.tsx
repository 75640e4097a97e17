import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { zoomCharts } from '../../session/chart-picture';
import { drawn_rows, showDrawnRows } from '../../session/test-fixtures/drawn-run';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { PhaseStrip } from './phase-strip';

const phases = () => screen.getAllByRole('listitem');
const labels = () => phases().map((phase) => phase.querySelector('.phase-label')!.textContent);

/** 20 moments, a virtual millisecond apart: after the mark at 10 ms three times as many transactions end. */
async function shown() {
  const session = sessionForTest();
  await showDrawnRows(session);
  session.history.clear();
  let transactions = 0;
  session.history.show(
    Array.from({ length: 20 }, (_, i) => ({
      ...drawn_rows[0]!,
      t_s: (i + 1) / 1000,
      transactions: (transactions += i < 10 ? 10 : 30),
    })),
  );
  return { session, ...renderView(session, <PhaseStrip />) };
}

test('each phase stands on the time axis with its mean and the ratio to the one before', async () => {
  await shown();
  expect(labels()).toEqual(['MySQL 5.6 (the bug)', '68 shards by tablespace number; One mutex per instance']);
  const [first, second] = phases();
  expect(first).toHaveTextContent('10,000');
  expect(first!.querySelector('.phase-ratio')).toBeNull();
  expect(second).toHaveTextContent('30,000');
  expect(second).toHaveTextContent('3.0×');
  expect(second).toHaveAttribute('data-change', 'better');
  expect([first!.style.left, first!.style.width]).toEqual(['0%', '50%']);
  expect(second!.style.left).toBe('50%');
});

test('it shows the part of the run that the charts show', async () => {
  const { session } = await shown();
  zoomCharts(session, { from_s: 0.012, to_s: 0.016 });
  await waitFor(() => {
    expect(phases()).toHaveLength(1);
  });
  expect(phases()[0]!.style.width).toBe('100%');
});

test('a phase that is pressed is looked into, and let go again', async () => {
  const { session, user } = await shown();
  const [, second] = phases();
  const button = within(second!).getByRole('button');
  await user.click(button);
  expect(session.store.getState().selected).toEqual({ kind: 'phase', from_s: 0.01 });
  expect(button).toHaveAttribute('aria-pressed', 'true');
  await user.click(button);
  expect(session.store.getState().selected).toBeNull();
});

test('before the first run it says what will stand there', () => {
  renderView(sessionForTest(), <PhaseStrip />);
  expect(screen.getByText(/^The mean throughput of each part/)).toBeVisible();
});
