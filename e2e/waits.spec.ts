// Tests the view that reads what a reader's server prints about its waits.
import type { Page } from '@playwright/test';

import { brokenRules } from './axe';
import { expect, test } from './explorer';
import { dropFile } from './files';
import { expectToFit, overlappingTexts, PHONE_PX } from './layout';

const WAITS = '#view=waits';
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
/** The heading, and the rows of latches without those that they open. */
const rows = (page: Page) => page.getByRole('table').locator('tr:not(.table-details)');

/** A snapshot as mysql -B prints it; `times` is how long the server has run, in parts. */
const snapshot = (times: number) =>
  [
    ['EVENT_NAME', 'COUNT_STAR', 'SUM_TIMER_WAIT', 'MAX_TIMER_WAIT'],
    ['idle', 90 * times, 70_000_000_000_000 * times, 2_000_000_000_000],
    [
      'wait/synch/mutex/sql/MYSQL_BIN_LOG::LOCK_log',
      4000 * times,
      60_000_000_000_000 * times,
      90_000_000_000,
    ],
    ['wait/synch/mutex/innodb/fil_system_mutex', 9000 * times, 20_000_000_000_000 * times, 70_000_000_000],
    ['wait/io/file/sql/binlog', 700 * times, 9_000_000_000_000 * times, 80_000_000_000],
  ]
    .map((cells) => `${cells.join('\t')}\n`)
    .join('') + `\nVariable_name\tValue\nUptime\t${10 * times}\nQuestions\t${5000 * times}\n`;

