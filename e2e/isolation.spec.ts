// Tests cross-origin isolation: what the page does without it, and that Latchscope's own server
// provides it.
import { dist } from '../tools/test-hosts/builds.mjs';
import { startHost } from '../tools/test-hosts/hosts.mjs';
import { expect, SCENARIO, test } from './explorer';

test(
  'a page that is not cross-origin isolated says why and what to do, and offers only the virtual server',
  { tag: '@firefox' },
  async ({ explorer, page }) => {
    const host = await startHost({}, dist);
    await page.goto(
      `${host.url}#v=1&scenario=${SCENARIO}&platform=threads&threads=8&design.tablespace_lookup=atomic_word`,
    );
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    const notice = page.getByRole('region', { name: 'Fallback to the virtual server' });
    await expect(notice).toContainText('runs use the virtual server');
    await expect(notice).toContainText('not cross-origin isolated');
    await expect(notice).toContainText('Cross-Origin-Embedder-Policy: require-corp');
    await expect(notice).toContainText('npm start');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(explorer.variant('One atomic word per tablespace')).toBeChecked();
    await expect(explorer.platform('Virtual server')).toBeChecked();
    await expect(explorer.platform('This machine')).toBeDisabled();
    await explorer.button('Story').click();
    await expect(page.getByText('one look-up per read and a reference count')).toBeVisible();
    const errors = await page.evaluate(
      (scenario) =>
        window.latchscope.run({ version: 1, scenario, platform: 'threads' }).then(
          () => null,
          (error: unknown) => (error as { errors: unknown }).errors,
        ),
      SCENARIO,
    );
    expect(errors).toEqual([{ field: 'platform', value: 'threads', allowed: 'virtual' }]);

    await page.evaluate(
      (hash) => (location.hash = hash),
      '#v=1&scenario=undo-read-117533&threads=8&duration_s=0.004',
    );
    await page.evaluate(() => window.latchscope.ready);
    await explorer.button('Run').click();
    await explorer.expectRunState('finished');
    const result = await page.evaluate(() => window.latchscope.state().result);
    expect(result).toMatchObject({ engine: { platform: 'virtual' }, spec: { threads: 8 } });
    expect(result!.totals.transactions).toBeGreaterThan(0);
    await host.close();
  },
);

test(
  'Latchscope’s server isolates the page, which loads nothing from other origins',
  { tag: '@firefox' },
  async ({ explorer, page, baseURL: baseUrl }) => {
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(baseUrl!))
        foreign.push(request.url());
    });
    await explorer.open();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    await explorer.start();
    await explorer.stop();
    expect(foreign).toEqual([]);
  },
);
