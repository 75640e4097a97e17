import type { Page } from '@playwright/test';

import { expect, test } from './explorer';
import { brokenRules } from './axe';
import { overlappingTexts } from './layout';

const projector = { width: 1920, height: 1080 };
const TEXT_PX_MIN = 28;

const slidesOf = (scenario: string) => `#v=1&scenario=${scenario}&platform=virtual&lesson=1&presenter=1`;
const title = (page: Page) => page.locator('.slides h1');
const footer = (page: Page) => page.locator('.slide-foot');

/** Returns texts in the window that are smaller than `minPx`, with their sizes. Runs in the page. */
function smallTexts(minPx: number): string[] {
  const small: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode() as Text | null; node !== null; node = texts.nextNode() as Text | null) {
    const parent = node.parentElement!;
    if (node.data.trim() === '' || !parent.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { width, height, bottom, top } = range.getBoundingClientRect();
    if (width < 2 || height < 2 || bottom < 0 || top > innerHeight) continue;
    if (parent.closest('.visually-hidden, .toasts') !== null) continue;
    const px = Number.parseFloat(getComputedStyle(parent).fontSize) * parent.currentCSSZoom;
    if (px < minPx) small.push(`${px.toFixed(1)} px: ${node.data.trim()}`);
  }
  return small;
}

/** Returns what has been scrolled, or could be. Runs in the page. */
function scrolled(): string[] {
  return [document.documentElement, ...document.querySelectorAll('.app-slides *')].flatMap((element) => {
    const canScroll =
      element.scrollHeight > element.clientHeight + 1 &&
      /auto|scroll/.test(getComputedStyle(element).overflowY);
    const isRoot = element === document.documentElement && element.scrollHeight > innerHeight + 1;
    return element.scrollTop > 0 || isRoot || (canScroll && element.matches('.slides, .slide-figure'))
      ? [`${element.tagName} ${element.className}`]
      : [];
  });
}

/** Checks that the slide shows nothing but itself, in large type, without scrolling. */
async function expectToBeASlide(page: Page): Promise<void> {
  const name = await title(page).innerText();
  await expect(page.locator('[aria-busy="true"]'), name).toHaveCount(0);
  await expect(page.locator('.top-bar')).toHaveCount(0);
  await expect(page.locator('.app-slides button:visible'), name).toHaveCount(1);
  expect(await page.evaluate(scrolled), name).toEqual([]);
  await expect.poll(() => page.evaluate(smallTexts, TEXT_PX_MIN), name).toEqual([]);
  expect(await page.evaluate(overlappingTexts), name).toEqual([]);
}

async function untilDone(page: Page): Promise<void> {
  await expect(page.locator('.slide-progress')).toHaveCount(0);
}

/** Presses the key of a remote until the last slide. Returns the kinds of the slides. */
async function walk(page: Page, onSlide: () => Promise<void>): Promise<string[]> {
  const kinds: string[] = [];
  const [, count] = /of (\d+)/.exec(await footer(page).innerText())!;
  for (let slide = 1; slide <= Number(count); slide += 1) {
    await expect(footer(page)).toContainText(`${slide} of ${count}`);
    await untilDone(page);
    await onSlide();
    kinds.push(/slide-(\w+)/.exec((await page.locator('.slides').getAttribute('class'))!)![1]!);
    if (slide < Number(count)) await page.keyboard.press(slide % 2 === 0 ? 'PageDown' : 'ArrowRight');
  }
  return kinds;
}

