import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { separatedText, someRows, sysbenchText } from '../../analysis/imports/test-fixtures';
import { sampleOf } from '../../analysis/imports/test-fixtures/read';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { importsFeature } from './index';
import WaitsView from './waits-view';

async function shown(...texts: readonly string[]) {
  const session = sessionForTest({ features: [importsFeature] });
  const files = { pickSeveral: () => Promise.resolve([]) };
  const { models, commands } = importsFeature.open!({ session, files, nowMs: () => 0 });
  for (const source of commands!) session.commands.register(source);
  const { waits } = models!;
  const { user } = renderView(session, <WaitsView />, { ...models, server: { open: () => undefined } });
  await act(() => waits!.openDropped(texts.map((text, i) => new File([text], `${i}.txt`))));
  return { session, user };
}

const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
const frame = (name: string) => screen.findByRole('treeitem', { name: new RegExp(`^${name}: `) });
const frames = () =>
  within(screen.getByRole('tree'))
    .getAllByRole('treeitem')
    .map((item) => item.getAttribute('aria-label')!.split(',')[0]);
const panel = (name: string) => screen.findByRole('region', { name });
const curve = (...threads: readonly number[]) =>
  threads.map((count) => sysbenchText(count, (400 * count) / (1 + 0.001 * count * (count - 1)), 2 * count));

test('stacks of a debugger are a flame graph, first without the idle threads', async () => {
  const { user } = await shown(sampleOf('gdb-threads'));
  expect(await panel('Stacks')).toHaveTextContent('6 threads: 2 blocked, 1 running, 3 idle');
  expect(await frame('fil_space_get')).toHaveAccessibleName(/: 2 threads, 66\.7.%, mostly waiting$/);
  expect(screen.queryByRole('treeitem', { name: /^io_getevents/ })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'idle threads (3)' }));
  expect(await frame('fil_space_get')).toHaveAccessibleName(/: 2 threads, 33\.3.%/);
  expect(await frame('io_getevents')).toHaveAccessibleName(/mostly sleeping$/);
});

test('the graph can be searched, and walked and zoomed by keyboard', async () => {
  const { user } = await shown(sampleOf('gdb-threads'));
  await user.type(await screen.findByRole('searchbox', { name: 'Find functions' }), 'buf_page');
  expect(screen.getByText(/66\.7.% of threads/)).toBeVisible();
  (await frame('threads at work or blocked')).focus();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(await frame('do_command')).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('navigation', { name: 'Zoom' })).toHaveTextContent('do_command');
});

test('blocked threads are listed by place, with their stack', async () => {
  const { user } = await shown(sampleOf('gdb-threads'));
  await user.click(await screen.findByRole('tab', { name: 'Blocked threads' }));
  const tab = within(screen.getByRole('tabpanel'));
  expect(
    tab.getByText('2 threads, 100.0 %', { normalizer: (text) => text.replace(/\s/g, ' ') }),
  ).toBeVisible();
  expect(tab.getByText(/Blocked on a latch\./)).toBeVisible();
  const stack = within(tab.getByRole('region', { name: 'Most frequent stack' }));
  expect(stack.getByText('Found in 2 of 2 threads.')).toBeVisible();
  expect(stack.getAllByRole('listitem').map((item) => item.textContent)).toContain('#7 fil_space_get');
});

test('where nothing matches, it says so in one sentence, and what the texts still have', async () => {
  await shown(sampleOf('gdb-threads'), ...curve(1));
  expect(heading()).toBe('Threads wait most in fil_space_get');
  expect(screen.getByText(/, so no bug here explains them: /)).toHaveTextContent(
    'These texts name functions, none of which is a latch of the catalogue, so no bug here explains them: they have the table, the stacks and the curve alone.',
  );
});

test('latches that match have no such sentence', async () => {
  await shown(separatedText(someRows));
  expect(heading()).toContain('LOCK_log');
  expect(screen.queryByText(/no bug here explains them/)).toBeNull();
  expect(screen.queryByRole('region', { name: 'Stacks' })).toBeNull();
});

test('callers with times are a flame graph of the time, waiting or holding', async () => {
  const { user } = await shown(sampleOf('klockstat'));
  expect(await frame('pipe_wait')).toHaveAccessibleName(/: 8 µs, 80\.0.%, mostly waiting$/);
  await user.click(screen.getByRole('radio', { name: 'holding' }));
  await frame('time holding');
  expect(frames()).toContain('flush_to_ldisc: 70 µs');
  expect(screen.getByText(/Width: share of the time/)).toBeVisible();
});

test('logs of four thread counts have a curve with its law, and lead with the peak', async () => {
  await shown(...curve(1, 4, 16, 64));
  expect(heading()).toBe('Throughput peaks at 32 threads');
  expect(screen.getByText(/The texts name no latches\./)).toBeVisible();
  const law = await panel('Universal Scalability Law');
  expect(law).toHaveTextContent(/0\.001 ?\(0\.001 to 0\.001\)/);
  const drawn = await panel('Throughput by threads');
  expect(drawn.querySelectorAll('.peak-line')).toHaveLength(1);
  const rows = within(within(drawn).getByRole('table')).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toContainEqual(expect.stringMatching(/^64.*128.ms1$/));
});

test('with too few thread counts, only the points are drawn, and the law says how many it needs', async () => {
  await shown(...curve(1, 4, 4, 16));
  expect(heading()).toBe('Throughput is highest with 16 threads');
  expect(await panel('Universal Scalability Law')).toHaveTextContent(
    'No fit: needs at least 4 thread counts, got 3.',
  );
  const drawn = await panel('Throughput by threads');
  expect(drawn).toHaveTextContent('straight lines: no fit');
  expect(drawn.querySelectorAll('.peak-line')).toHaveLength(0);
  const marks = drawn.querySelector('svg')!.querySelectorAll('.design-mark');
  expect(marks).toHaveLength(3);
});

test('a debugger’s text that begins with a bracket is no run result', async () => {
  const { session } = await shown('[New LWP 1002]\n' + sampleOf('gdb-threads').trimStart());
  await waitFor(() => expect(session.store.getState().waits.stacks.threads).not.toBeNull());
  expect(session.store.getState().fileRefused).toBeNull();
});
