import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { expect, test } from './explorer';
import { linkOf, scenario_cases } from './scenario-cases';

/** Rules that are broken, and where. */
async function violations(axe: AxeBuilder): Promise<unknown[]> {
  const { violations: found } = await axe.analyze();
  return found.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]);
}

const all_rules = (page: Page) =>
  new AxeBuilder({ page }).withTags([
    'wcag2a',
    'wcag2aa',
    'wcag21a',
    'wcag21aa',
    'wcag22aa',
    'best-practice',
  ]);
const contrast = (page: Page) => new AxeBuilder({ page }).withRules(['color-contrast']);

for (const scenario of scenario_cases) {
  test(`axe finds nothing wrong with #${scenario.bug}, in light and dark colours`, async ({
    explorer,
    page,
  }) => {
    await explorer.open(linkOf(scenario));
    await explorer.evidence(scenario.evidence.tab);
    await explorer.start();
    for (const action of scenario.actions) await explorer.button(action).click();
    await explorer.button('fixed').click();
    await explorer.stop();
    expect(await violations(all_rules(page))).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(contrast(page))).toEqual([]);
  });
}

test('axe finds nothing wrong with the first visit, with a fault and in any form of evidence', async ({
  explorer,
  page,
}) => {
  // As many analyses as there are forms.
  test.slow();
  await explorer.open();
  expect(await violations(all_rules(page))).toEqual([]);
  await explorer.write(page.getByRole('spinbutton', { name: 'Tables' }), '65');
  expect(await violations(all_rules(page).include('.parameters'))).toEqual([]);
  await explorer.write(page.getByRole('spinbutton', { name: 'Tables' }), '2');
  await explorer.start();
  await explorer.button('Pause').click();
  await explorer.expectRunState('paused');
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    expect(await violations(all_rules(page).include('.evidence-panel'))).toEqual([]);
  }
  await explorer.stop();
});

test('axe finds nothing wrong with any view in forced colours', async ({ explorer, page }) => {
  test.slow();
  const virtual = 'scenario=undo-read-117533&platform=virtual';
  const views = {
    'the start page': '',
    'a run': `#v=1&run=1&${virtual}&threads=8&duration_s=0.005`,
    'a comparison': `#v=1&view=compare&${virtual}`,
    'a sweep': `#v=1&view=sweep&${virtual}`,
    'a lesson': `#v=1&${virtual}&lesson=3`,
    'the presenter': `#v=1&${virtual}&lesson=1&presenter=1`,
  };
  await page.emulateMedia({ forcedColors: 'active' });
  for (const [name, link] of Object.entries(views)) {
    await explorer.open(link);
    if (link.includes('run=1')) await explorer.expectRunState('finished');
    expect(await violations(all_rules(page)), name).toEqual([]);
  }
});

test('the forms of evidence are chosen by arrow keys', async ({ explorer, page }) => {
  await explorer.openWithoutEngine();
  await page.getByRole('tab', { name: 'Stacks' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tabpanel', { name: 'Latches' })).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByRole('tab', { name: 'Counters' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tabpanel', { name: 'Counters' })).toBeFocused();
});

test('the theme can be chosen and is remembered', async ({ explorer, page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await explorer.open();
  const light = await background();
  await page.evaluate(() => window.latchscope.execute('theme.dark'));
  await expect.poll(background).not.toBe(light);
  await page.reload();
  expect(await background()).not.toBe(light);
});

test('everything can be reached and done by keyboard', async ({ explorer, page }) => {
  await explorer.open();
  await explorer.button('Run').focus();
  await page.keyboard.press('Enter');
  await explorer.expectRunState('running');
  // The button stays where it is and keeps the focus while it becomes another.
  await expect(explorer.button('Pause')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(explorer.button('Stop')).toBeFocused();
  await page.keyboard.press('Enter');
  await explorer.expectRunState('finished');
});

interface LayoutShift {
  value: number;
  sources: { node: Node | null }[];
}

interface Shift {
  value: number;
  moved: string[];
}

test('nothing moves on the page while it runs', async ({ explorer, page }) => {
  await explorer.open();
  // Other forms of evidence are lists that grow, inside a room that does not.
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
  await page.evaluate(() => window.latchscope.execute('run.stop'));
  await explorer.expectRunState('finished');
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  // Texts become longer; 0.1 is what is called good.
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, JSON.stringify(shifts)).toBeLessThan(0.02);
});

test('nothing lies beyond the right edge, at any width', async ({ explorer, page }) => {
  await explorer.open();
  await explorer.start();
  for (const width of [390, 800, 1440, 1920]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await explorer.beyondRightEdge(), `${width} px`).toBe(0);
    await expect(explorer.button('Pause')).toBeInViewport();
  }
  await explorer.stop();
});
