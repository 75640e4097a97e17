// Tests comparisons and sweeps, including measured files of real servers.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { brokenRules } from './axe';
import { expect, test } from './explorer';
import { dropFile } from './files';
import { expectToFit } from './layout';

const TINY_LINK =
  'scenario=undo-read-117533&platform=virtual&threads=16&duration_s=0.01&parameters.rows=100&at=0.0005:update_k&from_s=0.003';
/** Long enough for the designs to differ clearly. */
const compareLink = `#v=1&view=compare&${TINY_LINK}&repeats=3`
  .replace('duration_s=0.01', 'duration_s=0.03')
  .replace('from_s=0.003', 'from_s=0.005');
const SWEEP_LINK = `#v=1&view=sweep&${TINY_LINK}&designs=original,fixed&counts=1,2,4&repeats=1`;

/**
 * The first runs have one client and end quickly. Those with 64 clients take so long that no click
 * comes too late.
 */
const longSweepLink = SWEEP_LINK.replace('counts=1,2,4', 'counts=1,64,65').replace(
  'duration_s=0.01',
  'duration_s=1',
);

test(
  'the fixed design of #117533 is faster than the original',
  { tag: '@chromium' },
  async ({ explorer, page }) => {
    await explorer.open(compareLink);
    await page.locator('.start-panel').getByRole('button', { name: 'Compare' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Comparison done' })).toBeVisible();
    const verdict = explorer.panel('Verdict');
    await expect(verdict).toContainText('B is faster');
    await expect(verdict).toContainText(
      /A guard in 64 shards \(the fix\) is [\d.]+ times as fast as MySQL 8\.0 to 9\.7 \(the bug\) \(95 % interval [\d.]+ to [\d.]+, 3 seeds\)\./,
    );
    expect(await brokenRules(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await brokenRules(page, { rules: 'contrast' })).toEqual([]);
    const download = page.waitForEvent('download');
    await explorer.button('Save CSV').click();
    expect((await download).suggestedFilename()).toBe('latchscope-undo-read-117533-comparison.csv');
    await expectToFit(page);
  },
);

/**
 * Returns a file that represents a reader's own: this project's counts, with 64 cores and a newer
 * server version.
 */
function measuredOnALargeMachine(): string {
  const file = path.join(
    import.meta.dirname,
    '../scenarios/undo-read-117533/measured/mysql-9.7.4-2-cores.json',
  );
  const document = JSON.parse(readFileSync(file, 'utf8')) as {
    server: { version: string };
    machine: { cores: number };
  };
  document.server.version = '9.9.1';
  document.machine.cores = 64;
  return JSON.stringify(document);
}

const EACH_COUNT = 'Thread counts';

test('a cancelled sweep keeps its results, and continues while another view is open', async ({
  explorer,
  page,
}) => {
  await explorer.open(longSweepLink);
  await page.locator('.start-panel').getByRole('button', { name: 'Sweep' }).click();
  await expect(page.locator('.batch-progress')).toContainText(/[1-5] of 6 runs done/);
  await page.evaluate(() => window.latchscope.execute('view.explorer'));
  await page.evaluate(() => window.latchscope.execute('view.sweep'));
  await explorer.button('Cancel and keep results').click();
  await expect(page.getByRole('status').filter({ hasText: /cancelled after \d of 6 runs/ })).toBeVisible();
  const table = page.getByRole('region', { name: EACH_COUNT, exact: true });
  await expect(table.getByRole('rowheader', { name: '1', exact: true })).toBeVisible();
});

test('a repeated sweep gives the same results; a measured file is compared and never uploaded', async ({
  explorer,
  page,
}) => {
  await explorer.open(SWEEP_LINK);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).hostname}`));
  await dropFile(page, 'ours.json', measuredOnALargeMachine());
  const beside = explorer.panel('Compared with real servers');
  await expect(beside).toContainText('ours.json: MySQL 9.9.1 (64 cores, AMD EPYC)');

  const sweep = async () => {
    await page.locator('.start-panel').getByRole('button', { name: 'Sweep' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Sweep done' })).toBeVisible();
    return page.getByRole('region', { name: EACH_COUNT, exact: true }).innerText();
  };
  const first = await sweep();
  expect(await sweep()).toBe(first);
  await beside.getByRole('combobox', { name: 'Metric' }).selectOption('fil_system per undo record read');
  await expect(beside.getByRole('row', { name: /^4 / }).getByRole('cell')).toHaveText([
    /^1(\.00)?$/,
    /^1(\.\d\d)?$/,
    /^0(\.\d\d)?$/,
  ]);
  // The page may load its own code. Nothing is sent.
  expect(requests.filter((request) => request !== 'GET 127.0.0.1')).toEqual([]);
  expect(await brokenRules(page)).toEqual([]);
  await expectToFit(page);
});
