// Helpers that check the layout.
import { expect, type Locator, type Page } from '@playwright/test';

export const PHONE_PX = 390;

/** Returns how many pixels the page extends beyond the right edge of its window. */
const beyondRightEdge = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Checks that nothing extends beyond the right edge and no text overlaps another, in windows of
 * these widths. The window keeps the last width.
 */
export async function expectToFit(page: Page, widthsPx = [PHONE_PX, 800, 1200, 1440, 1920]): Promise<void> {
  for (const width of widthsPx) await expectToFitIn(page, { width, height: 844 });
}

/** Checks the same in a window of this size. */
export async function expectToFitIn(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  const inWords = `${size.width} x ${size.height}`;
  // Charts take their new width in the next frame.
  await expect.poll(() => beyondRightEdge(page), inWords).toBe(0);
  await expect.poll(() => page.evaluate(cutOffAtSides), inWords).toEqual([]);
  await expect.poll(() => page.evaluate(overlappingTexts), inWords).toEqual([]);
}

/**
 * Returns texts and controls that extend beyond a side of the window and cannot be scrolled to. Runs
 * in the page. The page does not scroll to what a panel's own layout contains, so its width does not
 * show these.
 */
export function cutOffAtSides(): string[] {
  // Edges may be between two pixels.
  const tolerancePx = 1;
  const hasOwnFrame = (node: Element | null): boolean =>
    node !== null &&
    node !== document.body &&
    (getComputedStyle(node).overflowX !== 'visible' ||
      getComputedStyle(node).clipPath !== 'none' ||
      hasOwnFrame(node.parentElement));
  const isBeyond = ({ left, right, width }: DOMRect) =>
    width > 0 && (left < -tolerancePx || right > innerWidth + tolerancePx);

  const found: string[] = [];
  for (const control of document.querySelectorAll('button, input, select, a[href], canvas')) {
    if (!control.checkVisibility({ visibilityProperty: true })) continue;
    if (isBeyond(control.getBoundingClientRect()) && !hasOwnFrame(control)) found.push(control.outerHTML);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode() as Text | null; node !== null; node = texts.nextNode() as Text | null) {
    if (node.data.trim() === '' || !node.parentElement!.checkVisibility({ visibilityProperty: true }))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    if (isBeyond(range.getBoundingClientRect()) && !hasOwnFrame(node.parentElement)) found.push(node.data);
  }
  return found;
}

/**
 * Returns pairs of texts in the document that overlap in the window. Runs in the page. Text below
 * another element, such as a dialog, or cut off by a parent does not count.
 */
export function overlappingTexts(): string[] {
  interface Line {
    node: Text;
    left: number;
    top: number;
    right: number;
    bottom: number;
  }

  /** Returns the part of a line that its parents and the window leave visible. */
  const visiblePart = (line: Line): Line | null => {
    let { left, top, right, bottom } = line;
    for (let at = line.node.parentElement; at !== null; at = at.parentElement) {
      const { overflowX, overflowY, clipPath, position } = getComputedStyle(at);
      if (clipPath !== 'none') return null;
      const box = at.getBoundingClientRect();
      if (overflowX !== 'visible') [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (overflowY !== 'visible') [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      if (position === 'fixed') break;
    }
    const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isOnTop = middle !== null && (middle.contains(line.node) || line.node.parentNode!.contains(middle));
    return isOnTop ? { node: line.node, left, top, right, bottom } : null;
  };

  const lines: Line[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode() as Text | null; node !== null; node = texts.nextNode() as Text | null) {
    if (node.data.trim() === '' || !node.parentElement!.checkVisibility({ visibilityProperty: true }))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, top, right, bottom } of range.getClientRects()) {
      const line = visiblePart({ node, left, top, right, bottom });
      if (line !== null) lines.push(line);
    }
  }
  // Boxes of lines have some room above and below their letters.
  const overlap = (a: Line, b: Line) =>
    a.node !== b.node &&
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return lines.flatMap((a, index) =>
    lines
      .slice(index + 1)
      .filter((b) => overlap(a, b))
      .map((b) => `${a.node.data.trim()} | ${b.node.data.trim()}`),
  );
}

/**
 * Returns elements that scroll vertically inside a scrolling element. Runs in the page. The lanes
 * are a plot: their axis stays in place while their rows scroll.
 */
export function nestedScrolling(): string[] {
  const scrolls = (element: Element) => {
    const isScroller =
      element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowY);
    return isScroller && element.scrollHeight > element.clientHeight + 1 && element.checkVisibility();
  };
  const inWords = ({ tagName, className }: Element) => `${tagName.toLowerCase()}.${className}`;
  const scrolling = [...document.querySelectorAll(':not(.lane-scroller)')].filter(scrolls);
  return scrolling.flatMap((inner) =>
    scrolling
      .filter((outer) => outer !== inner && outer.contains(inner))
      .map((outer) => `${inWords(inner)} in ${inWords(outer)}`),
  );
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
