import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { pauseMark } from '../../engine-client/test-fixtures/pause-mark';
import { runMark } from '../../recording/run-marks';
import { linkShown } from '../../session/link';
import { registerStandIns, sessionForTest } from '../../session/test-fixtures/session-for-test';
import type { LiveView } from '../../contract/live-view';
import type { ExplorerState } from '../../session/store';
import { whatIfInWords } from '../../session/what-if-words';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { whatIfCommands } from './what-if';
import { WhatIfNote } from './what-if-note';
import { WhatIfPanel } from './what-if-panel';

const LATCH = 'fil_system->mutex';

async function panel() {
  const session = sessionForTest();
  session.commands.register(whatIfCommands(session));
  registerStandIns(session, 'what_if.curve', 'what_if.profile');
  await session.openPlatform('virtual');
  session.openView('explorer');
  const { user } = renderView(session, <WhatIfPanel />);
  const draft = () => session.store.getState().draft.what_if;
  return { session, user, draft };
}

const choice = (name: string) => screen.getByRole('combobox', { name });
const section = () => screen.getByRole('spinbutton', { name: 'Critical section' });
const next = () => screen.getByRole('status', { name: 'What-if of the next run' });

test('a latch, its section and its hand-over become what the next run supposes, and the link has it', async () => {
  const { session, user, draft } = await panel();
  expect(draft()).toBeNull();
  expect(next()).toHaveTextContent('Next run: no what-if.');
  await user.selectOptions(choice('Latch'), LATCH);
  await user.clear(section());
  await user.type(section(), '80');
  for (const [title, expected] of [
    ['line stays', { line: 'still' }],
    ['wake-up free', { wake_up: 'free' }],
    ['line stays, wake-up free', { line: 'still', wake_up: 'free' }],
    ['free: both, seen at once', { hand_over: 'free' }],
  ] as const) {
    await user.selectOptions(choice('Hand-off'), title);
    expect(draft()).toEqual({ latches: [{ latch: LATCH, section_percent: 80, ...expected }] });
  }
  expect(next()).toHaveTextContent(`Next run: ${LATCH}: critical section 80 %, hand-off free.`);
  expect(linkShown(session.store.getState(), session.linkFields)).toContain(
    `what_if.latch=${LATCH};section_percent=80;hand_over=free`,
  );
  await user.selectOptions(choice('Latch'), 'None');
  expect(draft()).toBeNull();
});

test('a cost of the server, too, and As it is clears all', async () => {
  const { user, draft } = await panel();
  await user.selectOptions(choice('Server cost'), 'PAUSE');
  const percent = screen.getByRole('spinbutton', { name: 'Percent of original' });
  await user.clear(percent);
  await user.type(percent, '50');
  expect(draft()).toEqual({ costs: { pause_ps: 50 } });
  expect(next()).toHaveTextContent('Next run: PAUSE 50 %.');
  await user.click(screen.getByRole('button', { name: 'Reset' }));
  expect(draft()).toBeNull();
  expect(screen.queryByRole('button', { name: 'Reset' })).toBeNull();
});

test('a bad percent is named at its field', async () => {
  const { session, user } = await panel();
  await user.selectOptions(choice('Latch'), LATCH);
  await user.clear(section());
  await user.type(section(), '201');
  expect(section()).toBeInvalid();
  expect(section()).toHaveAccessibleDescription('must be an integer from 0 to 200');
  expect(session.store.getState().draftSpec).toBeNull();
});

test('what a link has more of is told and kept', async () => {
  const { session, user, draft } = await panel();
  const whatIf = {
    costs: { pause_ps: 50, store_ps: 50 },
    latches: [
      { latch: LATCH, section_percent: 0 },
      { latch: 'buf_pool->mutex', hand_over: 'free' as const },
    ],
  };
  act(() => session.editDraft({ what_if: whatIf }));
  expect(screen.getByRole('region', { name: 'What if' })).toHaveTextContent(
    'From the link: 2 latches, 2 costs',
  );
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(draft()).toEqual(whatIf);
  await user.click(screen.getByRole('button', { name: 'Reset' }));
  expect(choice('Latch')).toBeVisible();
});

