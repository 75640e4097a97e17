// latchscope/playwright: Playwright's `test` with a server of the page and a page object, and
// `expect` with matchers for runs.
import {
  expect as playwrightExpect,
  test as playwrightTest,
  type Expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test';

import { servePage } from '../page-server.mjs';
import { UsageError } from '../processes.mjs';
import { matchers, type Matchers } from './playwright-matchers';
import { latchscopeOn, type Latchscope } from './playwright-page';

export type { Bounds, Goal, Matchers } from './playwright-matchers';
export type { Figures, FiguresNow, Latchscope, TestRunSpec } from './playwright-page';

export interface LatchscopeServer {
  /** Address of the page. */
  url: string;
  port: number;
}

export interface TestFixtures {
  latchscope: Latchscope;
}

export interface WorkerFixtures {
  /** Option: the port of the server; 0 (default) selects a free one. */
  latchscopePort: number;
  latchscopeServer: LatchscopeServer;
}

// package-types.mjs copies these types.
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
> = playwrightTest.extend<TestFixtures, WorkerFixtures>({
  latchscopePort: [0, { scope: 'worker', option: true }],
  latchscopeServer: [
    async ({ latchscopePort }, use) => {
      const { url, port, close } = await serve(latchscopePort);
      await use({ url, port });
      await close();
    },
    { scope: 'worker' },
  ],
  latchscope: async ({ page, latchscopeServer }, use) => {
    await use(latchscopeOn(page, latchscopeServer.url));
  },
});

/** Playwright's `expect`, with toReach() and toMatchDigest() for the fixture `latchscope`. */
export const expect: Expect<Matchers> = playwrightExpect.extend(matchers);

async function serve(port: number) {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`latchscopePort: got ${port}; allowed: an integer from 0 to 65535`);
  try {
    return await servePage({ port });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new Error(error.message.replace(/^--port/, 'latchscopePort'), { cause: error });
  }
}
