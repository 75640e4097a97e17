import { expect, test } from './explorer';
import { serveWithoutHeaders, type StaticHost } from './static-host';

test.use({ serviceWorkers: 'allow' });

let host: StaticHost;
test.beforeEach(async () => {
  host = await serveWithoutHeaders();
});
test.afterEach(() => {
  host.close();
});

const link = '#v=1&scenario=undo-read-117533';

test('a host without headers: after one visit the page isolates itself and runs real threads', async ({
  explorer,
  page,
}) => {
  await page.goto(`${host.url}${link}`);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reload, to run real threads' }).click();
  await loaded;
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await page.evaluate(() => window.latchscope.ready);
  await expect(explorer.platform('This machine')).toBeEnabled();
  await page.evaluate(() => window.latchscope.openPlatform('threads'));
  const result = await page.evaluate(() =>
    window.latchscope.run({ version: 1, scenario: 'undo-read-117533', platform: 'threads', duration_s: 1 }),
  );
  expect(result.engine.platform).toBe('threads');
});

test('without a network the page opens and runs', async ({ explorer, page }) => {
  await page.goto(`${host.url}${link}`);
  await expect(page.getByRole('button', { name: 'Reload, to run real threads' })).toBeVisible();
  host.close();
  await page.reload();
  await page.evaluate(() => window.latchscope.ready);
  const run = {
    version: 1,
    scenario: 'undo-read-117533',
    platform: 'virtual',
    threads: 8,
    duration_s: 0.004,
  };
  const result = await page.evaluate((spec) => window.latchscope.run(spec), run);
  expect(result.totals.transactions).toBeGreaterThan(0);
  await explorer.expectRunState('finished');
});

test('a newer build waits until the reader wants it', async ({ page }) => {
  await page.goto(`${host.url}${link}`);
  await expect(page.getByRole('button', { name: 'Reload, to run real threads' })).toBeVisible();
  host.deployAnotherBuild();
  await page.reload();
  const newer = page.getByRole('region', { name: 'Newer version' });
  const loaded = page.waitForEvent('load');
  await newer.getByRole('button', { name: 'Reload, to use it' }).click();
  await loaded;
  await expect(newer).toHaveCount(0);
  await page.evaluate(() => window.latchscope.ready);
  await expect.poll(() => page.evaluate(() => caches.keys())).toHaveLength(1);
});
