import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { EngineFailure } from '../../engine-client/engine';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { LATCH, studiesWith } from './test-fixtures';
import WhatIfView from './what-if-view';

function shown(...given: Parameters<typeof studiesWith>) {
  const page = studiesWith(...given);
  const view = (
    <>
      <WhatIfView />
    </>
  );
  return { ...page, ...renderView(page.session, view, { studies: page.studies }) };
}

const runButton = () => screen.getByRole('button', { name: 'Run' });
const done = async ({ state }: ReturnType<typeof studiesWith>) =>
  waitFor(() => expect(state().announcement).toMatch(/^What-if (done|cancelled)/));

test('a causal profile says what less work under each hot latch would bring, and a free hand-over', async () => {
  const page = shown();
  page.studies.edit({ seeds: 2 });
  expect(await screen.findByText(/Up to 34 runs of 60 ms/)).toBeVisible();
  await page.user.click(runButton());
  await done(page);
  // The unchanged run, and two runs for each of two latches, with two seeds.
  expect(page.runs()).toBe(10);
  expect(screen.getByRole('note', { name: 'Few transactions' })).toHaveTextContent(
    'Each client ends few transactions in the measured part, about 0.111.',
  );
  const table = within(screen.getByRole('region', { name: 'Causal profile, table' }));
  const cells = within(table.getByRole('row', { name: new RegExp(LATCH) })).getAllByRole('cell');
  expect(cells.map((cell) => cell.textContent)).toEqual([
    '25.0\u202f%',
    '1.200(1.100 to 1.300)',
    '2.000(1.900 to 2.100)',
  ]);
  await page.user.click(screen.getByRole('button', { name: 'Save CSV' }));
  await waitFor(() => expect(page.saved).toHaveLength(1));
  const [{ name, content }] = page.saved as [(typeof page.saved)[number]];
  expect(name).toBe('latchscope-fil-mutex-69276-what-if-profile.csv');
  expect((await content.text()).split('\n')[0]).toBe(
    'scenario,point,what_if,seed,from_s,tps,p99_ms,tps_ratio,low,high',
  );
});

test('a curve has a point for each percent, in their order', async () => {
  const page = shown();
  act(() => page.studies.edit({ kind: 'curve', latch: LATCH, scale: '50, 0', seeds: 1 }));
  await page.user.click(runButton());
  await done(page);
  const rows = within(screen.getByRole('region', { name: 'Points, table' })).getAllByRole('rowheader');
  expect(rows.map((row) => row.textContent)).toEqual(['baseline', '50 %', '0 %']);
  expect(
    screen.getByRole('img', { name: `Throughput by ${LATCH} in percent of the original` }),
  ).toBeVisible();
});

test('without a latch that costs time, the profile is a sentence', async () => {
  const page = shown(() => undefined, []);
  page.studies.edit({ seeds: 2 });
  await page.user.click(runButton());
  await done(page);
  expect(screen.getByText(/In this run no latch costs time/)).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Causal profile, table' })).not.toBeInTheDocument();
});

test('a run whose worker dies is told with its reason, and the rest is kept', async () => {
  const page = shown((number) => {
    if (number === 2) throw new EngineFailure('The virtual server has not answered for 30 seconds.');
  });
  page.studies.edit({ seeds: 2, top: 1 });
  await page.user.click(runButton());
  await done(page);
  expect(screen.getByRole('region', { name: 'Ignored runs' })).toHaveTextContent(
    'baseline, seed 2: The virtual server has not answered for 30 seconds.',
  );
  expect(screen.getByRole('region', { name: 'Causal profile, table' })).toHaveTextContent('2.000');
});

test('what is cancelled keeps the runs that are over', async () => {
  let letGo: () => void = () => undefined;
  const page = shown((number) =>
    number < 4
      ? undefined
      : new Promise<void>((resolve) => {
          letGo = resolve;
        }),
  );
  page.studies.edit({ seeds: 2, top: 1 });
  await page.user.click(runButton());
  await waitFor(() => expect(page.runs()).toBe(4));
  expect(screen.getByRole('progressbar', { name: '3 of 6 runs done' })).toBeVisible();
  await page.user.click(screen.getByRole('button', { name: 'Cancel and keep results' }));
  act(() => letGo());
  await done(page);
  expect(page.state().announcement).toMatch(/^What-if cancelled/);
  expect(page.runs()).toBe(4);
  expect(screen.getByRole('region', { name: 'Causal profile, table' })).toHaveTextContent('1.200');
});

test('a bad field is named, and nothing starts', async () => {
  const page = shown();
  const from = screen.getByRole('spinbutton', { name: 'Measure from' });
  await page.user.type(from, '7');
  expect(from).toHaveAccessibleDescription(
    'must be 0, or a number from 0.001 to below 0.06: before the end of the run',
  );
  act(() => page.studies.edit({ from_s: null, kind: 'curve', latch: 'purge_sys->latch' }));
  expect(screen.getByRole('alert')).toHaveTextContent(
    /study\.latch is purge_sys->latch; allowed: one of Fil_shard::m_mutex/,
  );
  expect(runButton()).toHaveAttribute('aria-disabled', 'true');
  await page.user.click(runButton());
  expect(page.runs()).toBe(0);
});

test('with real threads it says that it needs the virtual server', async () => {
  const page = shown();
  await act(() => page.session.openPlatform('threads').catch(() => undefined));
  expect(screen.getByRole('alert')).toHaveTextContent(
    'platform is threads; allowed: virtual: a what-if needs the virtual server',
  );
  expect(screen.getByRole('button', { name: 'Switch to virtual server' })).toBeVisible();
});
