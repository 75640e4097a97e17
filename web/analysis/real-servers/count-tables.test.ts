import { expect, test } from 'vitest';

import type { EngineRun } from '../../contract/real-servers/engine-run.mjs';
import type { MeasuredServer } from '../../contract/real-servers/measured-server.mjs';
import { countTables, serverOfDesign, serversWithCounts, type RealServers } from './count-tables';

const server = (name: string, version: string, counts: Record<string, number>): MeasuredServer => ({
  name,
  version,
  packaged: null,
  measured_at: '2026-11-23',
  cpu_model: 'a CPU',
  cores: 2,
  experiments: [{ experiment: 'page_read', runs: [{ clients: 1, counts, operations_per_s: 100 }] }],
});

const known = (servers: MeasuredServer[]): RealServers => ({
  servers,
  variants: { 'mysql-5.6': { lookup: 'global' }, 'mysql-9': { lookup: 'shards' } },
  exceptions: [
    {
      experiment: 'page_read',
      figure: 'buf_pool per page read',
      servers: ['mysql-5.6'],
      because: 'it is so',
    },
  ],
  reported: [{ experiment: 'page_read', figure: 'fil_system per page read', reported: 'a_reported_figure' }],
  engine: [
    {
      experiment: 'page_read',
      server: 'mysql-5.6',
      clients: 1,
      counts: { 'fil_system per page read': 6.05 },
    },
    { experiment: 'page_read', server: 'mysql-5.6', clients: 2, counts: { 'fil_system per page read': 6 } },
  ],
  published: [],
});

const run: EngineRun = {
  latches: [
    { latch: 'fil_system->mutex', acquisitions: 60 },
    { latch: 'Fil_shard::m_mutex', acquisitions: 0 },
  ],
  count: (counter) => ({ block_reads: 10, transactions: 12 })[counter],
};

test('a count is shown with the reported figure, the census and the run, and with the reason for a difference', () => {
  const fiveSix = server('mysql-5.6', '5.6.24-log', {
    'fil_system per page read': 6.07,
    'buf_pool per page read': 5.2,
    'page_hash per select': 2,
  });
  const [table] = countTables(fiveSix, known([fiveSix]), run);
  expect(table?.clients).toEqual([1]);
  expect(table?.rows).toMatchObject([
    { reported: 'a_reported_figure', server: [6.07, 6.07], census: [6, 6.05], here: 6, differs: false },
    // A latch that the engine does not acquire counts 0.
    { reported: null, census: [0, 0], here: 0, differs: true, because: 'it is so' },
    { figure: 'page_hash per select', here: null, differs: true, because: null },
  ]);
});

test('an unknown server has no design, and no run is shown', () => {
  const eight = server('mysql-8.0', '8.0.36', { 'fil_system per page read': 5 });
  const [table] = countTables(eight, known([eight]), null);
  expect(table?.rows).toMatchObject([{ census: null, here: null, differs: false }]);
});

test('the server that the design stands for is offered first; MySQL before MariaDB, by version', () => {
  const all = ['mariadb-10.11', 'mariadb-10.2', 'mysql-9', 'mysql-5.6'].map((name) =>
    server(name, `${name.split('-')[1]!}.1`, {}),
  );
  const sorted = serversWithCounts(known(all));
  expect(sorted.map(({ name }) => name)).toEqual(['mysql-5.6', 'mysql-9', 'mariadb-10.2', 'mariadb-10.11']);
  expect(serverOfDesign(sorted, known(all), { lookup: 'shards' })?.name).toBe('mysql-9');
  expect(serverOfDesign(sorted, known(all), { lookup: 'luck' })?.name).toBe('mysql-5.6');
  const both = {
    ...known(all),
    variants: { 'mysql-5.6': { a: 'b' }, 'mysql-9': { a: 'b' }, 'mariadb-10.2': { a: 'b' } },
  };
  expect(serverOfDesign(sorted, both, { a: 'b', lookup: 'luck' })?.name).toBe('mysql-9');
});