test('the start page leads to it; two dropped snapshots are ranked and lead to a bug', async ({
  explorer,
  page,
}) => {
  await explorer.open('');
  await page.getByRole('link', { name: /Which latch stops your own server/ }).click();
  await expect(heading(page)).toHaveText('Which latch stops your server?');
  await expect(page).toHaveURL(/view=waits/);
  expect(await brokenRules(page)).toEqual([]);
  await dropFile(page, 'a.tsv', snapshot(1));
  await expect(page.getByText(/since the server started/)).toBeVisible();
  await dropFile(page, 'b.tsv', snapshot(2));
  await expect(page.getByText(/between the snapshots, 10 s, 5,000 statements/)).toBeVisible();
  await expect(heading(page)).toContainText('LOCK_log');
  await expect(rows(page).nth(1)).toContainText(/LOCK_log.*75\.0.%.*15 ms/);
  await expect(rows(page).nth(2)).toContainText(/25\.0.%/);
  expect(await brokenRules(page)).toEqual([]);
  expect(await page.evaluate(overlappingTexts)).toEqual([]);
  await rows(page)
    .nth(2)
    .getByRole('link', { name: /See bug #\d+ at work/ })
    .click();
  await expect(page).toHaveURL(/view=stage/);
  await page.goBack();
  await expect(rows(page)).toHaveCount(3);
});

test('pasted text is read; a broken one names its line, and the answer stays', async ({ explorer, page }) => {
  await explorer.open(WAITS);
  const field = page.getByRole('textbox', { name: 'Text from your server' });
  await field.fill(snapshot(1));
  await page.getByRole('button', { name: 'Read this text' }).click();
  await expect(rows(page)).toHaveCount(3);
  await field.fill(snapshot(2).replace('\t8000\t', '\t8.000\t'));
  await page.getByRole('button', { name: 'Read this text' }).click();
  await expect(page.getByRole('alert')).toContainText('line 3 is COUNT_STAR 8.000; allowed: a whole number');
  expect(await brokenRules(page)).toEqual([]);
  await expect(rows(page)).toHaveCount(3);
});

test('on a phone, the answer fits', async ({ explorer, page }) => {
  await page.setViewportSize({ width: PHONE_PX, height: 844 });
  await explorer.open(WAITS);
  await dropFile(page, 'a.tsv', snapshot(1));
  await expect(rows(page)).toHaveCount(3);
  await expectToFit(page);
  expect(await page.evaluate(overlappingTexts)).toEqual([]);
});

test('a latch’s bug runs on servers like the reader’s, and opens on one', async ({ explorer, page }) => {
  await explorer.open(WAITS);
  await dropFile(page, 'a.tsv', snapshot(1));
  const panel = page.getByRole('region', { name: 'On a server like yours' });
  await panel.getByLabel('Latch').selectOption({ label: 'Fil_shard::m_mutex: bug #69276' });
  await panel.getByLabel('Sockets').fill('0');
  await expect(panel.getByText('must be an integer from 1 to 8')).toBeVisible();
  await panel.getByLabel('Sockets').fill('1');
  await panel.getByLabel('Cores per socket').fill('4');
  await panel.getByLabel('Clients').fill('8');
  await panel.getByLabel('Processor').selectOption({ label: 'Intel Xeon, Sandy Bridge-EP' });
  const start = panel.getByRole('button', { name: 'What if Fil_shard::m_mutex cost nothing?' });
  await start.click();
  await panel.getByRole('button', { name: 'Stop, keep results' }).click();
  await start.click();
  await expect(panel.getByText('Predicted for 3 servers with 8 clients')).toBeVisible();
  await expect(start).toBeVisible();
  await expect(panel.getByText(/^If Fil_shard::m_mutex cost nothing: .*× \d/)).toBeVisible();
  await expect(panel.getByText(/^With the fixed design: .*× \d/)).toBeVisible();
  await expect(panel.getByRole('row', { name: /Fil_shard::m_mutex 25\.0.% [\d.]+/ })).toBeVisible();
  expect(await brokenRules(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Open bug #69276 on this server…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Cores per socket')).toHaveValue('4');
  await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page).toHaveURL(/scenario=fil-mutex-69276.*threads=8/);
  await expect(page).toHaveURL(/server\.cores_per_socket=4/);
});

/** A list of threads as gdb prints it: two wait for a latch, one for the network. */
const threads = [
  '[New LWP 11]',
  ...[12, 13].flatMap((id) => [
    `Thread ${id} (Thread 0x7f0000000${id} (LWP ${id}) "mysqld"):`,
    '#0  futex_wait (private=0) at ./futex.c:57',
    '#1  0x0000550000000001 in TTASEventMutex<GenericPolicy>::wait () at ib0mutex.h:501',
    '#2  0x0000550000000002 in fil_space_get (id=5) at fil0fil.cc:1234',
    '#3  0x0000550000000003 in do_command(THD*) () at sql_parse.cc:1000',
    '',
  ]),
  'Thread 1 (Thread 0x7f0000000011 (LWP 11) "mysqld"):',
  '#0  0x00007f0000000001 in __GI___poll (nfds=2) at poll.c:29',
  '#1  0x0000550000000004 in listen_for_connection_event() ()',
  '',
].join('\n');

const sysbenchLog = (clients: number) =>
  [
    'Running the test with following options:',
    `Number of threads: ${clients}`,
    'SQL statistics:',
    `    transactions: 9 (${((400 * clients) / (1 + 0.001 * clients * (clients - 1))).toFixed(2)} per sec.)`,
    'Latency (ms):',
    '    avg: 1.00',
    `    95th percentile: ${clients}.00`,
    'Threads fairness:',
    '    execution time (avg/stddev): 9.9/0.0',
    '',
  ].join('\n');

test('stacks open as a flame graph and as blocked threads; a benchmark is a curve', async ({
  explorer,
  page,
}) => {
  await explorer.open(WAITS);
  await dropFile(page, 'threads.txt', threads);
  await expect(heading(page)).toHaveText('Threads wait most in fil_space_get');
  await expect(page.getByText(/so no bug here explains them/)).toBeVisible();
  const frame = page.getByRole('treeitem', { name: /^fil_space_get: 2 threads, 100\.0/ });
  await frame.click();
  await expect(page.getByRole('navigation', { name: 'Zoom' })).toContainText('fil_space_get');
  await frame.press('ArrowUp');
  await expect(page.getByRole('treeitem', { name: /^do_command/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: 'idle threads (1)' }).check();
  await expect(page.getByRole('treeitem', { name: /^listen_for_connection_event: 1 thread/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Blocked threads' }).click();
  await expect(page.getByText('Found in 2 of 2 threads.')).toBeVisible();
  expect(await brokenRules(page)).toEqual([]);
  await dropFile(page, 'sysbench.log', [1, 4, 16, 64].map(sysbenchLog).join(''));
  await expect(page.getByRole('region', { name: 'Universal Scalability Law' })).toContainText('31.6 threads');
  expect(await brokenRules(page)).toEqual([]);
  expect(await page.evaluate(overlappingTexts)).toEqual([]);
  await page.setViewportSize({ width: PHONE_PX, height: 844 });
  await expectToFit(page);
});
