// Tests the embedded run: <latchscope-run> in a page of another origin, and embed.html.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Page } from '@playwright/test';

import { writeSite } from '../tools/site.mjs';
import { dist } from '../tools/test-hosts/builds.mjs';
import { startHost } from '../tools/test-hosts/hosts.mjs';
import { expect, test } from './explorer';

const BUG = '117533';

/** Opens a page of another origin with `body`. */
async function openOnOtherOrigin(page: Page, body: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchscope-embedding-'));
  writeFileSync(
    path.join(folder, 'index.html'),
    `<!doctype html><link rel="icon" href="data:,"><title>Other site</title>${body}`,
  );
  const host = await startHost({}, folder);
  await page.goto(host.url);
  await host.close();
  rmSync(folder, { recursive: true });
}

const scriptOf = (baseUrl: string) => `<script src="${baseUrl}/latchscope-run.js"></script>`;
const tpsOf = async (frame: FrameLocator | Page) => {
  const text = await frame.locator('.embed-tps').innerText();
  return Number(text.replace(/\D/g, ''));
};

test('a site works below a path, with its picture and the embedded page', async ({ page }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchscope-site-'));
  writeSite(dist, folder, { url: 'https://example.org/project/demo/' });
  const host = await startHost({}, folder);
  host.deploy(folder, '/project/demo/');
  const site = `${host.url}project/demo/`;
  const failed: string[] = [];
  page.on('response', (response) => {
    if (!response.ok()) failed.push(response.url());
    if (!response.url().startsWith(site)) failed.push(response.url());
  });
  await page.goto(`${site}#v=1&scenario=undo-read-${BUG}&platform=virtual&run=1`);
  await expect(page.getByRole('status').getByText('running')).toBeVisible();
  const picture = page.locator('meta[property="og:image"]');
  await expect(picture).toHaveAttribute('content', 'https://example.org/project/demo/preview.png');
  await page.goto(`${site}preview.png`);
  await expect(page.locator('img')).toBeVisible();
  await page.goto(`${site}embed.html#bug=${BUG}&autoplay=1`);
  await expect.poll(() => tpsOf(page)).toBeGreaterThan(0);
  expect(failed).toEqual([]);
  await host.close();
  rmSync(folder, { recursive: true });
});

