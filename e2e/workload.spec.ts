// Tests workload files: a reader writes one from a template, runs it and changes its lock design.
import { readFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

import { brokenRules } from './axe';
import { expect, test, type Explorer } from './explorer';
import { expectToFit, nestedScrolling, PHONE_PX } from './layout';

const source = (page: Page) => page.getByRole('textbox', { name: 'Workload source' });
const errors = (page: Page) => page.getByRole('list', { name: 'Errors of the source' });
const status = (page: Page) => page.getByRole('status', { name: 'Errors' });

/** Types over a text of the source, which the reader selects. */
async function replace(page: Page, text: string, by: string): Promise<void> {
  const line = source(page).locator('.cm-line', { hasText: text }).first();
  const written = (await line.innerText()).replace(text, by);
  await line.click();
  // A long line continues below: the second press leads to its end.
  for (const key of ['End', 'End', 'Shift+Home', 'Shift+Home', 'Shift+Home', 'Backspace'])
    await page.keyboard.press(key);
  // Typed brackets would close by themselves.
  await page.keyboard.insertText(written);
}

/** Returns transactions per second since a moment, once this much virtual time has passed after it. */
async function rateSince(explorer: Explorer, fromMs: number): Promise<number> {
  await explorer.virtualTimeReaches(fromMs + 100);
  const { intervals } = await explorer.snapshot();
  const after = intervals.filter(({ t_s }) => t_s * 1000 > fromMs + 20).map(({ tps }) => tps);
  return after.reduce((sum, tps) => sum + tps, 0) / after.length;
}

const virtualMs = (explorer: Explorer) => explorer.snapshot().then(({ model }) => (model?.run_ns ?? 0) / 1e6);

test('a new workload is written from a template, runs, and is faster with its other design', async ({
  explorer,
  page,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: /^Your own bug/ }).click();
  await explorer.button(/^Sharded counter/).click();
  const declared = explorer.panel('What it declares');
  await expect(declared).toContainText('Sharded counter');
  await expect(declared).toContainText('48 clients with transactions');

  await test.step('what the source declares follows the reader', async () => {
    await replace(page, '150ns', '400ns');
    await expect(declared).toContainText('400ns, from 20ns to 5us · CPU time of an update');
  });

  await explorer.button('Run').click();
  await explorer.expectRunState('running');
  const slow = await rateSince(explorer, 0);

  await test.step('an error is shown at its place, and does not stop the run', async () => {
    await replace(page, 'work(update)', 'wrk(update)');
    const error = errors(page).getByRole('listitem');
    await expect(error).toHaveText(/^Line \d+ Unknown function wrk; did you mean work\?/);
    await expect(source(page).locator('.cm-lintRange-error')).toHaveText('wrk');
    await expect(page.locator('.workload-source').getByRole('button', { name: 'Run' })).toBeDisabled();
    await explorer.expectRunState('running');
    await error.getByRole('button', { name: 'Write work' }).click();
    await expect(status(page)).toHaveText('No errors');
  });

  await test.step('the knob changes during the run, and throughput rises', async () => {
    const fromMs = await virtualMs(explorer);
    await explorer.variant('Sixty four').click();
    await page.waitForFunction(() => window.latchscope.snapshot().marks.some(({ kind }) => kind === 'knob'));
    expect(await rateSince(explorer, fromMs)).toBeGreaterThan(1.3 * slow);
  });

  const result = await explorer.stop();
  expect(result.spec.scenario).toBe('workload');
  expect(result.latches.map(({ latch }) => latch)).toContain('counter');
  expect(result.invariants.filter(({ ok }) => !ok)).toEqual([]);
});

test('the source is kept on this device and travels in the link', async ({ explorer, page, context }) => {
  await page.goto('/#v=1&view=workload&workload.template=one-mutex');
  await replace(page, 'client[32]', 'client[6]');
  const declared = explorer.panel('What it declares');
  await expect(declared).toContainText('6 clients with transactions');
  await expect.poll(() => page.url()).toContain('workload.source=');
  const link = page.url();

  await page.goto('/');
  await page.getByRole('link', { name: /^Your own bug/ }).click();
  await expect(declared).toContainText('6 clients with transactions');

  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByRole('region', { name: 'What it declares' })).toContainText('6 clients');
  await other.close();
});

test('the link of a run opens its source, and runs the same', async ({ explorer, page }) => {
  await page.goto('/#v=1&view=workload&workload.template=one-mutex');
  await explorer.button('Run').click();
  await explorer.expectRunState('running');
  await explorer.virtualTimeReaches(40);
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Explore' }).click();
  const link = new URL(page.url());
  expect(link.hash).toContain('scenario=workload');
  const { tps } = (await explorer.snapshot()).intervals[0]!;
  await page.goto('/');
  await page.goto(`/${link.hash}&run=1`);
  await explorer.virtualTimeReaches(40);
  expect((await explorer.snapshot()).intervals[0]!.tps).toBe(tps);
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Source' }).click();
  await expect(source(page)).toContainText('workload "One mutex"');
});

test('a file is saved, dropped on another page, and refused if it is no text', async ({ explorer, page }) => {
  await page.goto('/#v=1&view=workload&workload.template=connection-pool');
  const saving = page.waitForEvent('download');
  await explorer.button('Save').click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('connection-pool.workload');
  const text = readFileSync(await download.path(), 'utf8');

  const drop = async (name: string, content: string) => {
    const data = await page.evaluateHandle(
      ([fileName, fileContent]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([fileContent!], fileName!));
        return transfer;
      },
      [name, content],
    );
    await page.dispatchEvent('body', 'drop', { dataTransfer: data });
  };
  await page.goto('/');
  await drop('mine.workload', text.replace('Connection pool', 'My own pool'));
  await expect(explorer.panel('What it declares')).toContainText('My own pool');
  await drop('broken.workload', 'workload\0');
  await expect(page.getByRole('alert')).toContainText('broken.workload');
  await expect(explorer.panel('What it declares')).toContainText('My own pool');
});

test(
  'the view fits a phone and has no accessibility faults',
  { tag: '@chromium' },
  async ({ explorer, page }) => {
    await page.goto('/#v=1&view=workload&workload.template=mysql-72829');
    await expect(explorer.panel('What it declares')).toContainText('LOCK_grant');
    await expectToFit(page, [PHONE_PX, 1440]);
    expect(await brokenRules(page)).toEqual([]);
    await explorer.button('Run').click();
    await explorer.expectRunState('running');
    await explorer.virtualTimeReaches(40);
    await explorer.stop();
    await expectToFit(page, [PHONE_PX, 1000, 1440]);
    expect(await page.evaluate(nestedScrolling)).toEqual([]);
    expect(await brokenRules(page)).toEqual([]);
  },
);
