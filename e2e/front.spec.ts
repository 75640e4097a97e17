import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { dist } from '../tools/test-hosts/builds.mjs';
import { startHost } from '../tools/test-hosts/hosts.mjs';
import { hostHeaders } from '../web/browser/offline/response-headers.mjs';
import { expect, SCENARIO, test } from './explorer';

const UNDO_READ = 'undo-read-117533';

/** A machine with so many cores, as the page sees it. */
async function pretendCores(page: Page, cores: number): Promise<void> {
  await page.addInitScript((count) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => count });
  }, cores);
}

const hashFields = (page: Page) =>
  page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));

test.describe('the start page', () => {
  test.beforeEach(async ({ page }) => {
    await pretendCores(page, 2);
    await page.goto('/');
  });

  test('shows every bug with a run that was drawn, and the figures of the report', async ({ page }) => {
    await expect(page.getByRole('heading', { level: 1, name: 'Latchscope' })).toBeVisible();
    await expect(page).toHaveTitle('Latchscope');
    const cards = page.getByRole('list', { name: 'Bugs' }).getByRole('listitem');
    await expect(cards).toHaveCount(5);
    const card = cards.filter({ hasText: '#117533' });
    await expect(card).toContainText('14,394 → 182–192 TPS');
    await expect(card.getByRole('img')).toHaveAccessibleName(/before and after one UPDATE/);
    const drawn = await card.locator('.sparkline-original').getAttribute('d');
    expect(drawn!.split('L').length).toBeGreaterThan(10);
  });

  test('has no bar of a run, and does not reach beyond a phone', async ({ explorer, page }) => {
    await expect(explorer.button('Run')).toHaveCount(0);
    await expect(page.getByRole('navigation', { name: 'Views' })).toHaveCount(0);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await explorer.beyondRightEdge()).toBe(0);
  });

  test('opens a bug by one click and starts it, on the virtual server if there are too few cores', async ({
    explorer,
    page,
  }) => {
    await page.getByRole('link', { name: 'Bug #117533' }).click();
    await explorer.expectRunState('running');
    await expect(explorer.platform('Virtual server')).toBeChecked();
    const note = page.getByRole('region', { name: 'First run' });
    await expect(note).toContainText('This machine has 2 cores; this bug needs about 8 to hurt.');
    // The UPDATE is done, and throughput falls to a fiftieth.
    await explorer.virtualTimeReaches(80);
    await page.waitForFunction(() => window.latchscope.snapshot().intervals.length >= 4);
    const { intervals } = await explorer.snapshot();
    expect(intervals[0]!.tps).toBeGreaterThan(100_000);
    expect(Math.min(...intervals.map(({ tps }) => tps ?? Infinity))).toBeLessThan(5000);
    const fields = await hashFields(page);
    expect(fields).toMatchObject({ scenario: UNDO_READ, platform: 'virtual' });
    expect(fields).not.toHaveProperty('run');
    await note.getByRole('button', { name: 'Heal it: fixed design' }).click();
    await expect(explorer.variant('A guard in 64 shards and a page fix')).toBeChecked();
    await note.getByRole('button', { name: 'Close this note' }).click();
    await expect(note).toHaveCount(0);
    await explorer.stop();
  });

  test('is where Back leads, and Forward does not start again', async ({ explorer, page }) => {
    await page.getByRole('link', { name: 'Bug #117533' }).click();
    await explorer.expectRunState('running');
    await explorer.stop();
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'Latchscope' })).toBeVisible();
    await page.goForward();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('#117533');
    await explorer.expectRunState('finished');
  });

  test('is where the name leads, while a run goes on', async ({ explorer, page }) => {
    await page.getByRole('link', { name: 'Bug #117533' }).click();
    await explorer.expectRunState('running');
    await page.getByRole('link', { name: 'Latchscope, start page' }).click();
    await expect(page.getByRole('list', { name: 'Bugs' })).toBeVisible();
    expect(await page.evaluate(() => window.latchscope.state().run_state)).toBe('running');
    expect(new URL(page.url()).hash).toBe('');
    // Another bug stops it and starts by itself.
    await page.getByRole('link', { name: 'Bug #69276' }).click();
    await expect.poll(() => page.evaluate(() => window.latchscope.state().spec?.scenario)).toBe(SCENARIO);
    await explorer.expectRunState('running');
  });
});

test('the help sheet links to the licences of what the page is made of', async ({ explorer, page }) => {
  await explorer.open();
  await page.keyboard.press('?');
  const opened = page.waitForEvent('popup');
  await page.getByRole('dialog', { name: 'Keys and help' }).getByRole('link', { name: 'licences' }).click();
  await expect((await opened).locator('body')).toContainText('nlohmann/json (MIT)');
});

test('axe finds nothing wrong with the start page, the first run, the palette and the help sheet', async ({
  explorer,
  page,
}) => {
  await pretendCores(page, 2);
  await page.goto('/');
  const violations = async () => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations: found } = await new AxeBuilder({ page }).withTags(tags).analyze();
    return found.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]);
  };
  for (const color_scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: color_scheme });
    await page.getByRole('heading', { level: 1 }).click();
    expect(await violations()).toEqual([]);
    for (const key of ['Control+k', '?']) {
      await page.keyboard.press(key);
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.getByRole('dialog').locator('input, dl').first().waitFor();
      expect(await violations()).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  }
  await page.getByRole('link', { name: 'Bug #117533' }).click();
  await explorer.expectRunState('running');
  await explorer.stop();
  await expect(page.getByRole('region', { name: 'First run' })).toBeVisible();
  expect(await violations()).toEqual([]);
});

