import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { importReport } from '../../analysis/imports/import-report';
import type { Imported } from '../../analysis/imports/reader';
import { contentsOf, tableText, type EventRow } from '../../analysis/imports/test-fixtures';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { LatchTable } from './latch-table';

const events: readonly EventRow[] = [
  ['wait/synch/mutex/innodb/fil_system_mutex', 4000, 6_000_000_000_000],
  ['wait/synch/mutex/sql/LOCK_table_cache', 9000, 2_000_000_000_000],
  ['wait/synch/mutex/sql/LOCK_of_nothing', 1, 1],
];

function shown(contents: Imported[], probedS: number | null = null) {
  const report = importReport([{ source: 'a.txt', form: { id: 'x', title: 'X' }, contents }], { probedS });
  renderView(sessionForTest(), <LatchTable report={report} />, {});
  return { user: userEvent.setup() };
}

const headings = () => screen.getAllByRole('columnheader').map((heading) => heading.textContent);
const toggle = (name: RegExp) => screen.getByRole('button', { name });

test('the first latch is open: its purpose, its names by version, its bugs with their versions', () => {
  shown(contentsOf(tableText(events, { version: '5.7.44' })));
  expect(toggle(/Fil_shard::m_mutex/)).toHaveAttribute('aria-expanded', 'true');
  expect(screen.getByText(/The map from tablespace numbers to tablespaces/)).toBeVisible();
  const yours = screen.getByText('yours').closest('div')!;
  expect(yours).toHaveTextContent(/MySQL 5\.6 to 5\.7.*yours.*fil_system->mutex.*innodb\/fil_system_mutex/);
  const bugs = within(screen.getByText(/The map from/).parentElement!).getAllByRole('listitem');
  expect(bugs.map((bug) => bug.textContent)).toEqual([
    expect.stringMatching(/bug #69276.*MySQL 5\.6 to 5\.7; fixed in MySQL 8\.0.*Your 5\.7\.44 has it/),
    // Bugs that the version has come first.
    expect.stringMatching(/MySQL since 5\.6.*Your 5\.7\.44 has it; no fix is known/),
    expect.stringMatching(/bug #117533.*MySQL since 8\.0.*Your 5\.7\.44 does not have it/),
  ]);
});

test('each row opens and closes; a latch without an entry has nothing to open', async () => {
  const { user } = shown(contentsOf(tableText(events)));
  await user.click(toggle(/LOCK_table_cache/));
  expect(screen.getAllByText('Not modeled here.')).toHaveLength(1);
  await user.click(toggle(/Fil_shard::m_mutex/));
  expect(screen.queryByText(/The map from/)).toBeNull();
  await user.click(toggle(/LOCK_table_cache/));
  expect(screen.queryByText('Not modeled here.')).toBeNull();
  expect(screen.queryByRole('button', { name: /LOCK_of_nothing/ })).toBeNull();
  expect(screen.getByText('not in the catalogue')).toBeVisible();
});

test('without a version, a row says which versions have its bug', () => {
  shown(contentsOf(tableText(events)));
  const [, row] = screen.getAllByRole('row');
  expect(row).toHaveTextContent('MySQL 5.6 to 5.7; fixed in MySQL 8.0, by shards');
  expect(screen.queryByText('yours')).toBeNull();
  expect(screen.queryByText(/No name of it/)).toBeNull();
});

test('a version that has no name of the latch is said', () => {
  shown(contentsOf(tableText(events, { version: '5.1.73' })));
  expect(screen.getByText('No name of it is known in MySQL 5.1.73.')).toBeVisible();
});

test('figures have a column only where the texts have them', () => {
  shown(contentsOf(tableText(events, { Uptime: 10, Questions: 100 })));
  expect(headings()).toEqual(['latch', 'share of waiting', 'mean wait', 'per statement', 'known bug']);
});

const held = (what: 'wait' | 'hold', frames: string[]) =>
  ({ line: 1, what, frames, count: 500, totalNs: 1e9, maxNs: null }) as const;

test('holds give utilization and a limit, or the reason why not', () => {
  shown(
    [
      {
        kind: 'times',
        rows: [
          held('wait', ['mutex_lock', 'write_file']),
          held('hold', ['mutex_lock', 'write_file']),
          held('wait', ['down_read', 'read_folder']),
          held('hold', ['down_read', 'read_folder']),
        ],
      },
    ],
    10,
  );
  expect(headings()).toEqual([
    ...['function', 'share of waiting', 'mean wait', 'mean hold', 'utilization', 'limit', 'known bug'],
  ]);
  const rows = screen.getAllByRole('row').map((row) => row.textContent);
  expect(rows[2]).toMatch(/write_file50\.0.%2 ms2 ms10\.0.%500 acquisitions\/s/);
  expect(rows[1]).toMatch(/read_folder50\.0.%2 ms2 ms(?=not in)/);
});
