import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { contentsOf, tableText } from '../../analysis/imports/test-fixtures';
import { importReport } from '../../analysis/imports/import-report';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { importsFeature, openLatch } from './index';
import { LatchCard } from './latch-card';
import { nothingRead } from './waits';

function shown() {
  const session = sessionForTest({ features: [importsFeature] });
  const { openLink, commands } = importsFeature.open!({
    session,
    nowMs: () => 0,
    files: { pickSeveral: () => Promise.resolve([]) },
  });
  for (const source of commands!) session.commands.register(source);
  renderView(session, <LatchCard />, {});
  return { session, openLink: (latch?: string) => act(() => openLink!({ linkedLatch: latch })) };
}

const linkErrors = (session: ReturnType<typeof sessionForTest>) => session.store.getState().linkErrors;

test('a link opens the card of a latch, and a link without one closes it', async () => {
  const { session, openLink } = shown();
  openLink('trx-sys');
  await waitFor(() => expect(screen.getByRole('heading', { name: 'trx_sys->mutex' })).toBeVisible());
  expect(screen.getAllByText(/wait\/synch\/mutex\/innodb\/trx_sys_mutex/)).not.toHaveLength(0);
  expect(linkErrors(session)).toEqual([]);
  openLink();
  expect(screen.queryByRole('heading')).toBeNull();
});

test('a link to an unknown latch gives the fault of a link', async () => {
  const { session, openLink } = shown();
  openLink('no-such-latch');
  await waitFor(() =>
    expect(linkErrors(session)).toEqual([
      {
        field: 'waits.latch',
        value: 'no-such-latch',
        allowed: 'the id of a latch in the catalogue, such as trx-sys',
      },
    ]),
  );
  expect(session.store.getState().shownLatch).toBeNull();
});

test('the card says how much of the reader’s waiting is at the latch, and what the version has', async () => {
  const { session, openLink } = shown();
  const text = tableText(
    [
      ['wait/synch/mutex/sql/LOCK_table_cache', 1, 30],
      ['wait/synch/mutex/innodb/fil_system_mutex', 1, 10],
    ],
    { version: '8.0.36' },
  );
  const report = importReport([
    { source: 'a.txt', form: { id: 'x', title: 'X' }, contents: contentsOf(text) },
  ]);
  act(() => session.store.setState({ waits: { ...nothingRead, report } }));
  openLink('table-cache');
  await waitFor(() => expect(screen.getByText(/In your texts: 75\.0.% of the waiting\./)).toBeVisible());
  expect(screen.getByText('yours')).toBeVisible();
  expect(screen.getByText('Not modeled here.')).toBeVisible();
  openLink('binlog-log');
  await waitFor(() => expect(screen.getByText('Your texts do not name it.')).toBeVisible());
});

test('a latch opens the stage of its bug, or its card; the card closes', async () => {
  const { session } = shown();
  const latch = { id: 'table-cache', name: 'LOCK_table_cache', guards: '' };
  await act(() => openLatch(session, { ...latch, bug: null }));
  expect(session.store.getState()).toMatchObject({ view: 'waits', shownLatch: 'table-cache' });
  await act(() => session.commands.perform('waits.close_latch'));
  expect(session.store.getState().shownLatch).toBeNull();
  await act(() => openLatch(session, { ...latch, bug: { scenario: 'fil-mutex-69276', role: 'cause' } }));
  expect(session.store.getState()).toMatchObject({ view: 'stage', draft: { scenario: 'fil-mutex-69276' } });
});
