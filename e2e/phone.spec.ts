// Checks what a phone shows: one bar, the chart first, the controls at the thumb, the lesson's sheet.
import type { Locator, Page } from '@playwright/test';

import { brokenRules } from './axe';
import { expect, test } from './explorer';
import { expectToFit, expectToFitIn, expectWithin, PHONE_PX } from './layout';
import { scenarioCases } from './scenario-cases';

const HEIGHT_PX = 844;
/** Large enough for a finger. */
const TARGET_PX = 44;
const BUG = 'undo-read-117533';
const linkTo = (scenario: string) => `#v=1&scenario=${scenario}&platform=virtual`;
const SMALL_RUN = `${linkTo(BUG)}&threads=8&interval_s=0.005&parameters.rows=1000`;

test.use({ viewport: { width: PHONE_PX, height: HEIGHT_PX } });

const bar = (page: Page) => page.getByRole('banner');
const thumbBar = (page: Page) => page.getByRole('group', { name: 'Run', exact: true });
const chart = (page: Page) => page.locator('[data-panel="Throughput"] .chart');
const sheet = (page: Page) => page.locator('.lesson');
const boxOf = async (element: Locator) => (await element.boundingBox())!;
const scrollY = (page: Page) => page.evaluate(() => window.scrollY);
const execute = (page: Page, command: string) =>
  page.evaluate((id) => window.latchscope.execute(id), command);

async function scrollToEnd(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.scrollTo(0, document.documentElement.scrollHeight);
  });
  expect(await scrollY(page)).toBeGreaterThan(100);
}

async function expectBugAtTop(page: Page, id: string, part: Locator): Promise<void> {
  await page.waitForFunction((scenario) => window.latchscope.state().draft.scenario === scenario, id);
  await expect(part).toBeVisible();
  expect(await scrollY(page)).toBe(0);
}

test('each way to open a bug starts at the top of the page, on the stage and in the explorer', async ({
  explorer,
  page,
}) => {
  await explorer.open('');
  const stage = page.locator('.stage-run').getByRole('img');
  await scrollToEnd(page);
  await page.getByRole('link', { name: 'Bug #117533' }).click();
  await expectBugAtTop(page, BUG, stage);
  await scrollToEnd(page);
  await explorer.scenarioSwitch.selectOption('xa-gtid-99638');
  await expectBugAtTop(page, 'xa-gtid-99638', stage);
  await scrollToEnd(page);
  await page.evaluate((hash) => (location.hash = hash), `${linkTo(BUG)}&view=stage`);
  await expectBugAtTop(page, BUG, stage);

  await scrollToEnd(page);
  await page.getByRole('button', { name: 'Open the instrument' }).click();
  await expectBugAtTop(page, BUG, chart(page));
  await scrollToEnd(page);
  await explorer.scenarioSwitch.selectOption('fil-mutex-69276');
  await expectBugAtTop(page, 'fil-mutex-69276', chart(page));
  await scrollToEnd(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).fill('Bug #104615');
  await page.keyboard.press('Enter');
  await expectBugAtTop(page, 'binlog-purge-104615', chart(page));
  await scrollToEnd(page);
  // The address bar follows the page in a later task, so the link's bug is another one.
  await page.evaluate((hash) => (location.hash = hash), linkTo(BUG));
  await expectBugAtTop(page, BUG, chart(page));
});

