import AxeBuilder from '@axe-core/playwright';

import { expect, test } from './explorer';

for (const scheme of ['light', 'dark'] as const) {
  test.describe(`in ${scheme} colours`, () => {
    test.use({ colorScheme: scheme });

    test('axe finds nothing before, during and after a run', async ({ explorer, page }) => {
      const violations = async () => {
        const { violations: found } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .analyze();
        return found.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]);
      };
      await explorer.open();
      expect(await violations()).toEqual([]);
      await explorer.start();
      await explorer.button('fixed').click();
      await page.getByRole('spinbutton', { name: 'Tables' }).fill('65');
      // Looking takes long while every core is busy.
      await explorer.button('Pause').click();
      await explorer.expectRunState('paused');
      expect(await violations()).toEqual([]);
      await explorer.stop();
      expect(await violations()).toEqual([]);
    });
  });
}

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
  // A latch that is taken for the first time gets a row in the table; 0.1 is what is called good.
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, JSON.stringify(shifts)).toBeLessThan(0.02);
});

for (const width of [390, 800, 1440, 1920]) {
  test(`at ${width} px nothing lies beyond the right edge`, async ({ explorer, page }) => {
    await page.setViewportSize({ width, height: 844 });
    await explorer.open();
    await explorer.start();
    const overflow_px = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow_px).toBe(0);
    await expect(explorer.button('Pause')).toBeInViewport();
    await explorer.stop();
  });
}
