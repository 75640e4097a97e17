import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import CpuTables from './cpu-tables';
import { defaultRunSpec } from '../../contract/run-spec';
import { fil_mutex, machine } from '../../contract/test-fixtures';
import { drawnResult, showDrawnRun } from '../../session/test-fixtures/drawn-run';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { textsOf } from '../../widgets/test-fixtures/reading';
import { renderView } from '../../widgets/test-fixtures/render-view';

const titles = () => textsOf(within(screen.getAllByRole('table')[0]!).getAllByRole('columnheader')).slice(1);
const ofClients = () =>
  textsOf(within(screen.getByRole('row', { name: /clients whole run/ })).getAllByRole('cell'));

test('on the virtual server every state has its share', async () => {
  const session = sessionForTest();
  await showDrawnRun(session);
  renderView(session, <CpuTables />);
  expect(titles()).toEqual([
    'running',
    'stalled',
    'spinning',
    'waiting',
    'in a commit group',
    'ready, no core',
    'sleeping',
    'I/O',
  ]);
  expect(ofClients().map((share) => Number.parseFloat(share))).toEqual([30, 10, 20, 30, 0, 10, 0, 0]);
  expect(screen.queryByText(/unknown on this machine/)).toBeNull();
});

test('on real threads what nobody can tell is said to be unknown', async () => {
  const session = sessionForTest();
  const cpu = { running: 0.5, spinning: 0.2, waiting: 0.3, following: 0, sleeping: 0, io: 0 };
  await session.files.openResult(
    JSON.stringify({
      ...drawnResult,
      ...{ cpu, engine_cpu: cpu },
      spec: { ...defaultRunSpec(fil_mutex.manifest, machine, 'threads'), threads: 2 },
      engine: { ...drawnResult.engine, platform: 'threads' },
    }),
    'threads.json',
  );
  renderView(session, <CpuTables />);
  expect(titles()[0]).toBe('running, stalled or ready');
  expect(titles()).not.toContain('stalled');
  expect(ofClients().map((share) => Number.parseFloat(share))).toEqual([50, 20, 30, 0, 0, 0]);
  expect(screen.getByText(/unknown on this machine/)).toBeVisible();
});
