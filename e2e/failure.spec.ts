// Tests that the page reports and replaces failed engines and workers.
import type { Page } from '@playwright/test';

import { expect, expectSoundRun, minimalSpec, smallParameters, test } from './explorer';

/** So little data that it loads immediately. */
const LITTLE_DATA = 'threads=4&parameters.tables=1&parameters.rows_per_table=1000';

const causes = {
  threads: {
    assertion: 'this assertion fails to test its host',
    memory: 'out of memory: the engine uses 512 MiB',
    threads: 'cannot start another thread: the page has 72',
  },
  virtual: {
    assertion: 'this assertion fails to test its host',
    memory: 'out of memory: the engine uses',
    threads: 'at most threads_max() threads exist',
    stack: 'a thread has overrun its stack',
    calls: 'a thread has more nested calls than',
  },
};
for (const [platform, texts] of Object.entries(causes)) {
  test(`an engine that fails before or during a run is reported and replaced, whatever the cause: ${platform}`, async ({
    explorer,
    page,
  }) => {
    await explorer.open(`#v=1&scenario=fil-mutex-69276&platform=${platform}&${LITTLE_DATA}`);
    const notice = page.getByRole('alert');
    await page.evaluate(() => window.latchscope.failForTest());
    await expect(notice).toContainText('The engine stopped');
    await expect(notice).toContainText(texts.assertion);
    for (const [cause, text] of Object.entries(texts)) {
      await test.step(cause, async () => {
        await explorer.button('Run').click();
        await explorer.expectRunState('running');
        await expect(notice).toHaveCount(0);
        await page.evaluate((why) => window.latchscope.failForTest(why), cause);
        await expect(notice).toContainText(text);
        await explorer.expectRunState('idle');
      });
    }
    await explorer.start();
    await expect(notice).toHaveCount(0);
    expectSoundRun(await explorer.stop());

    // A pending run promise must be rejected.
    const run = page.evaluate(() => window.latchscope.run({ version: 1, scenario: 'fil-mutex-69276' }));
    const refused = expect(run).rejects.toThrow(/this assertion fails to test its host/);
    await explorer.expectRunState('running');
    await page.evaluate(() => window.latchscope.failForTest());
    await refused;
  });
}

/**
 * Makes all workers of the page available in `window.workers`. The worker with the given number,
 * counted from 1, runs out of memory in the middle of its first run.
 */
async function keepWorkers(page: Page, losesMemory?: number): Promise<void> {
  await page.addInitScript((number) => {
    const workers: Worker[] = [];
    Object.assign(window, { workers });
    window.Worker = class extends Worker {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given);
        if (workers.push(this) === number) loseMemoryAfterStart(this);
      }
    };
    function loseMemoryAfterStart(worker: Worker): void {
      const post = worker.postMessage.bind(worker) as (message: unknown, ...rest: unknown[]) => void;
      worker.postMessage = (message: { command?: string }, ...rest: unknown[]) => {
        post(message, ...rest);
        if (message.command === 'start') post({ kind: 'runs_out_of_memory' });
      };
    }
  }, losesMemory);
}

const virtualRun = {
  ...minimalSpec,
  ...{ platform: 'virtual', threads: 4, duration_s: 0.01, interval_s: 0.005, parameters: smallParameters },
};

const workerOfThePage = (page: Page, ends: 'is_killed' | 'hangs' | 'runs_out_of_memory') =>
  page.evaluate((how) => {
    const worker = (window as unknown as { workers: Worker[] }).workers.at(-1)!;
    if (how === 'is_killed') worker.terminate();
    else worker.postMessage({ kind: how });
  }, ends);

/**
 * Makes the virtual server's worker accept two more messages: one makes it hang, one makes it run
 * out of memory.
 */
async function letWorkerEnd(page: Page): Promise<void> {
  await page.route(/virtual-worker-.*\.js$/, async (route) => {
    const response = await route.fetch();
    const ends = `addEventListener('message', ({ data }) => {
      if (data.kind === 'hangs') for (;;);
      if (data.kind === 'runs_out_of_memory') throw new RangeError('Array buffer allocation failed');
    });`;
    await route.fulfill({ response, body: ends + (await response.text()) });
  });
}

test.describe('a worker of the virtual server', () => {
  for (const [what, ends, text, tag] of [
    ['that runs out of memory', 'runs_out_of_memory', 'The engine ran out of memory', []],
    ['that is killed', 'is_killed', 'has not answered for 30 seconds', ['@long']],
    ['that hangs', 'hangs', 'has not answered for 30 seconds', ['@long']],
  ] as const) {
    test(`${what} is noticed and replaced`, { tag: [...tag] }, async ({ explorer, page }) => {
      await keepWorkers(page);
      await letWorkerEnd(page);
      await explorer.open('#v=1&scenario=fil-mutex-69276&platform=virtual');
      const run = explorer.run({ ...virtualRun, duration_s: 100 });
      const rejected = expect(run).rejects.toThrow(text);
      await explorer.virtualTimeReaches(1);
      await workerOfThePage(page, ends);
      const notice = page.getByRole('alert');
      await expect(notice).toContainText(text);
      await expect(notice).toContainText('A new engine is ready. Press Run.');
      await rejected;
      await explorer.expectRunState('idle');
      expectSoundRun(await explorer.run(virtualRun));
    });
  }
});

test('a batch worker that runs out of memory is reported, and the other runs are kept', async ({
  explorer,
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 2 });
  });
  // The second worker serves only the batch.
  await keepWorkers(page, 2);
  await letWorkerEnd(page);
  await explorer.open('#v=1&scenario=fil-mutex-69276&platform=virtual');
  const { runs } = await page.evaluate(
    (spec) => window.latchscope.compare({ ...spec, duration_s: 0.03, repeats: 3 }),
    virtualRun,
  );
  expect(runs).toHaveLength(6);
  const reasons = runs.flatMap(({ outcome }) => (outcome.ok ? [] : [outcome.reason]));
  expect(reasons).toEqual([expect.stringContaining('out of memory')]);
  expectSoundRun(await explorer.run(virtualRun));
});

test('an engine thread that fails between runs is noticed, and the engine is replaced', async ({
  explorer,
  page,
  complaints,
}) => {
  await keepWorkers(page);
  await explorer.open();
  await page.evaluate(() => {
    const [worker] = (window as unknown as { workers: Worker[] }).workers;
    worker!.dispatchEvent(new ErrorEvent('error', { message: 'RangeError: out of memory' }));
  });
  const notice = page.getByRole('alert');
  await expect(notice).toContainText('The engine ran out of memory');
  await expect(notice).toContainText('A new engine is ready');
  complaints.length = 0;
  await explorer.start();
  expectSoundRun(await explorer.stop());
});
