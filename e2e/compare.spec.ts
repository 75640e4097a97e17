import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { expect, test } from './explorer';

/** Tiny runs of #117533, in which the UPDATE comes at once. */
const tiny = {
  version: 1,
  scenario: 'undo-read-117533',
  platform: 'virtual',
  threads: 16,
  duration_s: 0.01,
  from_s: 0.003,
  parameters: { rows: 100 },
  actions: [{ at_s: 0.0005, action: 'update_k' }],
};
const tiny_link =
  'scenario=undo-read-117533&platform=virtual&threads=16&duration_s=0.01&parameters.rows=100&at=0.0005:update_k';
const compare_link = `#v=1&view=compare&${tiny_link}&from_s=0.003`;
/** Long enough for the designs to part. */
const telling_link = compare_link
  .replace('duration_s=0.01', 'duration_s=0.03')
  .replace('from_s=0.003', 'from_s=0.005');
const sweep_link = `#v=1&view=sweep&${tiny_link}&from_s=0.003`;

/** A batch of runs takes longer than a click. */
const patient = { timeout: 200_000 };

async function violations(page: Page) {
  const { violations: found } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  return found.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]);
}

test(
  'the fixed design of #117533 is faster than the original',
  { tag: '@chromium' },
  async ({ explorer, page }) => {
    await explorer.open(`${telling_link}&repeats=3`);
    await expect(explorer.panel('Nothing compared yet')).toContainText('original (A) and fixed (B)');
    await page.locator('.start-panel').getByRole('button', { name: 'Compare' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Comparison done' })).toBeVisible(patient);
    const verdict = explorer.panel('Verdict');
    await expect(verdict).toContainText('B is faster');
    await expect(verdict).toContainText(
      /fixed is [\d.]+ times as fast as original \(95 % interval [\d.]+ to [\d.]+, 3 seeds\)\./,
    );
    await expect(explorer.panel('Each repeat').getByRole('rowheader', { name: 'seed 3' })).toBeVisible();
    await expect(
      page.getByRole('img', { name: /Transactions per virtual second of fixed over time/ }),
    ).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page)).toEqual([]);

    const download = page.waitForEvent('download');
    await explorer.button('Save CSV').click();
    expect((await download).suggestedFilename()).toBe('latchscope-undo-read-117533-comparison.csv');
    for (const width of [390, 800, 1200, 1440, 1920]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await explorer.beyondRightEdge(), `${width} px`).toBe(0);
    }
  },
);

test('a comparison is the same each time, and leaves the next run as it is', async ({ explorer, page }) => {
  await explorer.open();
  const compare = () => page.evaluate((plan) => window.latchscope.compare(plan), { ...tiny, repeats: 2 });
  const first = await compare();
  const second = await compare();
  expect(first.verdict).toBe('cannot_tell');
  expect(first.runs.map(({ design }) => design)).toEqual([0, 1, 1, 0]);
  expect(second.runs.map(({ outcome }) => outcome)).toEqual(first.runs.map(({ outcome }) => outcome));
  const { draft } = await page.evaluate(() => window.latchscope.state());
  expect(draft).toMatchObject({ seed: 1, design: { purge_latch: 'rw_lock' } });
});

test('cancel keeps what it has', async ({ explorer, page }) => {
  await explorer.open(`${compare_link}&repeats=20`);
  await page.locator('.start-panel').getByRole('button', { name: 'Compare' }).click();
  await expect(page.locator('.batch-progress')).toContainText(
    /[3-9] of 40 runs done; about .* left/,
    patient,
  );
  // It goes on behind another view.
  await page.evaluate(() => window.latchscope.execute('view.explorer'));
  await expect(explorer.button('Run')).toHaveCount(0);
  await page.evaluate(() => window.latchscope.execute('view.compare'));
  await explorer.button('Cancel, keep what is there').click();
  await expect(page.getByRole('status').filter({ hasText: /cancelled after \d+ of 40 runs/ })).toBeVisible();
  await expect(explorer.panel('Verdict')).toContainText(/\d+ of 40 runs/);
  await expect(explorer.panel('Each repeat').getByRole('rowheader', { name: 'seed 1' })).toBeVisible();
  await expect(page.locator('.start-panel').getByRole('button', { name: 'Compare' })).toBeEnabled();
});

test('a sweep over three thread counts gives a table, and says why there is no curve', async ({
  explorer,
  page,
}) => {
  await explorer.open(`${sweep_link}&designs=original,fixed&counts=1,2,4&repeats=1`);
  await page.locator('.start-panel').getByRole('button', { name: 'Sweep' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Sweep done' })).toBeVisible(patient);
  const table = explorer.panel('Each thread count');
  for (const threads of ['1', '2', '4']) {
    await expect(table.getByRole('rowheader', { name: threads, exact: true })).toBeVisible();
  }
  await expect(explorer.panel('Universal Scalability Law')).toContainText(
    'No fit: it needs 4 thread counts or more, and there are 3.',
  );
  expect(await violations(page)).toEqual([]);
  for (const width of [390, 800, 1200, 1440, 1920]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await explorer.beyondRightEdge(), `${width} px`).toBe(0);
  }
});

test('a bad input is named at its field, and nothing starts', async ({ explorer, page }) => {
  await explorer.open(`${sweep_link}&counts=1,2,4`);
  const start = page.locator('.start-panel').getByRole('button', { name: 'Sweep' });
  const counts = page.getByRole('textbox', { name: 'Thread counts' });
  await explorer.write(counts, '1, 2, many');
  await expect(counts).toHaveAccessibleDescription(
    'many: must be integers from 1 to 1024, separated by commas',
  );
  await expect(counts).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('alert')).toContainText('counts is many; allowed: integers from 1 to 1024');
  await expect(start).toBeDisabled();
  await explorer.write(counts, '1, 2, 8');
  await expect(start).toBeEnabled();
  await expect(page).toHaveURL(/view=sweep.*&counts=1,2,8/);
  for (const name of ['original', 'fixed']) await page.getByRole('checkbox', { name, exact: true }).uncheck();
  await expect(page.getByRole('alert')).toContainText('designs is none; allowed: 1 to 4 of original, fixed');
  await expect(start).toBeDisabled();
});

test('scripts are refused by field', async ({ explorer, page }) => {
  await explorer.open();
  const errorsOf = (kind: 'compare' | 'sweep', plan: object) =>
    page.evaluate(
      ([name, given]) =>
        window.latchscope[name](given).then(
          () => null,
          (error: unknown) => (error as { errors: unknown }).errors,
        ),
      [kind, plan] as const,
    );
  expect(await errorsOf('compare', { ...tiny, repeats: 0 })).toMatchObject([{ field: 'repeats' }]);
  expect(await errorsOf('compare', { ...tiny, with: { purge_latch: 'x' } })).toMatchObject([
    { field: 'with.purge_latch', value: 'x' },
  ]);
  expect(await errorsOf('sweep', { ...tiny, counts: [1, 5000] })).toMatchObject([
    { field: 'counts', value: '5000' },
  ]);
  expect(await errorsOf('sweep', { ...tiny, with: 'fixed' })).toMatchObject([{ field: 'with' }]);
  await explorer.expectRunState('idle');
});