test('the latches that cost most come first', async () => {
  const { session } = await panel();
  const latchRows = [
    { latch: 'buf_pool->mutex', cost_share: 0.1 },
    { latch: LATCH, cost_share: 0.3 },
  ];
  act(() => session.store.setState({ live: { latch_rows: latchRows } as unknown as LiveView }));
  const first = within(choice('Latch')).getByRole('group', { name: 'Most expensive in this run' });
  expect(
    within(first)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual([LATCH, 'buf_pool->mutex']);
});

test('it may hold from a moment on, such as the one that is shown', async () => {
  const { session, user, draft } = await panel();
  await user.selectOptions(choice('Latch'), LATCH);
  await user.clear(section());
  await user.type(section(), '80');
  const fromHere = screen.getByRole('button', { name: 'From the time shown' });
  expect(fromHere).toHaveAttribute('aria-disabled', 'true');
  act(() => session.store.setState({ model: { run_ns: 20_000_000 } as ExplorerState['model'] }));
  await user.click(fromHere);
  expect(draft()).toEqual({ latches: [{ latch: LATCH, section_percent: 80 }], from_s: 0.02 });
  expect(next()).toHaveTextContent(`Next run: ${LATCH}: critical section 80 %; from 0.02 s.`);
  expect(linkShown(session.store.getState(), session.linkFields)).toContain('what_if.from_s=0.02');
  const from = screen.getByRole('spinbutton', { name: 'Applies from' });
  await user.clear(from);
  await user.type(from, '0');
  expect(draft()).toEqual({ latches: [{ latch: LATCH, section_percent: 80 }] });
});

test('in a run that goes on, the what-if may hold from here on, unless one holds already', async () => {
  const { session, user } = await panel();
  await user.selectOptions(choice('Server cost'), 'PAUSE');
  const here = screen.getByRole('button', { name: 'Apply from here' });
  expect(here).toHaveAttribute('aria-disabled', 'true');
  const { draftSpec, scenario } = session.store.getState();
  const spec = { ...draftSpec! };
  delete spec.what_if;
  const show = (change: Partial<ExplorerState>) => {
    act(() => session.store.setState(change));
  };
  show({ spec, runLock: 'going' });
  expect(here).not.toHaveAttribute('aria-disabled', 'true');
  const supposing = runMark({ ...pauseMark, kind: 'what_if', is_by_hand: true }, scenario.manifest);
  show({ marks: [supposing] });
  expect(here).toHaveAttribute('aria-disabled', 'true');
  show({ marks: [], spec: { ...spec, what_if: { costs: { pause_ps: 50 } } } });
  expect(here).toHaveAttribute('aria-disabled', 'true');
});

test('what was supposed by hand is told as that of the spec is, once it holds', () => {
  const session = sessionForTest();
  renderView(session, <WhatIfNote />);
  const { draftSpec, scenario } = session.store.getState();
  const supposed = { costs: { pause_ps: 50 }, from_s: 0.02 };
  act(() => session.store.setState({ spec: draftSpec, whatIfByHand: supposed }));
  expect(screen.queryByRole('note')).toBeNull();
  act(() => {
    const mark = runMark({ ...pauseMark, kind: 'what_if', is_by_hand: true }, scenario.manifest);
    session.store.setState({ marks: [mark] });
  });
  expect(screen.getByRole('note')).toHaveTextContent('What if PAUSE 50 %; from 0.02 s');
});

test('a run that supposes something says so', () => {
  const session = sessionForTest();
  renderView(session, <WhatIfNote />);
  expect(screen.queryByRole('note')).toBeNull();
  act(() => {
    const { draftSpec } = session.store.getState();
    session.store.setState({
      spec: { ...draftSpec!, what_if: { latches: [{ latch: LATCH, section_percent: 0 }] } },
    });
  });
  expect(screen.getByRole('note')).toHaveTextContent(`What if ${LATCH}: critical section 0 %`);
});

test.each([
  [null, null],
  [{ latches: [{ latch: LATCH, section_percent: 100 }], costs: { pause_ps: 100 } }, null],
  [
    { latches: [{ latch: LATCH, site: 'fil_space_acquire', section_percent: 0 }] },
    `${LATCH} in fil_space_acquire: critical section 0 %`,
  ],
  [
    {
      latches: [{ latch: LATCH, line: 'still' as const, wake_up: 'free' as const }],
      costs: { pause_ps: 50 },
    },
    `${LATCH}: line stays, wake-up free; PAUSE 50 %`,
  ],
])('in words: %j', (whatIf, words) => {
  expect(whatIfInWords(whatIf)).toBe(words);
});
