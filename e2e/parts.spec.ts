import type { Page } from '@playwright/test';

import { expect, minimal_spec, test } from './explorer';

/** Makes a method of the browser throw while `window.is_broken` is true. */
async function breakable(
  page: Page,
  owner: 'Array' | 'CanvasRenderingContext2D',
  method: string,
): Promise<void> {
  await page.addInitScript(
    ([name, broken_method]) => {
      const { prototype } = (window as unknown as Record<string, { prototype: Record<string, unknown> }>)[
        name
      ]!;
      const works = prototype[broken_method] as (...given: unknown[]) => unknown;
      prototype[broken_method] = function (...given: unknown[]) {
        if ((window as unknown as { is_broken: boolean }).is_broken) throw new Error('broken on purpose');
        return works.apply(this, given);
      };
      Object.assign(window, { is_broken: true });
    },
    [owner, method] as const,
  );
}

const repair = (page: Page) => page.evaluate(() => Object.assign(window, { is_broken: false }));
const fail = (page: Page) => page.evaluate(() => Object.assign(window, { is_broken: true }));

test('a view that fails says so in its place, and is shown again', async ({ explorer, page, complaints }) => {
  await breakable(page, 'Array', 'toReversed');
  await explorer.openWithoutEngine('');
  const notice = page.getByRole('alert').first();
  await expect(notice).toContainText('The run of this bug could not be shown. broken on purpose');
  expect(complaints.join()).toContain('broken on purpose');
  await expect(page.getByRole('heading', { name: /Bug #69276/ })).toBeVisible();

  await repair(page);
  const pictures = page.getByRole('figure');
  const before = await pictures.count();
  await notice.getByRole('button', { name: 'Show it again' }).click();
  await expect(pictures).toHaveCount(before + 1);
  complaints.length = 0;
});

test('a chart that cannot be drawn leaves the run, the other parts and the reader alone', async ({
  explorer,
  page,
  complaints,
}) => {
  await breakable(page, 'CanvasRenderingContext2D', 'clip');
  await explorer.open('#v=1&scenario=fil-mutex-69276&platform=virtual');
  const throughput = explorer.panel('Throughput');
  await expect(throughput).toContainText('The chart “Throughput” could not be shown. broken on purpose');
  const run = {
    ...minimal_spec,
    platform: 'virtual',
    threads: 4,
    duration_s: 0.02,
    interval_s: 0.005,
  };
  const result = await explorer.run(run);
  expect(result.totals.transactions).toBeGreaterThan(0);
  await explorer.expectRunState('finished');
  await expect(page.locator('[data-run-state]')).toContainText('finished');

  await repair(page);
  await throughput.getByRole('button', { name: 'Show it again' }).click();
  await expect(throughput.getByRole('slider')).toBeVisible();
  // In the middle of a run, too; another run tries again by itself.
  await fail(page);
  await explorer.run(run);
  await expect(throughput).toContainText('could not be shown');
  await repair(page);
  await explorer.run(run);
  await expect(throughput.getByRole('slider')).toBeVisible();
  complaints.length = 0;
});
