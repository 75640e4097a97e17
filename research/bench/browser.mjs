// Runs the built page in headless Chromium for measurements.
import { servePage } from '../../tools/page-server.mjs';
import { ensureChromium } from '../../tools/setup/index.mjs';

/**
 * Serves dist/ and runs Chromium while `work` runs.
 * @template T
 * @param {(bench: { browser: import('playwright-core').Browser, url: string }) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withBrowser(work) {
  const server = await servePage();
  try {
    return await withChromium((browser) => work({ browser, url: server.url }));
  } finally {
    await server.close();
  }
}

/**
 * Runs Chromium while `work` runs.
 * @template T
 * @param {(browser: import('playwright-core').Browser) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withChromium(work) {
  const { chromium } = await import('playwright-core');
  const { path } = await ensureChromium();
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: path,
    // tools/interruption.mjs handles signals, and also ends the browser.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
    ],
  });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Opens the page in a new context and waits until its engine is ready. */
export async function openPage({ browser, url }, { beforeOpening } = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await beforeOpening?.(page);
  await page.goto(url);
  await page.evaluate(() => window.latchscope.ready);
  return page;
}

/**
 * @param {import('playwright-core').Page} page
 * @returns {string[]} grows with each uncaught error of the page and each crash
 */
export function faultsOf(page) {
  const faults = [];
  page.on('pageerror', (error) => faults.push(`uncaught: ${error}`));
  page.on('crash', () => faults.push('crashed'));
  return faults;
}

/** @returns {Promise<object>} the run result */
export function runInPage(page, spec) {
  return page.evaluate((given) => window.latchscope.run(given), spec);
}
