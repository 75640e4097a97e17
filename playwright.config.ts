import { defineConfig } from '@playwright/test';

import { lean_chromium } from './e2e/chromium';
import { WAIT_MS } from './web/contract/test-fixtures/wait-limit';

const PORT = Number(process.env.LATCHSCOPE_E2E_PORT ?? 4187);
const firefox_path = process.env.FIREFOX_PATH;
/** Set by npm run test:long. */
const is_long = process.env.LATCHSCOPE_LONG === '1';

/** Needs a built page in dist/; `npm test` builds it. */
export default defineConfig({
  testDir: 'e2e',
  // Most tests run the virtual server, in one thread, or wait.
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // These end what hangs: far longer than any test or wait takes on a busy machine.
  timeout: 2_400_000,
  expect: {
    timeout: WAIT_MS,
    toPass: { timeout: WAIT_MS },
    // Another version of the browser may draw the edges of letters a little otherwise.
    toMatchSnapshot: { maxDiffPixelRatio: 0.002 },
  },
  snapshotPathTemplate: '{testDir}/snapshots/{arg}{ext}',
  reporter: [['list']],
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    // A trace of each test would take as long as the test; of one that fails: npx playwright test --trace on <file>.
    screenshot: 'only-on-failure',
    // Each test has a fresh browser profile: keeping the page for later would only take time.
    serviceWorkers: 'block',
  },
  projects: [
    {
      name: 'chromium',
      ...(is_long ? {} : { grepInvert: /@long/ }),
      use: {
        browserName: 'chromium',
        launchOptions: lean_chromium,
      },
    },
    // The same in a stock Firefox, where there is one: each time what depends on the browser (isolation, determinism, one journey),
    // tagged @firefox; in a long run all but what Playwright cannot do there (downloads, touch, double clicks, frames,
    // forced garbage collection), what is tagged as long, and what axe finds, which does not depend on the browser.
    ...(firefox_path === undefined
      ? []
      : [
          {
            name: 'firefox',
            testIgnore: 'snapshots.spec.ts',
            ...(is_long ? {} : { grep: /@firefox/ }),
            grepInvert: /@chromium|@long|axe finds/,
            use: {
              browserName: 'firefox' as const,
              channel: 'moz-firefox',
              launchOptions: { executablePath: firefox_path },
            },
          },
        ]),
  ],
  webServer: {
    command: `node tools/serve.mjs --port ${PORT}`,
    url: `http://127.0.0.1:${PORT}`,
    reuseExistingServer: false,
    timeout: WAIT_MS,
  },
});
