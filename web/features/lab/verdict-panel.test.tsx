// Tests the walk of a fault found by the page's own engine, in lanes and in the lock picture.
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { allRounds, sourceOf } from '../../analysis/test-fixtures/fault-of-latch';
import { loadVirtualEngineInNode } from '../../engine-client/test-fixtures/virtual-engine-in-node';
import { ExtraEngine } from '../../session/extra-engine';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { drawingsOn, textsOf } from '../../widgets/test-fixtures/reading';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { Lab } from './lab';
import { labFeature } from './index';
import { VerdictPanel } from './verdict-panel';

async function renderWalkOf(latch: string, options: object = {}) {
  const session = sessionForTest({ features: [labFeature] });
  const wayToTheLab = new Lab({
    store: session.store,
    engine: () => new ExtraEngine(loadVirtualEngineInNode),
    show: () => undefined,
    remembered: () => null,
    remember: () => undefined,
    save: () => undefined,
    register: (commands) => session.commands.register(commands),
    start: () => Promise.resolve(),
  });
  const lab = await wayToTheLab.load();
  lab.edit(sourceOf(latch));
  await lab.check(options);
  const view = await act(() => Promise.resolve(renderView(session, <VerdictPanel />, { lab: wayToTheLab })));
  return { lab, ...view };
}

const slider = () => screen.getByRole('slider', { name: 'Step' });
const moment = () => Number(slider().getAttribute('aria-valuenow'));
const picture = () => screen.getByRole('region', { name: 'Fault, step by step' });
const threadsIn = (list: string | RegExp) =>
  within(picture())
    .queryAllByRole('list', { name: list })
    .flatMap((one) => textsOf(within(one).getAllByRole('listitem')));

/** Returns the content of the picture. */
const seen = () => ({
  event: within(picture()).getByRole('status').textContent,
  line: textsOf(picture().querySelectorAll('.lock-events code'))[0],
  has_it: threadsIn('Holders'),
  words: within(picture())
    .getAllByRole('row')
    .map((row) => textsOf([...within(row).getAllByRole('rowheader'), ...within(row).getAllByRole('cell')])),
  spins: threadsIn('Spinning'),
  sleeps: threadsIn(/^Asleep on /),
  unseen: threadsIn(/^Stores not yet visible/),
  threads: within(picture()).getByRole('img').getAttribute('aria-label'),
});

test('a fault opens at its first step and is stepped through by keys, to its end and back', async () => {
  const { user } = await renderWalkOf('wrong/futex-never-wakes', allRounds);
  expect(moment()).toBe(1);
  expect(slider()).toHaveAttribute(
    'aria-valuetext',
    'Step 1: thread 1, locked reads 0, writes 1. Thread 1 holds the latch, line 9. Thread 2 enters, line 5.',
  );
  slider().focus();
  await user.keyboard('{End}');
  expect(moment()).toBe(8);
  expect(seen()).toMatchObject({
    event: 'Thread 1, line 9: exchange locked: 1 becomes 0.',
    line: 'exchange(locked, 0);',
    has_it: [],
    words: [['locked', '0', 'thread 2 sleeps here']],
    sleeps: ['thread 2'],
    threads: 'Thread 1 ended. Thread 2 sleeps, line 5.',
  });
  expect(slider()).toHaveAttribute(
    'aria-valuetext',
    'Step 8: thread 1, locked reads 1, writes 0. Thread 1 ended. Thread 2 sleeps, line 5.',
  );
  expect(picture()).toHaveTextContent(
    'None. No thread holds the latch, and no thread is left to wake the sleepers',
  );
  await user.keyboard('{ArrowLeft}');
  expect(seen()).toMatchObject({
    event: 'Thread 2, line 5: futex_wait locked: it is 1, falls asleep.',
    has_it: ['thread 1'],
    threads: 'Thread 1 holds the latch, line 9. Thread 2 sleeps, line 5.',
  });
  await user.keyboard('{Home}');
  expect(moment()).toBe(0);
  expect(seen()).toMatchObject({
    event: 'No word accessed yet.',
    line: '',
    sleeps: [],
    threads: 'Thread 1 enters, line 5. Thread 2 enters, line 5.',
  });
  await user.keyboard('{ArrowLeft}');
  expect(moment()).toBe(0);
  await user.keyboard('{ArrowRight}');
  expect(seen()).toMatchObject({
    event: 'Thread 1, line 5: exchange locked: 0 becomes 1.',
    has_it: ['thread 1'],
  });
  expect(picture()).toHaveTextContent('Next holder: thread 1, in step 3');
  await user.keyboard('{End}');
  expect(moment()).toBe(8);
});