test('one bar names the bug and the state of its run, and its menu holds the rest', async ({
  explorer,
  page,
}) => {
  await explorer.open(SMALL_RUN);
  for (const view of ['stage', 'explorer', 'compare', 'sweep', 'what_if']) {
    await execute(page, `view.${view}`);
    await expect(page.locator('main')).toBeVisible();
    await expect(bar(page)).toHaveText(/^#117533.*(not started|loading|running|paused) · \d+ clients/);
    expect((await boxOf(bar(page))).height, view).toBeLessThanOrEqual(48);
    for (const part of await bar(page).locator(':scope > :not(.visually-hidden)').all())
      await expectWithin(part, bar(page));
    await expectToFit(page, [PHONE_PX]);
  }
  // It stays at the upper edge.
  await execute(page, 'view.explorer');
  await scrollToEnd(page);
  await expect(bar(page)).toBeInViewport({ ratio: 1 });

  const menu = page.getByRole('dialog', { name: 'Menu' });
  const opener = bar(page).getByRole('button', { name: 'Menu' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(menu.getByRole('heading')).toHaveText('#117533 Concurrent reads of undo records queue up');
  const { y, height } = await boxOf(menu);
  expect(y + height).toBe(HEIGHT_PX);
  for (const button of await menu.getByRole('button').all()) {
    await expectWithin(button, menu);
    expect((await boxOf(button)).height).toBeGreaterThanOrEqual(TARGET_PX);
  }
  await expectToFit(page, [PHONE_PX]);
  expect(await brokenRules(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(opener).toBeFocused();
  await opener.click();
  await menu.getByRole('button', { name: /^Files/ }).click();
  await expectToFit(page, [PHONE_PX]);
  await menu.getByRole('button', { name: 'Keys and help' }).click();
  await expect(page.getByRole('dialog', { name: 'Keys and help' })).toBeVisible();
  await page.keyboard.press('Escape');
  await opener.click();
  await menu.getByRole('button', { name: 'Compare' }).click();
  await expect(menu).toHaveCount(0);
  await expect(page.locator('.start-panel')).toBeVisible();
});

test('the explorer shows the chart, the figures and the controls, with the run at the thumb', async ({
  explorer,
  page,
}) => {
  await explorer.open(SMALL_RUN);
  const inOrder = ['[data-panel="Throughput"]', '.phase-strip', '.tiles', '.design-panel'];
  const boxes = await Promise.all(
    [...inOrder, '[data-panel="Actions"]'].map((part) => boxOf(page.locator(part))),
  );
  for (const [index, { y, height }] of boxes.slice(0, -1).entries())
    expect(y + height).toBeLessThanOrEqual(boxes[index + 1]!.y);
  expect(boxes[0]!.y).toBeLessThan(HEIGHT_PX / 10);

  const expectAtThumb = async (name: string) => {
    const button = thumbBar(page).getByRole('button', { name, exact: true });
    await expect(button).toBeInViewport({ ratio: 1 });
    const { y, height } = await boxOf(button);
    expect(height).toBeGreaterThanOrEqual(TARGET_PX);
    expect(y).toBeGreaterThan(0.8 * HEIGHT_PX);
  };
  for (const name of ['Run', 'Stop', 'Original', 'Fixed']) await expectAtThumb(name);
  await thumbBar(page).getByRole('button', { name: 'Run', exact: true }).click();
  await explorer.expectRunState('running');
  await expect(bar(page)).toContainText('running · 8 clients');
  await scrollToEnd(page);
  for (const name of ['UPDATE sbtest1 SET k=k+1', 'Pause', 'Stop', 'Original', 'Fixed'])
    await expectAtThumb(name);
  await thumbBar(page).getByRole('button', { name: 'UPDATE sbtest1 SET k=k+1' }).click();
  const fixed = thumbBar(page).getByRole('button', { name: 'Fixed' });
  await fixed.click();
  await expect(fixed).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => (await explorer.marks()).map(({ kind }) => kind)).toContain('action');
  await thumbBar(page).getByRole('button', { name: 'Stop' }).click();
  await explorer.expectRunState('finished');
});

test('the chart stays in sight while the reader changes the design, and no longer', async ({
  explorer,
  page,
}) => {
  await explorer.open(SMALL_RUN);
  const lastVariant = page.locator('.design-panel .variant').last();
  await lastVariant.evaluate((node) => {
    node.scrollIntoView({ block: 'nearest' });
  });
  const throughput = page.locator('[data-panel="Throughput"]');
  await expect(throughput).toBeInViewport({ ratio: 1 });
  await expect(lastVariant).toBeInViewport({ ratio: 1 });
  expect((await boxOf(throughput)).y + (await boxOf(throughput)).height).toBeLessThanOrEqual(
    (await boxOf(lastVariant)).y,
  );
  await page.locator('.evidence-panel').scrollIntoViewIfNeeded();
  await expect(throughput).not.toBeInViewport();
});

/** Checks that nothing covers the chart, and that it has 45 % of the window's height. */
async function expectLargeChart(page: Page): Promise<void> {
  await expect.poll(async () => (await boxOf(chart(page))).height).toBeGreaterThanOrEqual(0.45 * HEIGHT_PX);
  const { y, height } = await boxOf(chart(page));
  const barBox = await boxOf(bar(page));
  expect(y).toBeGreaterThanOrEqual(barBox.y + barBox.height);
  expect(y + height).toBeLessThanOrEqual((await boxOf(sheet(page))).y);
}

test('the sheet of each lesson has its question in sight, below a large chart', async ({
  explorer,
  page,
}) => {
  await explorer.open(linkTo(BUG));
  for (const { bug, id } of scenarioCases)
    await test.step(`#${bug}`, async () => {
      await page.evaluate((hash) => (location.hash = hash), `${linkTo(id)}&lesson=1`);
      await page.waitForFunction((scenario) => window.latchscope.state().draft.scenario === scenario, id);
      const body = page.getByRole('region', { name: /^Step: / });
      const parts = page.locator('.lesson-question :is(legend, label)');
      await expect(body.getByRole('radio')).not.toHaveCount(0);
      await expectLargeChart(page);
      for (const part of await parts.all()) await expectWithin(part, body);
      for (const option of await page.locator('.lesson-question label').all())
        expect((await boxOf(option)).height).toBeGreaterThanOrEqual(TARGET_PX);
      expect(await scrollY(page)).toBe(0);
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(HEIGHT_PX);
      await expectToFit(page, [PHONE_PX]);
    });
});

test('the sheet can be lowered and raised, by button, by key and by swipe', async ({ explorer, page }) => {
  await explorer.open(`${linkTo(BUG)}&lesson=1`);
  expect(await brokenRules(page)).toEqual([]);
  const raisedPx = (await boxOf(sheet(page))).height;
  await sheet(page).getByRole('button', { name: 'Lower lesson' }).click();
  await expect(sheet(page).getByRole('radio')).toHaveCount(0);
  expect((await boxOf(sheet(page))).height).toBeLessThan(0.1 * HEIGHT_PX);
  await expect(thumbBar(page).getByRole('button', { name: 'Run', exact: true })).toBeInViewport({ ratio: 1 });
  expect(await brokenRules(page)).toEqual([]);
  await expectToFit(page, [PHONE_PX]);

  await sheet(page).getByRole('button', { name: 'Raise lesson' }).focus();
  await page.keyboard.press('Enter');
  await expect(sheet(page).getByRole('radio')).not.toHaveCount(0);
  expect((await boxOf(sheet(page))).height).toBe(raisedPx);
  await expect(thumbBar(page)).toBeHidden();

  const { x, y } = await boxOf(sheet(page).locator('.lesson-progress'));
  await page.mouse.move(x + 10, y + 5);
  await page.mouse.down();
  await page.mouse.move(x + 10, y + 80);
  await page.mouse.up();
  await expect(sheet(page).getByRole('button', { name: 'Raise lesson' })).toBeVisible();
});

test('a step of a lesson brings the chart back above the sheet and keeps it there', async ({
  explorer,
  page,
}) => {
  await explorer.open(`${linkTo(BUG)}&lesson=2`);
  await expect(sheet(page)).toBeVisible();
  await page.locator('.evidence-panel').scrollIntoViewIfNeeded();
  await expect(chart(page)).not.toBeInViewport();
  await sheet(page).getByRole('button', { name: 'Run with the UPDATE at 100 ms' }).click();
  await explorer.expectRunState('running');
  await expectLargeChart(page);
  await explorer.expectRunState('paused');
  await expectLargeChart(page);
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await brokenRules(page)).toEqual([]);
});

test('small phones, and phones held sideways, clip nothing', async ({ explorer, page }) => {
  const sizes = [
    { width: 360, height: 640 },
    { width: 844, height: 390 },
  ];
  await explorer.open(linkTo(BUG));
  const views = {
    '': '.charts-first',
    '&lesson=1': '.lesson',
    '&view=stage': '.stage-run svg',
    '&view=compare': '.design-choice',
    '&view=sweep': '.swept-designs',
    '&view=what_if': '.start-panel',
    '&view=lab': '.view-title',
    '&view=waits': '.waits h1',
  };
  for (const [fields, part] of Object.entries(views)) {
    await page.evaluate((hash) => (location.hash = hash), linkTo(BUG) + fields);
    await expect(page.locator(part).first()).toBeVisible();
    for (const size of sizes) {
      await test.step(`${fields} at ${size.width} x ${size.height}`, () => expectToFitIn(page, size));
      await expect(bar(page)).toBeInViewport({ ratio: 1 });
      if (fields === '&lesson=1') await expect(page.getByRole('button', { name: 'Next' })).toBeInViewport();
    }
  }
});
