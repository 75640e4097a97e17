// npm run record: records pictures from the built page. A run of #69276 on the virtual server starts
// with the fixed design, switches to the bug, and back.
//   npm run record [-- PICTURE] [--out FILE]
//   PICTURE   animation (default): the README's animated WebP; preview: the site's link preview
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import sharp from 'sharp';

import { withBrowser } from '../../research/bench/browser.mjs';
import { buildPage } from '../builds.mjs';
import { readArguments, requireNames, usageError } from '../command-line.mjs';
import { requireWritable } from '../files.mjs';
import { PREVIEW_SIZE } from '../site.mjs';

const pictures = {
  animation: { out: 'docs/images/one-bug.webp', bytesMax: 1_500_000, record: recordAnimation },
  preview: { out: 'docs/images/preview.png', bytesMax: 300_000, record: recordPreview },
};

const SPEC = {
  version: 1,
  scenario: 'fil-mutex-69276',
  platform: 'virtual',
  design: 'fixed',
  duration_s: 0.08,
  interval_s: 0.002,
  actions: [
    { at_s: 0.02, knob: 'tablespace_lookup', variant: 'global_mutex' },
    { at_s: 0.05, knob: 'tablespace_lookup', variant: 'atomic_word' },
  ],
};
const VIEWPORT = { width: 1440, height: 840 };
const WIDTH_PX = 960;
const FRAMES = 50;
const FRAME_MS = 120;
/** The last picture stays so long before the animation repeats. */
const LAST_FRAME_MS = 3000;

/**
 * Takes pictures at equal steps of virtual time, so that the recording looks the same on a slow
 * machine.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<Buffer[]>} PNG files
 */
async function framesOf(page) {
  const ended = page.evaluate((spec) => window.latchscope.run(spec), SPEC);
  const frames = [];
  for (let i = 1; i < FRAMES; ++i) {
    await page.waitForFunction(
      (fromS) => {
        const { live } = window.latchscope.snapshot();
        return (live?.run_s ?? 0) >= fromS || window.latchscope.state().result !== null;
      },
      (SPEC.duration_s * i) / FRAMES,
      { polling: 'raf', timeout: 0 },
    );
    frames.push(await page.screenshot());
  }
  await ended;
  await page.evaluate(() => window.latchscope.idle());
  frames.push(await page.screenshot());
  return frames;
}

async function writeAnimation(file, frames) {
  const pictures = await Promise.all(
    frames.map((frame) => sharp(frame).resize({ width: WIDTH_PX }).png().toBuffer()),
  );
  const delay = pictures.map((_, i) => (i === pictures.length - 1 ? LAST_FRAME_MS : FRAME_MS));
  mkdirSync(dirname(file), { recursive: true });
  await sharp(pictures, { join: { animated: true } })
    .webp({ quality: 80, effort: 6, loop: 0, delay, mixed: true })
    .toFile(file);
}

/** Opens the page for the run, and passes it to `work`. */
function withPageOfRun(viewport, work) {
  return withBrowser(async ({ browser, url }) => {
    const context = await browser.newContext({ viewport, colorScheme: 'light' });
    const page = await context.newPage();
    await page.goto(`${url}#v=1&scenario=${SPEC.scenario}&platform=virtual`);
    await page.evaluate(() => window.latchscope.ready);
    await work(page);
  });
}

async function recordAnimation(file) {
  await withPageOfRun(VIEWPORT, async (page) => writeAnimation(file, await framesOf(page)));
}

/** Takes the picture at the end of the run, cropped to the size of a link preview. */
async function recordPreview(file) {
  await withPageOfRun(PREVIEW_SIZE, async (page) => {
    await page.evaluate((spec) => window.latchscope.run(spec), SPEC);
    await page.evaluate(() => window.latchscope.idle());
    const picture = await page.screenshot();
    mkdirSync(dirname(file), { recursive: true });
    await sharp(picture).png({ palette: true, effort: 10 }).toFile(file);
  });
}

export async function main(args) {
  const { values, positionals } = readArguments(args, { out: { type: 'string' } }, { withPositionals: true });
  const [name = 'animation', ...more] = requireNames('picture', positionals, Object.keys(pictures));
  if (more.length > 0) throw usageError('picture', more[0], 'one picture');
  const { out: usualOut, bytesMax, record } = pictures[name];
  const { out = usualOut } = values;
  requireWritable('--out', out);
  await buildPage();
  await record(out);
  const { size } = statSync(out);
  console.log(`${out}: ${(size / 1000).toFixed(0)} kB`);
  if (size > bytesMax) throw new Error(`${out}: got ${size} bytes; allowed: at most ${bytesMax}`);
}
