import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import type { PastReadings } from '../../contract/page-readings';
import type { RunMark } from '../../recording/run-marks';
import type { Session } from '../../session/session';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { rewindCommands } from './rewind';
import { RewindBar } from './rewind-bar';

const MIB = 2 ** 20;
const past: PastReadings = {
  keyframes: 8,
  bytes: 100.5 * MIB,
  budget_bytes: 512 * MIB,
  furthest_events: 9_000,
  furthest_run_ns: 80_000_000,
  part_done: null,
};

function barOf(change: Partial<PastReadings> | null = {}, runNs = 20_000_000, events = 4_000) {
  const session = sessionForTest();
  session.commands.register(rewindCommands(session));
  const goTo = vi.spyOn(session, 'goTo').mockResolvedValue();
  const { draftSpec } = session.store.getState();
  session.store.setState({ spec: draftSpec, run_state: 'paused' });
  show(session, change, runNs, events);
  renderView(session, <RewindBar />);
  return { session, goTo };
}

function show(session: Session, change: Partial<PastReadings> | null, runNs: number, events: number) {
  session.store.setState({
    model: { run_ns: runNs, events, host_ms: 1, past: change === null ? null : { ...past, ...change } },
  });
}

const button = (name: string) => screen.getByRole('button', { name });
const slider = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Position in the run' });

test('it says where the run is, how far it was and what the moments take', () => {
  barOf();
  expect(screen.getByRole('status')).toHaveTextContent('At 20.00 ms of 80.00 ms, event 4,000');
  expect(screen.getByText('8 checkpoints, 101 of 512 MiB')).toBeVisible();
  expect(slider()).toHaveAttribute('aria-valuetext', '20.00 ms');
  expect(slider().valueAsNumber).toBe(20_000_000);
});

test('each button goes to its moment', () => {
  const { session, goTo } = barOf({}, 20_004_000);
  const marks = [5_000_000, 20_004_000].map((runNs) => ({ run_ns: runNs }) as RunMark);
  act(() => session.store.setState({ marks }));
  for (const name of ['−1 event', '−10 µs', 'Mark', 'Start', 'Latest']) button(name).click();
  expect(goTo.mock.calls.flat()).toEqual([
    { events_back: 1 },
    { run_ns: 20_000_000 },
    { run_ns: 5_000_000 },
    { run_ns: 0 },
    { events: 9_000 },
  ]);
});

test('what is selected in the lanes is gone back to, if it began before', async () => {
  const { session, goTo } = barOf();
  const span = { kind: 'span', thread: 'client 1', clientMoment: null, words: '', latch: null } as const;
  session.select({ ...span, fromNs: 21_000_000 });
  expect(session.commands.isEnabled('rewind.selected')).toBe(false);
  session.select({ ...span, fromNs: 19_000_500 });
  await session.commands.perform('rewind.selected');
  expect(goTo).toHaveBeenCalledWith({ run_ns: 19_000_500 });
});

test('the slider goes where it is let go', () => {
  const { goTo } = barOf();
  fireEvent.input(slider(), { target: { value: '60000000' } });
  expect(slider()).toHaveAttribute('aria-valuetext', '60.00 ms');
  expect(goTo).not.toHaveBeenCalled();
  fireEvent.change(slider(), { target: { value: '60000000' } });
  expect(goTo).toHaveBeenCalledWith({ run_ns: 60_000_000 });
});

test('on the way it says how far it is', () => {
  barOf({ part_done: 0.43 });
  expect(screen.getByRole('status')).toHaveTextContent('Going back: 43 %');
});

test.each([
  ['no run', null, 'Run, then go back to any time.'],
  [
    'too little memory',
    { keyframes: null, budget_bytes: 64 * MIB },
    'This run cannot go back: its server does not fit in the 64 MiB for checkpoints. Use a smaller buffer pool.',
  ],
])('with %s nothing can be pressed, and it says why', (_, change, text) => {
  const { goTo } = barOf(change);
  expect(screen.getByRole('status')).toHaveTextContent(text);
  for (const name of ['−1 event', '−10 µs', 'Mark', 'Start', 'Latest']) {
    expect(button(name)).toHaveAttribute('aria-disabled', 'true');
    button(name).click();
  }
  expect(slider()).toBeDisabled();
  expect(goTo).not.toHaveBeenCalled();
});

test('at the newest moment there is nothing to go on to; at the start nothing to go back to', () => {
  const { session } = barOf({}, 80_000_000, 9_000);
  expect(button('Latest')).toHaveAttribute('aria-disabled', 'true');
  expect(button('−1 event')).toHaveAttribute('aria-disabled', 'false');
  act(() => show(session, {}, 0, 100));
  expect(button('−1 event')).toHaveAttribute('aria-disabled', 'true');
  expect(button('Latest')).toHaveAttribute('aria-disabled', 'false');
});