test('a machine with enough cores shows the first run itself', async ({ explorer, page }) => {
  await pretendCores(page, 8);
  await page.goto(`/#v=1&scenario=${UNDO_READ}&run=1`);
  await explorer.expectRunState('running');
  await expect(explorer.platform('This machine')).toBeChecked();
  const note = page.getByRole('region', { name: 'First run' });
  await expect(note).toBeVisible();
  await expect(note).not.toContainText('cores');
  // It is about this platform only.
  await explorer.platform('Virtual server').check();
  await expect(note).toHaveCount(0);
});

test('a link may start what it says', async ({ explorer, page }) => {
  await page.goto(`/#v=1&scenario=${UNDO_READ}&platform=virtual&threads=4&duration_s=0.002&run=1`);
  await explorer.expectRunState('finished');
  expect(await page.evaluate(() => window.latchscope.state().spec)).toMatchObject({ threads: 4 });
  expect(await hashFields(page)).not.toHaveProperty('run');
});

test.describe('the command palette', () => {
  test('finds a command and carries it out by keyboard alone', async ({ explorer, page }) => {
    await explorer.open();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Command' });
    await expect(field).toBeFocused();
    await page.keyboard.type('theme: dark');
    await expect(page.getByRole('dialog').getByRole('option').first()).toHaveText(/Theme: dark/);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    // What was chosen last comes first.
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog').getByRole('option').first()).toHaveText(/Theme: dark/);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('shows keys, and why something cannot be done', async ({ explorer, page }) => {
    await explorer.open();
    await explorer.button(/^Commands/).click();
    await explorer.write(page.getByRole('combobox', { name: 'Command' }), 'stop');
    const stop = page.getByRole('option', { name: 'Stop', exact: false }).first();
    await expect(stop).toContainText('no run goes on');
    await expect(stop).toHaveAttribute('aria-disabled', 'true');
    await explorer.write(page.getByRole('combobox', { name: 'Command' }), 'go nowhere at all');
    await expect(page.getByRole('status').filter({ hasText: 'No command is called' })).toBeVisible();
    await explorer.write(page.getByRole('combobox', { name: 'Command' }), 'sweep over');
    await page.getByRole('option', { name: 'Sweep over threads' }).click();
    await expect(page.getByRole('navigation', { name: 'Views' }).getByText('Sweep')).toHaveAttribute(
      'aria-current',
      'page',
    );
  });
});

test.describe('keys', () => {
  test('run, turn the design and lead through the views', async ({ explorer, page }) => {
    await explorer.open(`#v=1&scenario=${UNDO_READ}&platform=virtual&threads=4&parameters.rows=500`);
    await page.keyboard.press('f');
    await expect(explorer.variant('A guard in 64 shards and a page fix')).toBeChecked();
    await page.keyboard.press('1');
    await expect(explorer.variant('Ask the shard, under its mutex')).toBeChecked();
    await page.keyboard.press('Space');
    await explorer.expectRunState('running');
    await page.keyboard.press('Space');
    await explorer.expectRunState('paused');
    await page.keyboard.press('s');
    await explorer.expectRunState('finished');
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await expect(page.getByRole('list', { name: 'Bugs' })).toBeVisible();
  });

  test('are all on the help sheet, and can be switched off for good', async ({ explorer, page }) => {
    await explorer.open();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keys and help' });
    const keys = await sheet.getByRole('term').allInnerTexts();
    expect(keys.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual(
      expect.arrayContaining(['Space', 'f', 'o', '1', 'Ctrl K', 'g b', 't']),
    );
    expect(new Set(keys).size).toBe(keys.length);
    await sheet.getByRole('button', { name: 'Switch single-key shortcuts off' }).click();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await page.evaluate(() => window.latchscope.ready);
    await page.keyboard.press('f');
    await expect(explorer.variant('One global mutex, six times')).toBeChecked();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Command' })).toBeFocused();
  });

  test('mean nothing while somebody types', async ({ explorer, page }) => {
    await explorer.open();
    await page.getByLabel('Clients', { exact: true }).focus();
    await page.keyboard.type('f?');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(explorer.variant('One global mutex, six times')).toBeChecked();
  });
});

test('a card is opened and healed without a mouse', async ({ explorer, page }) => {
  await pretendCores(page, 2);
  await page.goto('/');
  await page.getByRole('link', { name: 'Bug #117533' }).focus();
  await page.keyboard.press('Enter');
  await explorer.expectRunState('running');
  await page.keyboard.press('f');
  await expect(explorer.variant('A guard in 64 shards and a page fix')).toBeChecked();
  await page.keyboard.press('s');
  await explorer.expectRunState('finished');
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

  test('the page works where its host allows it, even if it may not store anything', async ({ page }) => {
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
    await expect(framed.getByRole('status').getByText('running')).toBeVisible();
    await host.close();
  });

  test('as npm start serves it, the page is not shown', async ({ page, baseURL: base_url, complaints }) => {
    await frame(page, base_url!);
    await expect.poll(() => complaints.join()).toContain("frame-ancestors 'self'");
    complaints.length = 0;
  });
});
