// Tests the start page, the palette, settings, and the page in a frame.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Page } from '@playwright/test';

import { dist } from '../tools/test-hosts/builds.mjs';
import { startHost } from '../tools/test-hosts/hosts.mjs';
import { hostHeaders } from '../web/contract/response-headers.mjs';
import { expect, test, VIRTUAL } from './explorer';
import { expectToFit, PHONE_PX } from './layout';

const UNDO_READ = 'undo-read-117533';
const FRONT_PAGE_RESULTS = path.join(import.meta.dirname, '../scenarios/front-page-results.json');

/** Makes the page see a machine with this many cores. */
async function pretendCores(page: Page, cores: number): Promise<void> {
  await page.addInitScript((count) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => count });
  }, cores);
}

/** Returns the recorded rates that the card of the bug draws. */
function recordedRates(): number[] {
  const { scenarios } = JSON.parse(readFileSync(FRONT_PAGE_RESULTS, 'utf8')) as {
    scenarios: Record<string, { figures: { curves: { tps: number }[][] } }>;
  };
  return scenarios[UNDO_READ]!.figures.curves[0]!.map(({ tps }) => tps);
}

const hashFields = (page: Page) =>
  page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));

test('a link starts a bug on the virtual server, which is then fixed; Back and Forward work', async ({
  explorer,
  page,
}) => {
  await pretendCores(page, 2);
  await page.goto('/');
  await expectToFit(page, [PHONE_PX, 1440]);
  await page.evaluate((id) => {
    location.hash = `#v=1&scenario=${id}&run=1`;
  }, UNDO_READ);
  await explorer.expectRunState('running');
  await expect(explorer.platform('Virtual server')).toBeChecked();
  const note = page.getByRole('region', { name: 'First run' });
  await expect(note).toContainText('This machine has 2 cores; this bug needs about 8 cores to show.');
  // The complete recorded run is shown immediately.
  await expect(note).toContainText('The pale line is a recording of this run');
  await expect(explorer.button('recorded run: MySQL 8.0 to 9.7 (the bug)')).toBeVisible();
  // After the UPDATE, throughput falls to a fiftieth.
  await page.waitForFunction(() => window.latchscope.snapshot().intervals.some(({ tps }) => tps < 300));
  const { intervals } = await explorer.snapshot();
  expect(intervals[0]!.tps).toBeGreaterThan(10_000);
  expect(intervals.map(({ tps }) => Math.round(tps))).toEqual(recordedRates().slice(0, intervals.length));
  const fields = await hashFields(page);
  expect(fields).toMatchObject({ scenario: UNDO_READ, platform: 'virtual' });
  expect(fields).not.toHaveProperty('run');
  await page.keyboard.press('f');
  await expect(explorer.variant('A guard in 64 shards and a page fix')).toBeChecked();
  await page.keyboard.press('s');
  await explorer.expectRunState('finished');

  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Latchscope' })).toBeVisible();
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('#117533');
  await explorer.expectRunState('finished');
  await explorer.scenarioSwitch.focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('#104615');
  await expect(explorer.scenarioSwitch).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('#117533');

  // Opening another bug stops the run behind the start page. The run of the new bug starts
  // automatically.
  await explorer.button('Run').click();
  await explorer.expectRunState('running');
  await page.getByRole('link', { name: 'Latchscope, start page' }).click();
  expect(await page.evaluate(() => window.latchscope.state().run_state)).toBe('running');
  expect(new URL(page.url()).hash).toBe('');
  await page.getByRole('link', { name: 'Bug #69276' }).click();
  await expect
    .poll(() => page.evaluate(() => window.latchscope.state().spec?.scenario))
    .toBe('fil-mutex-69276');
  await explorer.expectRunState('running');
});

test('the palette, the theme and the switch for single-key shortcuts work and survive a reload', async ({
  explorer,
  page,
}) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await explorer.open(VIRTUAL);
  const light = await background();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Command' })).toBeFocused();
  await page.keyboard.type('theme: dark');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(background).not.toBe(light);
  await page.keyboard.press('?');
  await explorer.button('Turn single-key shortcuts off').click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.reload();
  await page.evaluate(() => window.latchscope.ready);
  expect(await background()).not.toBe(light);
  await page.keyboard.press('f');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Command' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(explorer.variant('One global mutex, six times')).toBeChecked();
});

test.describe('in a frame of another page', { tag: '@chromium' }, () => {
  /** Opens a page of another origin that has `url` in a frame. */
  async function frame(page: Page, url: string): Promise<void> {
    const folder = mkdtempSync(path.join(tmpdir(), 'latchscope-framing-'));
    const framing = `<!doctype html><link rel="icon" href="data:,"><iframe src="${url}" width="900" height="700"></iframe>`;
    writeFileSync(path.join(folder, 'index.html'), framing);
    const host = await startHost({}, folder);
    await page.goto(host.url);
    await host.close();
    rmSync(folder, { recursive: true });
  }

  test('the page works where its host allows framing, even without storage', async ({ page }) => {
    const host = await startHost({ headers: hostHeaders('*') }, dist);
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('Storage is forbidden.', 'SecurityError');
        },
      });
    });
    await frame(page, host.url);
    const framed = page.frameLocator('iframe');
    await expect(framed.getByRole('list', { name: 'Bugs' })).toBeVisible();
    await framed.getByRole('button', { name: /^Theme/ }).click();
    await framed.getByRole('link', { name: 'Bug #117533' }).click();
    await expect(framed.getByRole('img', { name: /scans\/s over virtual time, now/ })).toBeVisible();
    await framed.getByRole('button', { name: 'Open the instrument ▸' }).click();
    await expect(framed.getByRole('status').getByText('running')).toBeVisible();
    await host.close();
  });

  test('served by npm start, the page is not shown', async ({ page, baseURL: baseUrl, complaints }) => {
    await frame(page, baseUrl!);
    await expect.poll(() => complaints.join()).toContain("frame-ancestors 'self'");
    complaints.length = 0;
  });
});
