// Configures Playwright, which tests the built page in browsers.
import { defineConfig } from '@playwright/test';

import { leanChromium } from './e2e/chromium';
import { WAIT_MS } from './web/contract/test-fixtures/wait-limit';

const PORT = Number(process.env.LATCHSCOPE_E2E_PORT ?? 4187);
const firefoxPath = process.env.FIREFOX_PATH;
/** Set by npm run test:long. */
const IS_LONG = process.env.LATCHSCOPE_LONG === '1';

/** REQUIRES: dist/ contains a built page. `npm test` builds it. */
export default defineConfig({
  testDir: 'e2e',
  // Most tests wait, or run the virtual server in one thread.
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // Ends hanging tests: far longer than any test or wait takes on a busy machine.
  timeout: 2_400_000,
  expect: {
    timeout: WAIT_MS,
    toPass: { timeout: WAIT_MS },
    // Another version of the browser may render the edges of letters slightly differently.
    toMatchSnapshot: { maxDiffPixelRatio: 0.002 },
  },
  snapshotPathTemplate: '{testDir}/snapshots/{arg}{ext}',
  reporter: [['list']],
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    // Recording a trace takes as long as the test itself. To trace a failed test: npx playwright
    // test --trace on <file>.
    screenshot: 'only-on-failure',
    // Each test has a new browser profile, so storing the page offline would only take time.
    serviceWorkers: 'block',
  },
  projects: [
    {
      name: 'chromium',
      ...(IS_LONG ? {} : { grepInvert: /@long/ }),
      use: {
        browserName: 'chromium',
        launchOptions: leanChromium,
      },
    },
    // A stock Firefox, if there is one, runs the tests whose result depends on the browser
    // (isolation, determinism, one journey); they are tagged @firefox. A long run includes all
    // others except:
    // - tests that Playwright cannot run there (downloads, touch, double clicks, frames, forced
    //   garbage collection)
    // - tests tagged @long
    // - axe tests, whose result does not depend on the browser
    ...(firefoxPath === undefined
      ? []
      : [
          {
            name: 'firefox',
            // On a busy machine, Firefox itself sometimes stops at a page load.
            retries: 1,
            testIgnore: 'snapshots.spec.ts',
            ...(IS_LONG ? {} : { grep: /@firefox/ }),
            grepInvert: /@chromium|@long|axe finds/,
            use: {
              browserName: 'firefox' as const,
              channel: 'moz-firefox',
              launchOptions: { executablePath: firefoxPath },
            },
          },
        ]),
  ],
  webServer: {
    command: `node tools/cli.mjs serve --port ${PORT}`,
    url: `http://127.0.0.1:${PORT}`,
    reuseExistingServer: false,
    timeout: WAIT_MS,
  },
});
