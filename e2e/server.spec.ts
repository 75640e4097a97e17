// Tests the Server dialog: sockets, cores, CPU family and clients of the next run.
import type { Page } from '@playwright/test';

import { brokenRules } from './axe';
import { expect, test, VIRTUAL } from './explorer';
import { expectToFit, PHONE_PX } from './layout';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Server' });
const field = (page: Page, name: string) => dialog(page).getByRole('spinbutton', { name, exact: true });
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });

test('a reader’s server is typed, applied, in the link, and there after a reload', async ({
  explorer,
  page,
}) => {
  await explorer.open(VIRTUAL);
  await explorer.openSettings();
  await explorer.button('Change server').click();
  await expect(field(page, 'Sockets')).toBeFocused();
  await explorer.write(field(page, 'Sockets'), '4');
  await explorer.write(field(page, 'Clients'), '128');
  await dialog(page).getByRole('combobox', { name: 'CPU family' }).selectOption('AMD EPYC 7003 (Milan)');
  await expect(dialog(page)).toContainText('4 sockets × 8 cores × 2 threads = 64 CPUs');
  await expect(dialog(page)).toContainText('128 clients share 64 CPUs');
  await button(page, 'Apply').click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(explorer.button('Change server')).toBeFocused();
  await expect(page).toHaveURL(/server=snb-ep-2013&server\.sockets=4&.*server\.pause_ps=20000&.*threads=128/);
  await page.reload();
  await page.evaluate(() => window.latchscope.ready);
  await page.evaluate(() => window.latchscope.execute('page.server'));
  await expect(field(page, 'Sockets')).toHaveValue('4');
  await expect(field(page, 'Clients')).toHaveValue('128');
  await expect(dialog(page).getByRole('combobox', { name: 'CPU family' })).toHaveValue('family:epyc-milan');
});

test('the keyboard does it all: a bad value stays, Escape drops it, Enter applies', async ({
  explorer,
  page,
}) => {
  await explorer.open(VIRTUAL);
  const before = page.url();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(field(page, 'Sockets')).toBeFocused();
  await page.keyboard.type('9');
  await expect(field(page, 'Sockets')).toHaveAccessibleDescription(
    /^29 is not possible; allowed: an integer from 1 to 8$/,
  );
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  expect(page.url()).toBe(before);
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1');
  for (const name of ['Cores per socket', 'Threads per core']) {
    await page.keyboard.press('Tab');
    await expect(field(page, name)).toBeFocused();
  }
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page).toHaveURL(/server\.sockets=1&server\.threads_per_core=1/);
});

test('a run on the reader’s server starts from the stage', async ({ explorer, page }) => {
  await page.goto('/#v=1&view=stage&scenario=fil-mutex-69276');
  await explorer.expectRunState('running');
  await explorer.button('Your server').click();
  await expect(dialog(page)).toContainText('Apply opens the instrument');
  await explorer.write(field(page, 'Sockets'), '1');
  await dialog(page)
    .getByRole('button', { name: /^Apply and (run|restart)$/ })
    .click();
  await expect
    .poll(() => page.evaluate(() => window.latchscope.state().spec?.server))
    .toEqual({ based_on: 'snb-ep-2013', sockets: 1 });
  await expect(page).toHaveURL(/server\.sockets=1/);
  await expect(page).not.toHaveURL(/view=stage/);
});

test('a link changes one value of the bug’s server', async ({ explorer, page }) => {
  await explorer.open('#v=1&scenario=fil-mutex-69276&server.sockets=1');
  await expect(explorer.platform('Virtual server')).toBeChecked();
  const { draft } = await page.evaluate(() => window.latchscope.state());
  expect(draft.server).toEqual({ based_on: 'snb-ep-2013', own: { sockets: 1 } });
});

test('real threads have clients only, and the dialog leads to the virtual server', async ({
  explorer,
  page,
}) => {
  await explorer.open('#v=1&scenario=fil-mutex-69276&platform=threads');
  await page.evaluate(() => window.latchscope.execute('page.server'));
  await expect(field(page, 'Clients')).toBeFocused();
  await expect(field(page, 'Sockets')).toHaveCount(0);
  await button(page, 'Use the virtual server').click();
  await expect(field(page, 'Sockets')).toBeFocused();
});

test('axe finds nothing wrong with the dialog, and it fits a phone', async ({ explorer, page }) => {
  await page.setViewportSize({ width: PHONE_PX, height: 844 });
  await explorer.open(VIRTUAL);
  await page.evaluate(() => window.latchscope.execute('page.server'));
  await expect(field(page, 'Sockets')).toBeFocused();
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog(page).getByText('Costs', { exact: true }).click();
  await explorer.write(field(page, 'PAUSE'), '999');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await brokenRules(page), colorScheme).toEqual([]);
  }
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await brokenRules(page), 'forced colors').toEqual([]);
  await page.emulateMedia({ forcedColors: 'none' });
  await expectToFit(page);
  await expectToFit(page, [PHONE_PX]);
  await expect(button(page, 'Apply')).toBeInViewport({ ratio: 1 });
});
