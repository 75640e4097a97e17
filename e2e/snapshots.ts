// Takes pictures of the page that are the same on every machine. Runs use the virtual server, so
// curves do not depend on the host's speed. Fonts beside the page's own come with the tests. Texts
// about the host's speed are hidden.
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { expect, type Explorer } from './explorer';

const fontsFolder = join(
  dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
  'ttf',
);
const FONTS_PATH = '/fonts-of-snapshots';

const fonts = [
  { family: 'Snapshot Sans', weight: '400', file: 'DejaVuSans.ttf' },
  { family: 'Snapshot Sans', weight: '700', file: 'DejaVuSans-Bold.ttf' },
  { family: 'Snapshot Mono', weight: '400', file: 'DejaVuSansMono.ttf' },
  { family: 'Snapshot Mono', weight: '700', file: 'DejaVuSansMono-Bold.ttf' },
];

async function bringFonts(page: Page): Promise<void> {
  for (const { file } of fonts)
    await page.route(`**${FONTS_PATH}/${file}`, (route) => route.fulfill({ path: join(fontsFolder, file) }));
  await page.addInitScript(
    ({ faces, path }) => {
      for (const { family, weight, file } of faces) {
        const face = new FontFace(family, `url(${path}/${file})`, { weight });
        document.fonts.add(face);
        void face.load();
      }
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        :root { --sans: "Inter Variable", "Snapshot Sans" !important; --mono: "Snapshot Mono" !important; }
        [data-depends-on-host] { visibility: hidden; }
        [data-is-picture-of-part] :is(.top-bar, .thumb-bar) { visibility: hidden; }
      `);
      document.adoptedStyleSheets = [sheet];
    },
    { faces: fonts, path: FONTS_PATH },
  );
}

/** Makes the page see two cores, so the start page offers the virtual server. */
async function pretendTwoCores(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: 2 });
  });
}

/** Opens a link once the fonts are loaded, so that canvases use them. */
export async function openInFonts({ explorer, page }: { explorer: Explorer; page: Page }, fragment: string) {
  await bringFonts(page);
  await pretendTwoCores(page);
  await explorer.open(fragment);
  await page.evaluate(() => document.fonts.ready);
}

/**
 * Moves an element by less than a pixel, so that it starts at a whole pixel whatever the heights
 * above it are.
 */
const moveToWholePixel = (part: Locator) =>
  part.evaluate((element: HTMLElement) => {
    element.style.translate = '';
    element.scrollIntoView({ block: 'nearest' });
    const { top, left } = element.getBoundingClientRect();
    element.style.translate = `${Math.ceil(left) - left}px ${Math.ceil(top) - top}px`;
  });

/** Enough for everything to be drawn: a chart follows its size with a delay of some frames. */
const FRAMES_TO_SETTLE = 20;
const ATTEMPTS = 5;

const letFramesPass = (page: Page) =>
  page.evaluate(async (frames) => {
    for (let i = 0; i < frames; i += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  }, FRAMES_TO_SETTLE);

/** Takes a picture of the page, or of a part without the bars that stay over it. */
async function pictureNow(page: Page, part?: Locator): Promise<Buffer> {
  await page.evaluate((isOfPart) => {
    document.documentElement.toggleAttribute('data-is-picture-of-part', isOfPart);
  }, part !== undefined);
  if (part !== undefined) await moveToWholePixel(part);
  await letFramesPass(page);
  return (part ?? page).screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' });
}

/**
 * Compares the page, or a part of it, with the picture of this name. It waits for frames instead of
 * time: a difference fails within seconds, and a busy machine still gets the frames it needs.
 */
export async function expectPicture(page: Page, name: string, part?: Locator): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    const picture = await pictureNow(page, part);
    try {
      expect(picture).toMatchSnapshot(`${name}.png`);
      return;
    } catch {
      // It may not be drawn completely yet.
    }
  }
  expect(await pictureNow(page, part)).toMatchSnapshot(`${name}.png`);
}