test.describe('before an audience', () => {
  test.use({ viewport: projector });

  test('one key walks a whole bug in large type, and nothing scrolls', async ({ explorer, page }) => {
    await explorer.open(slidesOf('fil-mutex-69276'));
    const kinds = await walk(page, () => expectToBeASlide(page));
    expect(kinds).toEqual([
      ...['opening', 'question', 'task', 'answer', 'look', 'look', 'look', 'picture'],
      ...['task', 'look', 'task', 'look', 'table', 'task', 'look'],
    ]);
    await expect(footer(page)).toContainText('End');
    await page.keyboard.press('PageUp');
    await expect(footer(page)).toContainText(`14 of 15`);
  });

  for (const scenario of ['undo-read-117533', 'xa-gtid-99638', 'aio-wakeup-95491', 'binlog-purge-104615'])
    test(
      `one key walks all slides of ${scenario} in large type`,
      { tag: '@long' },
      async ({ explorer, page }) => {
        await explorer.open(slidesOf(scenario));
        await walk(page, () => expectToBeASlide(page));
      },
    );

  test('a wait shows its progress and is skipped to the recorded result; leaving keeps the run', async ({
    explorer,
    page,
  }) => {
    await explorer.open('#v=1&view=stage&scenario=undo-read-117533');
    await expect(page.getByRole('button', { name: 'UPDATE all rows' })).toBeVisible();
    await page.keyboard.press('p');
    await expect(title(page)).toHaveText('One UPDATE, and thirty-two readers wait in line');
    await page.keyboard.press('Space');
    await expect(page.locator('.slide-choices li')).toHaveCount(3);
    await page.keyboard.press('PageDown');
    await expect(title(page)).toHaveText('Run with the UPDATE at 100 ms');
    await expect(page.getByRole('progressbar', { name: 'Progress of the run' })).toBeVisible();
    await page.getByRole('button', { name: 'Skip to the recorded result' }).click();
    await expect(footer(page)).toContainText('Recorded result');
    await expect(page.locator('.slide-numbers')).toContainText('183');
    await expect(page.locator('.rate-line-recorded')).not.toHaveAttribute('d', '');
    await page.keyboard.press('PageDown');
    await expect(title(page)).toContainText('It falls to one or two hundredths.');
    await untilDone(page);
    const run = () => page.evaluate(() => JSON.stringify(window.latchscope.state().spec));
    const shown = await run();
    await page.keyboard.press('Escape');
    await expect(page.locator('.slides')).toHaveCount(0);
    await expect(page).toHaveURL(/view=stage/);
    await expect(page).not.toHaveURL(/presenter|lesson/);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('One UPDATE makes every read');
    expect(await run()).toBe(shown);
    // The slides continue where they were left.
    await page.keyboard.press('p');
    await expect(title(page)).toContainText('It falls to one or two hundredths.');
  });

  test('on the start page, P asks for a bug; a number or Enter chooses it', async ({ explorer, page }) => {
    await explorer.open('');
    await page.keyboard.press('p');
    const dialog = page.getByRole('dialog', { name: 'Present a bug' });
    await expect(dialog.getByRole('listitem')).toHaveCount(5);
    await expect(dialog.getByRole('button').nth(1)).toBeFocused();
    expect(await brokenRules(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(footer(page)).toContainText('1 of');
    const second = await title(page).innerText();
    await page.keyboard.press('Escape');
    await page.evaluate(() => (location.hash = ''));
    await expect(page.getByRole('list', { name: 'Bugs' })).toBeVisible();
    await page.keyboard.press('p');
    await expect(dialog.getByRole('button').nth(1)).toBeFocused();
    await page.keyboard.press('3');
    await expect(title(page)).not.toHaveText(second);
    await expect(footer(page)).toContainText('1 of');
  });
});

test('axe finds nothing wrong with any kind of slide', async ({ explorer, page }) => {
  await explorer.open(slidesOf('fil-mutex-69276'));
  await walk(page, async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await brokenRules(page), await title(page).innerText()).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await brokenRules(page, { rules: 'contrast' }), await title(page).innerText()).toEqual([]);
  });
});

test('on a phone, a slide fits and has a way out', async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    ...(baseURL === undefined ? {} : { baseURL }),
  });
  const page = await context.newPage();
  await page.goto(`/${slidesOf('undo-read-117533')}`);
  await page.getByRole('button', { name: 'Next: a question' }).tap();
  await expect(title(page)).toContainText('What happens to the readers');
  expect(await page.evaluate(scrolled)).toEqual([]);
  expect(await page.evaluate(overlappingTexts)).toEqual([]);
  await page.getByRole('button', { name: 'Leave' }).tap();
  await expect(page.locator('.slides')).toHaveCount(0);
  await context.close();
});
