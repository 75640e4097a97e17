// Compares pictures of each view, which show everything that a change of style or drawing affects.
// After an intended change:
//   npx playwright test snapshots --update-snapshots
import { wholeChromium } from './chromium';
import { expect, test } from './explorer';
import { expectPicture, openInFonts } from './snapshots';

const RUN_LINK =
  '#v=1&run=1&scenario=undo-read-117533&platform=virtual&threads=16&duration_s=0.02&interval_s=0.005' +
  '&parameters.rows=1000&at=0.005:update_k&at=0.012:undo_page_size_lookup:cached';
const SMALL_RUNS =
  'scenario=undo-read-117533&platform=virtual&threads=16&duration_s=0.01&parameters.rows=100&at=0.0005:update_k&from_s=0.003';

// Other systems render the same text differently.
test.skip(process.platform !== 'linux', 'The pictures were taken on Linux.');
test.use({ contextOptions: { reducedMotion: 'reduce' }, launchOptions: wholeChromium });

test.describe('pictures of', () => {
  test('the start page', async ({ explorer, page }) => {
    await openInFonts({ explorer, page }, '');
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
    await expectPicture(page, 'start-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectPicture(page, 'start-dark');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectPicture(page, 'start-phone');
  });

  test('a run, in every form of evidence', async ({ explorer, page }) => {
    await openInFonts({ explorer, page }, RUN_LINK);
    await explorer.expectRunState('finished');
    await expectPicture(page, 'run-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectPicture(page, 'run-dark');
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    await expectPicture(page, 'run-forced-colors');
    await page.emulateMedia({ forcedColors: 'none' });
    for (const title of explorer.allEvidence) {
      await explorer.evidence(title);
      const name = title.toLowerCase().replaceAll(' ', '-');
      await expectPicture(page, `evidence-${name}`, page.locator('.evidence-panel'));
    }
    await page.setViewportSize({ width: 1920, height: 1080 });
    await expectPicture(page, 'run-projector');
    await expectPicture(page, 'lanes', explorer.panel('Thread lanes'));
    await page.setViewportSize({ width: 390, height: 844 });
    await expectPicture(page, 'run-phone');
  });

  test('a moment of a latch: track, lanes and lock picture', async ({ explorer, page }) => {
    await openInFonts({ explorer, page }, RUN_LINK);
    await explorer.expectRunState('finished');
    const picture = explorer.panel('Latch, event by event');
    for (let back = 0; back < 3; back += 1) {
      const before = await picture.innerText();
      await page.keyboard.press('[');
      await expect(picture).not.toHaveText(before);
    }
    await expectPicture(page, 'latch-track-light', explorer.panel('Latch track'));
    await expectPicture(page, 'lock-picture-light', page.locator('.evidence-panel'));
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectPicture(page, 'latch-track-dark', explorer.panel('Latch track'));
    await expectPicture(page, 'lock-picture-dark', page.locator('.evidence-panel'));
    await page.setViewportSize({ width: 390, height: 844 });
    await expectPicture(page, 'lock-picture-phone', page.locator('.evidence-panel'));
  });

  test('a story with its picture, and the glossary', async ({ explorer, page }) => {
    await openInFonts({ explorer, page }, RUN_LINK);
    await explorer.expectRunState('finished');
    await explorer.button('Story').click();
    await explorer.panel('The story').locator('.picture-words').waitFor();
    await expectPicture(page, 'story-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await explorer.button('Enlarge picture').click();
    await expectPicture(page, 'picture-dark');
    await page.keyboard.press('Escape');
    await page.emulateMedia({ colorScheme: 'light' });
    await explorer.panel('The story').getByRole('button', { name: 'read views' }).click();
    await expectPicture(page, 'glossary');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectPicture(page, 'story-phone');
  });

  test('a comparison and a sweep', async ({ explorer, page }) => {
    await openInFonts({ explorer, page }, `#v=1&view=compare&${SMALL_RUNS}&repeats=2`);
    await page.locator('.start-panel').getByRole('button', { name: 'Compare' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Comparison done' })).toBeVisible();
    await expectPicture(page, 'comparison');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectPicture(page, 'comparison-phone-dark');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await explorer.open(`#v=1&view=sweep&${SMALL_RUNS}&repeats=1&counts=1,2,4,8`);
    await page.locator('.start-panel').getByRole('button', { name: 'Sweep' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Sweep done' })).toBeVisible();
    await expectPicture(page, 'sweep');
  });

  test('a lesson and its slides', async ({ explorer, page }) => {
    await openInFonts({ explorer, page }, '#v=1&scenario=undo-read-117533&platform=virtual&lesson=1');
    await expectPicture(page, 'lesson');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectPicture(page, 'lesson-phone');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.evaluate(() => window.latchscope.execute('presenter.toggle'));
    await expect(page.getByText(/^1 of \d+$/)).toBeVisible();
    await page.keyboard.press('PageDown');
    await expect(page.getByText(/^2 of \d+$/)).toBeVisible();
    await expectPicture(page, 'slide');
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectPicture(page, 'slide-projector-dark');
  });

  test('the command palette and the help sheet', async ({ explorer, page }) => {
    await openInFonts({ explorer, page }, '#v=1&scenario=undo-read-117533&platform=virtual');
    await page.evaluate(() => window.latchscope.execute('palette.open'));
    await expectPicture(page, 'palette');
    await page.keyboard.press('Escape');
    await page.evaluate(() => window.latchscope.execute('help.open'));
    await expectPicture(page, 'help');
  });
});
