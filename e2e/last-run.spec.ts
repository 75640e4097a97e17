// A reload does not lose a run: the reloaded page offers its result, and can repeat it with all
// interactive changes.
import type { Page } from '@playwright/test';

import { expect, SMALL, test, VIRTUAL } from './explorer';

const offer = (page: Page) => page.getByRole('region', { name: 'Last run' });
const resultJson = (page: Page) => page.evaluate(() => JSON.stringify(window.latchscope.state().result));

async function reload(page: Page): Promise<void> {
  await page.reload();
  await page.evaluate(() => window.latchscope.ready);
}

test(
  'a finished run on the virtual server can be reopened, or repeated to the last event',
  { tag: '@firefox' },
  async ({ explorer, page }) => {
    await explorer.open(`${VIRTUAL}&threads=16&interval_s=0.005${SMALL}`);
    await explorer.button('Run').click();
    await explorer.virtualTimeReaches(1);
    await explorer.button('Pause').click();
    await explorer.expectRunState('paused');
    await explorer.fixedDesign.click();
    await expect.poll(async () => (await explorer.marks()).length).toBe(1);
    await page.evaluate(() => window.latchscope.idle());
    await explorer.stop();
    const result = await resultJson(page);
    expect(result).toContain('"variant":"atomic_word"');

    await reload(page);
    await expect(offer(page)).toContainText('The page reload ended your run of #69276.');
    await expect(offer(page)).toContainText(
      'Its result is stored. Run again repeats it exactly on the virtual server, with 1 action.',
    );
    await explorer.button('Open result').click();
    await explorer.expectRunState('finished');
    // Reading a file changes the order of fields.
    expect(JSON.parse(await resultJson(page))).toEqual(JSON.parse(result));
    await expect(offer(page)).toHaveCount(0);

    await reload(page);
    await explorer.button('Run again').click();
    await explorer.expectRunState('finished');
    expect(await resultJson(page)).toBe(result);
    await expect(offer(page)).toHaveCount(0);
  },
);

test('a run interrupted by a reload can be repeated with all interactive changes', async ({
  explorer,
  page,
}) => {
  await explorer.open(`${VIRTUAL}&threads=16&interval_s=0.005${SMALL}`);
  await explorer.button('Run').click();
  await explorer.virtualTimeReaches(1);
  await explorer.fixedDesign.click();
  await expect.poll(async () => (await explorer.marks()).length).toBe(1);
  const [mark] = await explorer.marks();

  await reload(page);
  await expect(offer(page)).toContainText(
    'Run again repeats it exactly on the virtual server, with 1 action.',
  );
  await expect(explorer.button('Open result')).toHaveCount(0);
  await explorer.button('Run again').click();
  await expect.poll(async () => (await explorer.marks()).length).toBe(1);
  const [again] = await explorer.marks();
  expect(again).toMatchObject({ kind: 'knob', subject: mark!.subject, value: mark!.value });
  expect(again!.step_ns).toBe(mark!.step_ns);
});

test('a run on real threads is offered too, and a link that starts a run still starts it', async ({
  explorer,
  page,
}) => {
  await explorer.open(`#v=1&scenario=fil-mutex-69276&platform=threads&threads=2&duration_s=0.3${SMALL}`);
  await explorer.button('Run').click();
  await explorer.expectRunState('finished');

  await page.goto('about:blank');
  await explorer.open(`${VIRTUAL}&threads=5&duration_s=0.01&run=1${SMALL}`);
  await explorer.expectRunState('finished');
  expect(await page.evaluate(() => window.latchscope.state().spec)).toMatchObject({
    platform: 'virtual',
    threads: 5,
  });
  await expect(offer(page)).toContainText('Run again repeats its spec on real threads; numbers will differ.');
  await explorer.button('Run again').click();
  await explorer.expectRunState('finished');
  expect(await page.evaluate(() => window.latchscope.state().spec)).toMatchObject({
    platform: 'threads',
    threads: 2,
  });
});

test('stored data that is not a run is ignored', async ({ explorer, page }) => {
  await page.addInitScript(() => {
    // Firefox also runs this on its blank first page, which has no storage.
    if (origin === 'null') return;
    sessionStorage.setItem(`latchscope.last-run ${location.pathname}`, '{"version":1,"spec":{"scenario":');
  });
  await explorer.open(`${VIRTUAL}&threads=4&duration_s=0.01${SMALL}`);
  await expect(offer(page)).toHaveCount(0);
  await explorer.button('Run').click();
  await explorer.expectRunState('finished');
});

test('without storage the page runs as usual', async ({ explorer, page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('Storage is forbidden.', 'SecurityError');
      },
    });
  });
  await explorer.open(`${VIRTUAL}&threads=4&duration_s=0.01${SMALL}`);
  await explorer.button('Run').click();
  await explorer.expectRunState('finished');
  await reload(page);
  await expect(offer(page)).toHaveCount(0);
});
