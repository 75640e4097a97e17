// Tests the stage: a bug at a glance, its two steps, and the way to the instrument and back.
import type { Page } from '@playwright/test';

import { brokenRules } from './axe';
import { expect, test } from './explorer';
import { expectToFit, PHONE_PX } from './layout';

const FIL = '#v=1&view=stage&scenario=fil-mutex-69276';
const BREAK = 'One mutex, as in 5.6';

const chart = (page: Page) => page.getByRole('img', { name: /look-ups\/s over virtual time/ });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function openStage(page: Page, link = FIL): Promise<void> {
  await page.goto(`/${link}`);
  await expect(chart(page)).toBeVisible();
}

test('a card opens the stage: one sentence, three numbers, few controls, and a run that moves', async ({
  explorer,
  page,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Bug #69276' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    /One mutex, taken six times per read, makes reads 1\.\d× slower/,
  );
  await expect(page.locator('.stage-number')).toHaveCount(3);
  await expect(chart(page)).toBeVisible();
  await explorer.expectRunState('running');
  await expect(explorer.page.locator('.stage-dots path')).not.toHaveCount(0);
  const controls = page.locator('a[href], button, input, select, [tabindex="0"]');
  expect(await controls.filter({ visible: true }).count()).toBeLessThanOrEqual(12);
});

test('break and heal show the recording at once, and the run as soon as it is computed', async ({
  explorer,
  page,
}) => {
  await openStage(page);
  await button(page, BREAK).click();
  await expect(chart(page)).toHaveAccessibleName(/Steps: One mutex, as in 5\.6 at/);
  await expect(button(page, 'Original')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('.stage-number-1')).toHaveAttribute('data-current', 'true');
  await button(page, 'Fixed').click();
  await expect(chart(page)).toHaveAccessibleName(/Fixed at/);
  await expect(button(page, 'Fixed')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('live', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No queue' })).toBeVisible();

  const marks = await explorer.marks();
  expect(marks.map(({ kind }) => kind)).toEqual(['knob', 'knob']);
});

test('the instrument shows the same run, and leads back to it', async ({ explorer, page }) => {
  await openStage(page);
  await button(page, BREAK).click();
  await expect(page.getByText('live', { exact: true })).toBeVisible();
  await button(page, 'Open the instrument ▸').click();
  await explorer.expectRunState('running');
  await expect(explorer.variant('One global mutex, six times a read')).toBeChecked();
  const { spec } = await page.evaluate(() => window.latchscope.state());
  await page.evaluate(() => window.latchscope.execute('view.stage'));
  await expect(chart(page)).toHaveAccessibleName(/Steps: One mutex, as in 5\.6 at/);
  expect(await page.evaluate(() => window.latchscope.state().spec)).toEqual(spec);
});

test('another bug opens on the stage as well, and a link without a view opens the explorer', async ({
  explorer,
  page,
}) => {
  await openStage(page);
  await page.evaluate(() => window.latchscope.openScenario('xa-gtid-99638'));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('XA COMMIT');
  await expect(page.locator('.stage')).toBeVisible();
  await explorer.open('#v=1&scenario=fil-mutex-69276&platform=virtual');
  await expect(page.locator('.stage')).toHaveCount(0);
  await expect(button(page, 'Run')).toBeVisible();
});

test('the stage can be used by keyboard, fits, reads well from afar, and axe finds nothing', async ({
  page,
}) => {
  await openStage(page);
  await button(page, BREAK).focus();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Original')).toHaveAttribute('aria-pressed', 'true');
  const px = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  expect(await px('.stage-number dd')).toBeGreaterThanOrEqual(40);
  for (const text of [
    '.stage-lead',
    '.stage-number dt',
    '.stage-queue-words',
    '.stage-note',
    '.stage-controls button',
  ])
    expect(await px(text), text).toBeGreaterThanOrEqual(16);
  expect(await brokenRules(page)).toEqual([]);
  await expectToFit(page, [PHONE_PX, 1440, 1920]);
});
