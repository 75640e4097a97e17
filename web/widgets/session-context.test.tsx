import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { LiveView } from '../contract/live-view';
import { sessionForTest } from '../session/test-fixtures/session-for-test';
import { Part } from './part';
import { SessionContext, useInFrame } from './session-context';
import { textsOf } from './test-fixtures/reading';

let waiting: FrameRequestCallback[] = [];
const passFrame = () => {
  act(() => {
    for (const callback of waiting.splice(0)) callback(0);
  });
};

beforeEach(() => {
  waiting = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => waiting.push(callback));
});
afterEach(() => {
  for (let frames = 0; frames < 9; frames += 1) passFrame();
  vi.unstubAllGlobals();
});

const RunTime = ({ name }: { name: string }) => (
  <output aria-label={name}>{useInFrame(({ live }) => live?.run_s ?? 0)}</output>
);
const shown = () => textsOf(screen.getAllByRole('status'));

/** Renders two parts, of which the first has two views. */
function twoParts() {
  const session = sessionForTest();
  render(
    <SessionContext value={session}>
      <Part name="Tiles">
        <RunTime name="tile" />
        <RunTime name="beside it" />
      </Part>
      <Part name="Table">
        <RunTime name="row" />
      </Part>
    </SessionContext>,
  );
  const show = (runS: number) => {
    act(() => session.store.setState({ live: { run_s: runS } as LiveView }));
  };
  return { session, show };
}

test('while a run goes on, each part of the page shows new figures in a frame of its own', () => {
  const { session, show } = twoParts();
  act(() => session.store.setState({ run_state: 'running' }));
  for (let frames = 0; frames < 4; frames += 1) passFrame();
  show(1);
  show(2);
  expect(shown()).toEqual(['0', '0', '0']);
  passFrame();
  expect(shown()).toEqual(['2', '2', '0']);
  passFrame();
  expect(shown()).toEqual(['2', '2', '2']);
});

test.each(['paused', 'finished'] as const)('of a run that is %s, figures are shown at once', (runState) => {
  const { session, show } = twoParts();
  act(() => session.store.setState({ run_state: runState }));
  show(3);
  expect(shown()).toEqual(['3', '3', '3']);
});
