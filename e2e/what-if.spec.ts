// Tests what-if runs and the causal profile.
import type { Page } from '@playwright/test';

import { brokenRules } from './axe';
import { expect, SCENARIO, SMALL, smallParameters, test } from './explorer';
import { expectToFit, PHONE_PX } from './layout';

const LINK = `#v=1&scenario=${SCENARIO}&platform=virtual&threads=16&duration_s=0.01&interval_s=0.005${SMALL}`;
const LATCH = 'fil_system->mutex';

test('a latch with free hand-offs is selected with keys, run and described', async ({ explorer, page }) => {
  await explorer.open(LINK);
  await page.locator('details.settings > summary').press('Enter');
  const latch = page.getByRole('combobox', { name: 'Latch' });
  await latch.focus();
  await page.keyboard.type(LATCH);
  await expect(latch).toHaveValue(LATCH);
  await page.getByRole('combobox', { name: 'Hand-off' }).press('End');
  await expect(page.getByRole('status', { name: 'What-if of the next run' })).toHaveText(
    `Next run: ${LATCH}: hand-off free.`,
  );
  await expect
    .poll(() => decodeURIComponent(page.url()))
    .toContain(`what_if.latch=${LATCH};section_percent=100;hand_over=free`);
  await explorer.button('Run').press('Enter');
  await explorer.expectRunState('finished');
  const result = await page.evaluate(() => window.latchscope.state().result!);
  expect(result.spec.what_if).toEqual({
    latches: [{ latch: LATCH, section_percent: 100, hand_over: 'free' }],
  });
  await expect(page.getByRole('note', { name: 'What if' })).toHaveText(`What if ${LATCH}: hand-off free`);
  await explorer.evidence('Reported');
  await expect(explorer.panel('Reported vs. here')).toContainText('Not compared');
});

const RUN = `scenario=${SCENARIO}&platform=virtual&threads=16&duration_s=0.01${SMALL}`;
const isDone = (page: Page) => page.getByRole('status').filter({ hasText: 'What-if done' });

test('the causal profile of a bug runs on all workers, and agrees with the engine', async ({
  explorer,
  page,
}) => {
  await explorer.open(`#v=1&view=what_if&${RUN}&study.seeds=2&study.top=2`);
  await page.locator('.start-panel').getByRole('button', { name: 'Run' }).click();
  await expect(isDone(page)).toBeVisible();
  const table = page.getByRole('region', { name: 'Causal profile, table' });
  const report = await page.evaluate((spec) => window.latchscope.whatIf(spec), {
    ...{ version: 1, scenario: SCENARIO, platform: 'virtual', threads: 16, duration_s: 0.01 },
    parameters: smallParameters,
    study: { kind: 'profile', seeds: 2, top: 2 },
  });
  if (!('latches' in report)) throw new Error('It is no profile.');
  expect(report.latches).toHaveLength(2);
  for (const { latch, section, hand_over } of report.latches) {
    const row = table.getByRole('row').filter({ hasText: latch });
    for (const { tps_ratio } of [section, hand_over])
      await expect(row).toContainText(tps_ratio.mean!.toFixed(3));
  }
  expect(await brokenRules(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await brokenRules(page, { rules: 'contrast' })).toEqual([]);
  await expectToFit(page);
  await page.setViewportSize({ width: PHONE_PX, height: 844 });
  // Long intervals wrap to a second line, so the table stays within its panel.
  await expect.poll(() => table.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
});

test('the panel leads to a curve, which can be saved', { tag: '@chromium' }, async ({ explorer, page }) => {
  await explorer.open(LINK);
  await page.locator('details.settings > summary').press('Enter');
  await page.getByRole('combobox', { name: 'Latch' }).selectOption(LATCH);
  await explorer.button('Curve').click();
  await expect(page.getByRole('combobox', { name: 'Question' })).toHaveValue('curve');
  await explorer.write(page.getByRole('textbox', { name: 'Critical section, %' }), '0, 100');
  await explorer.write(page.getByRole('spinbutton', { name: 'Seeds' }), '1');
  await expect
    .poll(() => decodeURIComponent(page.url()))
    .toContain(`study=curve&study.latch=${LATCH}&study.scale=0,100&study.seeds=1`);
  await page.locator('.start-panel').getByRole('button', { name: 'Run' }).click();
  await expect(isDone(page)).toBeVisible();
  const rows = page.getByRole('region', { name: 'Points, table' }).getByRole('rowheader');
  await expect(rows).toHaveText(['baseline', '0 %', '100 %']);
  const download = page.waitForEvent('download');
  await explorer.button('Save JSON').first().click();
  expect((await download).suggestedFilename()).toBe(`latchscope-${SCENARIO}-what-if-curve.json`);
  expect(await brokenRules(page)).toEqual([]);
});

test('a latch that this bug’s server does not have is refused', async ({ explorer, page }) => {
  await explorer.openWithoutEngine(`${LINK}&what_if.latch=purge_sys->latch;section_percent=0`);
  await expect(page.getByRole('alert').first()).toContainText(
    'what_if.latches[0].latch is purge_sys->latch; allowed: one of Fil_shard::m_mutex',
  );
});
