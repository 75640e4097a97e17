import { dist } from '../tools/test-hosts/builds.mjs';
import { startHost } from '../tools/test-hosts/hosts.mjs';
import { expect, SCENARIO, test } from './explorer';

test.describe('a page that is not cross-origin isolated', () => {
  let host: Awaited<ReturnType<typeof startHost>>;
  test.beforeAll(async () => {
    host = await startHost({}, dist);
  });
  test.afterAll(() => host.close());

  test('falls back to the virtual server, says why, and what to do', async ({ explorer, page }) => {
    await page.goto(`${host.url}#v=1&scenario=${SCENARIO}`);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    const notice = page.getByRole('region', { name: 'Fallback to the virtual server' });
    await expect(notice).toContainText('Runs on the virtual server');
    await expect(notice).toContainText('not cross-origin isolated');
    await expect(notice).toContainText('Cross-Origin-Embedder-Policy: require-corp');
    await expect(notice).toContainText('npm start');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(explorer.platform('Virtual server')).toBeChecked();
    await expect(explorer.platform('This machine')).toBeDisabled();
    await expect(explorer.platform('This machine')).toHaveAccessibleDescription(/not cross-origin isolated/);
    await page.getByText('The story').click();
    await expect(page.getByText('one look-up per read and a reference count')).toBeVisible();
    await explorer.evidence('Reported');
    await expect(explorer.panel('Reported and here')).toContainText('240,000');
  });

  test('runs there', async ({ explorer, page }) => {
    await page.goto(`${host.url}#v=1&scenario=undo-read-117533&threads=8&duration_s=0.004`);
    await page.evaluate(() => window.latchscope.ready);
    await explorer.button('Run').click();
    await explorer.expectRunState('finished');
    const result = await page.evaluate(() => window.latchscope.state().result);
    expect(result).toMatchObject({ engine: { platform: 'virtual' }, spec: { threads: 8 } });
    expect(result!.totals.transactions).toBeGreaterThan(0);
  });

  test('opens a link to real threads there, and refuses to run them', async ({ explorer, page }) => {
    const link = `#v=1&scenario=${SCENARIO}&platform=threads&threads=8&design.tablespace_lookup=atomic_word`;
    await page.goto(`${host.url}${link}`);
    await expect(explorer.variant('One atomic word per tablespace')).toBeChecked();
    await expect(explorer.platform('Virtual server')).toBeChecked();
    const errors = await page.evaluate(
      (scenario) =>
        window.latchscope.run({ version: 1, scenario, platform: 'threads' }).then(
          () => null,
          (error: unknown) => (error as { errors: unknown }).errors,
        ),
      SCENARIO,
    );
    expect(errors).toEqual([{ field: 'platform', value: 'threads', allowed: 'virtual' }]);
  });
});

test('the page as we serve it is isolated and loads nothing from elsewhere', async ({
  explorer,
  page,
  baseURL: base_url,
}) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(base_url!))
      foreign.push(request.url());
  });
  await explorer.open();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await explorer.start();
  await explorer.stop();
  expect(foreign).toEqual([]);
});
