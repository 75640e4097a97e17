// Helpers that check the layout.
import { expect, type Locator, type Page } from '@playwright/test';

export const PHONE_PX = 390;

/** Returns how many pixels the page extends beyond the right edge of its window. */
const beyondRightEdge = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Checks that nothing extends beyond the right edge in windows of these widths. The window keeps
 * the last width.
 */
export async function expectToFit(page: Page, widthsPx = [PHONE_PX, 800, 1200, 1440, 1920]): Promise<void> {
  for (const width of widthsPx) {
    await page.setViewportSize({ width, height: 844 });
    // Charts take their new width in the next frame.
    await expect.poll(() => beyondRightEdge(page), `${width} px`).toBe(0);
  }
}

/** Checks that the whole element is within the window and within its holder. */
export async function expectWithin(element: Locator, holder: Locator): Promise<void> {
  const outsidePx = (outer: Box, inner: Box) =>
    Math.max(
      0,
      outer.left - inner.left,
      outer.top - inner.top,
      inner.right - outer.right,
      inner.bottom - outer.bottom,
    );
  await expect
    .poll(async () => {
      const [inner, outer] = await Promise.all([boxOf(element), boxOf(holder)]);
      return Math.round(Math.max(outsidePx(outer, inner), outsidePx(await windowOf(element.page()), inner)));
    })
    .toBe(0);
}

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

const boxOf = (element: Locator): Promise<Box> =>
  element.evaluate((node) => node.getBoundingClientRect().toJSON() as Box);

const windowOf = (page: Page): Promise<Box> =>
  page.evaluate(() => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight }));
