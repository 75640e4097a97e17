// Tests the search for a latch on the start page and in the palette, and links to a latch.
import { brokenRules } from './axe';
import { expect, test } from './explorer';
import { expectToFit, overlappingTexts, PHONE_PX } from './layout';

test('the start page finds a latch by a symptom, and leads to its bug or its card', async ({
  explorer,
  page,
}) => {
  await explorer.open('');
  const field = page.getByRole('searchbox', { name: 'Find your latch' });
  const results = page.getByRole('list', { name: 'Latches' }).getByRole('listitem');
  await field.fill('fil_system');
  await expect(results.first()).toContainText('Fil_shard::m_mutex, see bug #69276');
  expect(await brokenRules(page)).toEqual([]);
  await field.press('Enter');
  await expect(page).toHaveURL(/view=stage&scenario=fil-mutex-69276/);
  await page.goBack();
  await field.fill('LOCK_table_cache');
  await results.getByRole('link', { name: 'LOCK_table_cache, not modeled' }).click();
  await expect(page).toHaveURL(/waits\.latch=table-cache/);
  const card = page.getByRole('region', { name: 'LOCK_table_cache' });
  await expect(card).toContainText('Not modeled here.');
  await page.reload();
  await expect(card).toContainText('wait/synch/mutex/sql/LOCK_table_cache');
  expect(await brokenRules(page)).toEqual([]);
  await card.getByRole('button', { name: 'Close' }).click();
  await expect(page).not.toHaveURL(/waits\.latch/);
});

test('a link to a latch that the catalogue lacks names it', async ({ explorer, page }) => {
  await explorer.open('#waits.latch=no-such-latch');
  await expect(page.getByRole('alert')).toContainText(
    'waits.latch is no-such-latch; allowed: the id of a latch in the catalogue',
  );
});

test('the palette finds latches beside commands', async ({ explorer, page }) => {
  await explorer.open('');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('LOCK_log');
  await expect(page.getByRole('option', { name: 'Latch: LOCK_log (bug #104615)' })).toBeVisible();
  expect(await brokenRules(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/view=stage&scenario=binlog-purge-104615/);
});

test('on a phone, the results and the card fit', async ({ explorer, page }) => {
  await page.setViewportSize({ width: PHONE_PX, height: 844 });
  await explorer.open('');
  await page.getByRole('searchbox', { name: 'Find your latch' }).fill('trx_sys');
  await expect(page.getByRole('list', { name: 'Latches' }).getByRole('listitem')).toHaveCount(4);
  await expectToFit(page);
  await explorer.open('#waits.latch=trx-sys');
  await expect(page.getByRole('region', { name: 'trx_sys->mutex' })).toBeVisible();
  await expectToFit(page);
  expect(await page.evaluate(overlappingTexts)).toEqual([]);
});
