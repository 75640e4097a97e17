// Tests reading, zooming and freezing charts, with a mouse, with keys and by touch.
import type { Locator, Page } from '@playwright/test';

import { expect, test, type Explorer } from './explorer';
import { expectToFit, PHONE_PX } from './layout';

const SCENARIO = 'undo-read-117533';
const LINK = `#v=1&scenario=${SCENARIO}&platform=virtual`;
/** The UPDATE starts in the middle of the run, and throughput collapses. */
const spec = {
  version: 1,
  scenario: SCENARIO,
  platform: 'virtual',
  threads: 8,
  duration_s: 0.02,
  interval_s: 0.005,
  parameters: { rows: 1000 },
  actions: [{ at_s: 0.01, action: 'update_k' }],
};
const charts = ['Throughput', 'Latency', 'Client time'];

const momentIn = (page: Page, chart: string) =>
  page.getByRole('slider', { name: `Time in ${chart}`, exact: true });
const spokenMoment = (page: Page) => page.getByRole('status', { name: 'Values at the selected time' });
const shownPart = (page: Page) => page.getByRole('status', { name: 'Visible part of the run' });

/** Returns the pixels of a chart's data canvas, or of its value axis if requested. */
function pictureOf(explorer: Explorer, chart: string, part: 'all' | 'value axis' = 'all'): Promise<string> {
  const canvas = explorer.panel(chart).locator('canvas').first();
  return canvas.evaluate((drawn: HTMLCanvasElement, ofPart) => {
    const copy = document.createElement('canvas');
    copy.width =
      ofPart === 'all'
        ? drawn.width
        : Math.round(
            3.5 * parseFloat(getComputedStyle(document.documentElement).fontSize) * devicePixelRatio,
          );
    copy.height = drawn.height;
    copy.getContext('2d')!.drawImage(drawn, 0, 0);
    return copy.toDataURL();
  }, part);
}

/** Checks that no value is clipped: a clipped number would read as a different number. */
async function expectWholeValues(panel: Locator, of: string): Promise<void> {
  const cut = await panel.locator('.readout').evaluate((box) => {
    const { right, bottom } = box.getBoundingClientRect();
    const isCut = (value: Element) => {
      const ofValue = value.getBoundingClientRect();
      const isInIt = ofValue.height > 0 && ofValue.top < bottom;
      return isInIt && (ofValue.right > right || ofValue.bottom > bottom);
    };
    return [...box.querySelectorAll('.readout-value')].filter(isCut).map((value) => value.textContent);
  });
  expect(cut, of).toEqual([]);
}

async function dragOver(page: Page, chart: Locator, from: number, to: number): Promise<void> {
  await chart.scrollIntoViewIfNeeded();
  const box = (await chart.boundingBox())!;
  const top = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, top);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, top, { steps: 3 });
  await page.mouse.up();
}

test(
  'charts can be read, zoomed, frozen and resumed during a run',
  { tag: '@chromium' },
  async ({ explorer, page }) => {
    await explorer.open(LINK);
    await explorer.run({ ...spec, threads: 4 });
    const readout = explorer.panel('Throughput').locator('.readout');
    const box = (await momentIn(page, 'Throughput').boundingBox())!;
    // The label of the mark is right of its line, above the plot.
    for (let part = 0.2; part < 0.9 && !(await readout.innerText()).includes('UPDATE'); part += 0.02)
      await page.mouse.move(box.x + box.width * part, box.y + 20);
    await expect(readout).toContainText('UPDATE sbtest1 SET k=k+1');
    await page.mouse.move(0, 0);
    await expect(readout).toBeHidden();

    const axis = await pictureOf(explorer, 'Throughput', 'value axis');
    const chart = momentIn(page, 'Latency');
    await dragOver(page, chart, 0.75, 0.95);
    await expect(shownPart(page)).toContainText(/zoomed to [\d.]+–[\d.]+ ms/);
    await expect.poll(() => pictureOf(explorer, 'Throughput', 'value axis')).not.toBe(axis);
    await chart.dblclick();
    await expect(shownPart(page)).toHaveText('');
    await expect.poll(() => pictureOf(explorer, 'Throughput', 'value axis')).toBe(axis);

    await page.evaluate((endless) => void window.latchscope.run(endless), { ...spec, duration_s: null });
    await explorer.virtualTimeReaches(3);
    await expect(page.getByRole('button', { name: /^previous run:/ })).toHaveText(
      'previous run: MySQL 8.0 to 9.7 (the bug), 4 clients',
    );
    await explorer.button('Freeze').click();
    await expect(shownPart(page)).toContainText(/frozen at [\d.]+ ms/);
    const rows = (await explorer.snapshot()).history_rows;
    // The charts are drawn in different frames. The frozen picture is drawn last.
    const pictures = () => Promise.all(charts.map((one) => pictureOf(explorer, one)));
    let frozen = await pictures();
    await expect(async () => {
      const before = frozen;
      await page.evaluate(async () => {
        for (let frames = 0; frames < 20; frames += 1) await new Promise(requestAnimationFrame);
      });
      frozen = await pictures();
      expect(frozen).toEqual(before);
    }).toPass();
    const { run_ns } = (await explorer.snapshot()).model!;
    await explorer.virtualTimeReaches(run_ns / 1e6 + 2);
    expect((await explorer.snapshot()).history_rows).toBeGreaterThan(rows);
    expect(await pictures()).toEqual(frozen);
    await explorer.button('Follow').click();
    for (const [i, one] of charts.entries())
      await expect.poll(() => pictureOf(explorer, one)).not.toBe(frozen[i]);
    await explorer.stop();
  },
);

test.describe('by touch, on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: PHONE_PX, height: 844 } });

  test(
    'a tap reads the values, and a horizontal drag selects a range',
    { tag: '@chromium' },
    async ({ explorer, page, context }) => {
      await explorer.open(LINK);
      // Fast runs have long figures.
      const fast = { ...spec, parameters: { rows: 100 } };
      await explorer.run(fast);
      await explorer.run(fast);
      const chart = momentIn(page, 'Latency');
      await chart.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await chart.boundingBox())!;
      const at = (share: number) => ({ x: x + width * share, y: y + height / 2 });
      await page.touchscreen.tap(at(0.5).x, at(0.5).y);
      for (const title of charts) await expect(explorer.panel(title).locator('.readout')).toBeVisible();
      for (const key of ['Home', 'PageUp', 'End']) {
        await chart.press(key);
        await expect(spokenMoment(page)).toContainText('ms');
        for (const title of charts) {
          const outer = (await explorer.panel(title).locator('.readout-room').boundingBox())!;
          const inner = (await explorer.panel(title).locator('.readout').boundingBox())!;
          expect(inner.x, `${title} ${key}`).toBeGreaterThanOrEqual(outer.x);
          expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
          expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height);
          await expectWholeValues(explorer.panel(title), `${title} ${key}`);
        }
      }
      const touch = await context.newCDPSession(page);
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', share?: number) =>
        touch.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: share === undefined ? [] : [at(share)],
        });
      await send('touchStart', 0.3);
      for (const share of [0.35, 0.4, 0.5, 0.6]) await send('touchMove', share);
      await send('touchEnd');
      await expect(shownPart(page)).toContainText('zoomed to');
      await page.getByText('Show values as table').click();
      await expect(page.getByRole('region', { name: /samples of the visible range/ })).toBeVisible();
      await expectToFit(page, [PHONE_PX]);
    },
  );
});
