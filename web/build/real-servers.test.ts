import { expect, test } from 'vitest';

import { costRows, countTables, serversWithCounts } from '../analysis/real-servers/count-tables';
import { loadRealServers } from '../widgets/use-loaded';

test('the page is built with all measurements: counts beside the census, and CPU costs', async () => {
  const found = await loadRealServers('undo-read-117533');
  const [nine] = serversWithCounts(found).filter(({ name }) => name === 'mysql-9');
  const [table] = countTables(nine!, found, null);
  expect(table?.clients).toEqual([1, 2, 4, 8]);
  expect(table?.rows.map(({ figure, differs }) => [figure, differs])).toEqual([
    ['fil_system per undo record read', false],
    ['page_hash per undo record read', false],
    ['trx_purge_latch per undo record read', false],
  ]);
  expect(table?.rows[0]?.reported).toBe('shard_mutex_per_undo_read');
  expect(costRows(nine!, found).map(({ figure }) => figure)).toEqual([
    'CPU ns per row',
    'CPU ns per undo record read',
  ]);
});

test('a bug that the page does not have is named', async () => {
  await expect(loadRealServers('luck')).rejects.toThrow('no measurements for luck');
});

test('what was published of throughput by clients comes with it', async () => {
  const { published } = await loadRealServers('undo-read-117533');
  expect(published).toContainEqual({
    clients: 32,
    value: [182, 192],
    unit: 'transactions/s',
    run: 'original',
    source: 'the report',
  });
});