test('the buttons lead to the same steps', async () => {
  const { user } = await renderWalkOf('wrong/futex-never-wakes', allRounds);
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  await press('« First');
  await press('Next ▸');
  await press('Next ▸');
  await press('◂ Previous');
  expect(moment()).toBe(1);
  await press('Fault »');
  expect(moment()).toBe(8);
});

test('stores that nobody else sees stand with their thread, with their word and in their order', async () => {
  const { user } = await renderWalkOf('wrong/dekker-without-fence');
  await user.click(screen.getByRole('button', { name: 'Fault »' }));
  expect(seen()).toMatchObject({
    has_it: ['thread 1', 'thread 2'],
    words: [
      ['wants[0]', '0', ''],
      ['wants[1]', '0', 'thread 1 stored 1, not yet visible'],
      ['wants[2]', '0', 'thread 2 stored 1, not yet visible'],
      ['turn', '1', ''],
    ],
    unseen: ['thread 1 wants[1] = 1', 'thread 2 wants[2] = 1'],
    threads:
      'Thread 1 holds the latch, line 22, stores not yet visible: wants[1] = 1. ' +
      'Thread 2 holds the latch, line 22, stores not yet visible: wants[2] = 1.',
  });
});

test('of an rw-latch it says how each has it, who goes round, and what comes again for ever', async () => {
  const { user } = await renderWalkOf('starving/rw-readers-first');
  await user.click(screen.getByRole('button', { name: 'Fault »' }));
  expect(seen()).toMatchObject({ has_it: ['thread 2 shared'], spins: ['thread 1'] });
  expect(screen.getByText('Can starve')).toBeVisible();
  expect(picture()).toHaveTextContent('Step 2 again, forever. Thread 1, line 21');
});

test('each step in sight has its values, read from the checker’s trace, and pages follow the step', async () => {
  const { user, lab } = await renderWalkOf('wrong/futex-never-wakes', allRounds);
  const shown = () =>
    [...slider().querySelectorAll('.lab-step')].map((step) => textsOf(step.children).join(' '));
  const { fault } = lab.lab.check!.result;
  expect(fault!.steps[0]).toMatchObject({ word: 'locked', read: 0, wrote: 1 });
  expect(shown()).toEqual([
    'locked reads 0 writes 1',
    'locked reads 1 writes 0',
    'locked reads 0 writes 1',
    'locked reads 1 writes 0',
    'locked reads 0 writes 1',
    'locked reads 1 writes 1',
  ]);
  expect(screen.getByText('Steps 1 to 6 of 8')).toBeVisible();
  slider().focus();
  await user.keyboard('{End}');
  expect(shown().slice(-2)).toEqual(['locked reads 1 falls asleep', 'locked reads 1 writes 0']);
  expect(slider().querySelector('[data-shown=true]')).toHaveTextContent('reads 1writes 0');
});

test('a result goes when its source changes, and comes back with its source', async () => {
  const { lab, user } = await renderWalkOf('wrong/futex-never-wakes', allRounds);
  const verdict = () => screen.getByRole('status', { name: 'Verdict' });
  const source = lab.lab.source!;
  expect(verdict()).toHaveTextContent(/^Lost wake-up/);
  act(() => lab.edit(`${source}\n`));
  expect(verdict()).toHaveTextContent(
    'Not checkedThe source has changed since the last check. Its result was: Lost wake-up.',
  );
  expect(verdict().querySelector('[data-verdict=fault]')).toBeNull();
  expect(screen.queryByRole('region', { name: 'Fault, step by step' })).not.toBeVisible();
  await user.click(screen.getByText('Result before the change'));
  expect(screen.getByRole('region', { name: 'Fault, step by step' })).toBeVisible();
  act(() => lab.edit(source));
  expect(verdict()).toHaveTextContent(/^Lost wake-up/);
  expect(slider()).toBeVisible();
});

test('a press into the lanes goes to the step that is there', async () => {
  const { lab, user } = await renderWalkOf('wrong/futex-never-wakes', allRounds);
  const leftPx = 4.2 * 16;
  const plotPx = 800 - 5.1 * 16;
  const xOfThree = leftPx + (plotPx * 2.4) / 6.5;
  const bars = () =>
    drawingsOn(slider().querySelector('canvas')!)
      .calls()
      .filter(({ type }) => type === 'fillRect');
  await waitFor(() => expect(bars().length).toBeGreaterThan(0));
  await user.pointer({ keys: '[MouseLeft]', target: slider(), coords: { clientX: xOfThree } });
  expect(lab.lab.check!.step).toBe(3);
});
