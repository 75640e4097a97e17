import { expect, type Page } from '@playwright/test';

export const PHONE_PX = 390;

/** How many pixels the page reaches beyond the right edge of its window. */
const beyondRightEdge = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Checks that nothing lies beyond the right edge in windows of these widths. The window keeps the last width.
 */
export async function expectToFit(page: Page, widths_px = [PHONE_PX, 800, 1200, 1440, 1920]): Promise<void> {
  for (const width of widths_px) {
    await page.setViewportSize({ width, height: 844 });
    // Charts take their new width in the next frame.
    await expect.poll(() => beyondRightEdge(page), `${width} px`).toBe(0);
  }
}
