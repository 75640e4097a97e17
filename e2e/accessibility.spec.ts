// Checks each view once with axe, in light, dark and forced colors, and checks the layout. Views of
// a bug and of experiments are checked where they run (scenarios.spec.ts, compare.spec.ts).
import { brokenRules } from './axe';
import { expect, test } from './explorer';
import { expectToFit, PHONE_PX } from './layout';

const VIRTUAL = 'scenario=undo-read-117533&platform=virtual';
const SMALL_RUN = `#v=1&run=1&${VIRTUAL}&threads=8&duration_s=0.02&interval_s=0.005&parameters.rows=1000&at=0.01:update_k`;

test('axe finds nothing wrong with the start page, the palette and the help sheet', async ({ page }) => {
  await page.goto('/');
  for (const colorScheme of ['light', 'dark'] as const) {
    const rules = colorScheme === 'light' ? 'all' : 'contrast';
    await page.emulateMedia({ colorScheme });
    await page.getByRole('heading', { level: 1 }).click();
    expect(await brokenRules(page, { rules }), colorScheme).toEqual([]);
    for (const key of ['Control+k', '?']) {
      await page.keyboard.press(key);
      await page.getByRole('dialog').locator('input, dl').first().waitFor();
      expect(await brokenRules(page, { rules }), `${key}, ${colorScheme}`).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  }
  await page.keyboard.press('?');
  const opened = page.waitForEvent('popup');
  await page.getByRole('dialog').getByRole('link', { name: 'licenses' }).click();
  await expect((await opened).locator('body')).toContainText('nlohmann/json (MIT)');
});

test('axe finds nothing wrong with a run, all evidence, the charts under a cursor, and an error message', async ({
  explorer,
  page,
}) => {
  await explorer.open(SMALL_RUN);
  await explorer.expectRunState('finished');
  await explorer.openSettings();
  await explorer.write(page.getByRole('spinbutton', { name: 'Clients' }), '0');
  await page.getByText('Show values as table').click();
  const moment = page.getByRole('slider', { name: 'Time in Throughput' });
  await moment.press('PageUp');
  await moment.press('+');
  await explorer.button('Freeze').click();
  expect(await brokenRules(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await brokenRules(page, { rules: 'contrast' })).toEqual([]);
  // The Chain tab is checked with an explanation in it.
  await page.evaluate(() => window.latchscope.explain({ blame: true }));
  for (const title of explorer.allEvidence) {
    await explorer.evidence(title);
    expect(await brokenRules(page, { part: '.evidence-panel' }), title).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await brokenRules(page, { part: '.evidence-panel', rules: 'contrast' }), title).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
  }
  for (const title of explorer.allEvidence) {
    await explorer.evidence(title);
    await expectToFit(page, [PHONE_PX]);
  }
  await expectToFit(page);
});

test('axe finds nothing wrong with a lesson, and it keeps the charts visible on a phone', async ({
  explorer,
  page,
}) => {
  await explorer.open(`#v=1&${VIRTUAL}&lesson=1`);
  for (const step of [1, 3, 6]) {
    await page.evaluate((n) => (location.hash = location.hash.replace(/lesson=\d/, `lesson=${n}`)), step);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await brokenRules(page), `step ${step}`).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await brokenRules(page, { rules: 'contrast' }), `step ${step}, dark`).toEqual([]);
  }
  await expectToFit(page, [1920, PHONE_PX]);
  const sheet = (await page.locator('.lesson').boundingBox())!;
  expect(sheet.height).toBeLessThan(0.56 * 844);
  expect(sheet.y + sheet.height).toBeLessThanOrEqual(845);
  await expectToFit(page, [PHONE_PX]);
});

test('axe finds nothing wrong with any view in forced colors', async ({ explorer, page }) => {
  const startButton = (name: string) => page.locator('.start-panel').getByRole('button', { name });
  const views = [
    ['', page.getByRole('heading', { level: 1 })],
    [`#v=1&run=1&${VIRTUAL}&threads=8&duration_s=0.005`, page.getByRole('tabpanel')],
    [`#v=1&view=compare&${VIRTUAL}`, startButton('Compare')],
    [`#v=1&view=sweep&${VIRTUAL}`, startButton('Sweep')],
    [`#v=1&${VIRTUAL}&lesson=3`, page.locator('.lesson')],
    [`#v=1&${VIRTUAL}&lesson=1&presenter=1`, page.locator('.slide-foot')],
  ] as const;
  await page.emulateMedia({ forcedColors: 'active' });
  await explorer.open('');
  for (const [link, partOfIt] of views) {
    await page.evaluate((hash) => (location.hash = hash), link);
    await expect(partOfIt).toBeVisible();
    if (link.includes('run=1')) await explorer.expectRunState('finished');
    expect(await brokenRules(page), link).toEqual([]);
  }
  await page.evaluate((hash) => (location.hash = hash), SMALL_RUN);
  await explorer.expectRunState('finished');
  await explorer.button('Story').click();
  const story = explorer.panel('The story');
  await expect(story.locator('.picture-chart')).toBeVisible();
  expect(await brokenRules(page), 'the story and its picture').toEqual([]);
  await page.evaluate(() => window.latchscope.execute('glossary.open'));
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await brokenRules(page), 'the glossary').toEqual([]);
});

interface LayoutShift {
  value: number;
  sources: { node: Node | null }[];
}

interface Shift {
  value: number;
  moved: string[];
}

test('the layout does not shift during a run, and nothing extends beyond the right edge at any width', async ({
  explorer,
  page,
}) => {
  await explorer.open();
  // Other evidence forms are lists that grow inside a box of fixed size.
  await explorer.evidence('Counters');
  await page.evaluate(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as LayoutShift[]) {
        const moved = entry.sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 80) ?? '');
        shifts.push({ value: entry.value, moved });
      }
    }).observe({ type: 'layout-shift' });
  });
  await page.evaluate(() => window.latchscope.execute('run.start'));
  await explorer.runTimeReaches(1);
  await page.evaluate(() => window.latchscope.execute('design.fixed'));
  await explorer.runTimeReaches(2);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  // Texts change length. A layout shift of up to 0.1 is considered good.
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, JSON.stringify(shifts)).toBeLessThan(0.02);
  for (const width of [PHONE_PX, 800, 1440, 1920]) {
    await expectToFit(page, [width]);
    await expect(explorer.button('Pause')).toBeInViewport();
  }
  await explorer.stop();
});