test.describe('an embedded run', { tag: '@chromium' }, () => {
  test('runs in a page of another origin, and the flip changes its throughput', async ({
    page,
    baseURL: baseUrl,
  }) => {
    await openOnOtherOrigin(
      page,
      `${scriptOf(baseUrl!)}<latchscope-run bug="${BUG}" autoplay theme="dark"></latchscope-run>`,
    );
    const iframe = page.locator('latchscope-run iframe');
    await expect(iframe).toHaveAttribute('sandbox', 'allow-scripts allow-same-origin');
    const frame = page.frameLocator('latchscope-run iframe');
    await expect(frame.getByRole('heading', { level: 1 })).toContainText(`Bug #${BUG}`);
    await expect(frame.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(frame.getByRole('button', { name: 'Pause' })).toBeVisible();
    const original = frame.getByRole('button', { name: 'Original' });
    const fixed = frame.getByRole('button', { name: /^Fixed/ });
    await expect(original).toHaveAttribute('aria-pressed', 'true');
    // The bug's first run fires its first action by itself.
    await expect(frame.getByRole('img', { name: /UPDATE sbtest1/ })).toBeVisible();
    // No scan that began after the update has ended yet.
    await expect(frame.getByText('not settled yet')).toBeVisible();
    await expect.poll(() => tpsOf(frame)).toBeGreaterThan(0);

    await fixed.click();
    await expect(fixed).toHaveAttribute('aria-pressed', 'true');
    // The ratio is measured from samples of both designs after the same action.
    await expect(fixed).toHaveText(/^Fixed ([2-9]|\d\d)/);

    // The frame is as high as its content.
    const height = await frame.locator('#root').evaluate((root) => root.getBoundingClientRect().height);
    await expect.poll(async () => (await iframe.boundingBox())!.height).toBeCloseTo(height, -1);
  });

  test('opens the same run in Latchscope', async ({ page, context, baseURL: baseUrl }) => {
    await openOnOtherOrigin(
      page,
      `${scriptOf(baseUrl!)}<latchscope-run bug="${BUG}" design="fixed"></latchscope-run>`,
    );
    const frame = page.frameLocator('latchscope-run iframe');
    const link = frame.getByRole('link', { name: 'Open in Latchscope' });
    await frame.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(link).toHaveAttribute('href', /&run=1/);
    const opened = context.waitForEvent('page');
    await link.click();
    const latchscope = await opened;
    expect(latchscope.url()).toContain(`${baseUrl}/#v=1&scenario=undo-read-${BUG}`);
    await expect(latchscope.getByRole('status').getByText('running')).toBeVisible();
    await expect(latchscope.getByRole('button', { name: /\(the fix\)/ }).first()).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  });

  test('loads near the viewport only', async ({ page, baseURL: baseUrl }) => {
    await openOnOtherOrigin(
      page,
      `${scriptOf(baseUrl!)}<div style="height: 5000px"></div><latchscope-run bug="${BUG}"></latchscope-run>`,
    );
    await expect(page.locator('latchscope-run')).toBeAttached();
    await expect(page.locator('latchscope-run iframe')).toHaveCount(0);
    await page.locator('latchscope-run').scrollIntoViewIfNeeded();
    await expect(page.frameLocator('latchscope-run iframe').getByRole('heading', { level: 1 })).toBeVisible();
  });

  test('reports invalid attributes in the element, and unknown bugs in the frame', async ({
    page,
    baseURL: baseUrl,
  }) => {
    await openOnOtherOrigin(
      page,
      `${scriptOf(baseUrl!)}<latchscope-run bug="${BUG}" design="newest" height="10"></latchscope-run>
      <latchscope-run bug="1"></latchscope-run>`,
    );
    const [invalid, unknown] = [
      page.locator('latchscope-run').first(),
      page.locator('latchscope-run').last(),
    ];
    await expect(invalid.getByRole('alert')).toHaveText(
      'latchscope-run: height is 10; allowed: 240 to 2000 (pixels). design is newest; allowed: original, fixed.',
    );
    await expect(unknown.frameLocator('iframe').getByRole('alert')).toContainText(
      'bug is 1; allowed: 69276,',
    );
    await invalid.evaluate((element) => {
      element.setAttribute('design', 'fixed');
      element.setAttribute('height', '600');
    });
    await expect(invalid.frameLocator('iframe').getByRole('button', { name: /^Fixed/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    expect((await invalid.boundingBox())!.height).toBe(600);
  });

  test('ignores messages of other windows', async ({ page, baseURL: baseUrl }) => {
    await openOnOtherOrigin(page, `${scriptOf(baseUrl!)}<latchscope-run bug="${BUG}"></latchscope-run>`);
    const element = page.locator('latchscope-run');
    await expect(
      page.frameLocator('latchscope-run iframe').getByRole('link', { name: 'Open in Latchscope' }),
    ).toBeVisible();
    const height = await element.evaluate((run) => run.style.height);
    await page.evaluate(
      () =>
        new Promise((seen) => {
          addEventListener('message', seen, { once: true });
          postMessage({ kind: 'latchscope:size', heightPx: 1999 }, '*');
        }),
    );
    expect(await element.evaluate((run) => run.style.height)).toBe(height);
  });

  test('may be framed by any page, and the main page by none', async ({
    page,
    baseURL: baseUrl,
    complaints,
  }) => {
    await openOnOtherOrigin(
      page,
      `<iframe src="${baseUrl}/embed.html#bug=${BUG}" sandbox="allow-scripts allow-same-origin" width="800" height="600"></iframe>`,
    );
    await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toContainText(BUG);
    expect(complaints).toEqual([]);
    await openOnOtherOrigin(page, `<iframe src="${baseUrl}/"></iframe>`);
    await expect.poll(() => complaints.join()).toContain("frame-ancestors 'self'");
    complaints.length = 0;
  });
});
