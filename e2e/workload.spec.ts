// Tests workload files: a reader writes one from a template, runs it and changes its lock design.
import { readFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

import { brokenRules } from './axe';
import { expect, test, type Explorer } from './explorer';
import { expectToFit, nestedScrolling, PHONE_PX } from './layout';

const source = (page: Page) => page.getByRole('textbox', { name: 'Workload source' });
const errors = (page: Page) => page.getByRole('list', { name: 'Errors of the source' });
const status = (page: Page) => page.getByRole('status', { name: 'Errors' });

/** Types over a text of the source, which the reader selects. */
async function replace(page: Page, text: string, by: string): Promise<void> {
  const line = source(page).locator('.cm-line', { hasText: text }).first();
  const written = (await line.innerText()).replace(text, by);
  await line.click();
  // A long line continues below: the second press leads to its end.
  for (const key of ['End', 'End', 'Shift+Home', 'Shift+Home', 'Shift+Home', 'Backspace'])
    await page.keyboard.press(key);
  // Typed brackets would close by themselves.
  await page.keyboard.insertText(written);
}

/** Returns transactions per second since a moment, once this much virtual time has passed after it. */
async function rateSince(explorer: Explorer, fromMs: number): Promise<number> {
  await explorer.virtualTimeReaches(fromMs + 100);
  const { intervals } = await explorer.snapshot();
  const after = intervals.filter(({ t_s }) => t_s * 1000 > fromMs + 20).map(({ tps }) => tps);
  return after.reduce((sum, tps) => sum + tps, 0) / after.length;
}

const virtualMs = (explorer: Explorer) => explorer.snapshot().then(({ model }) => (model?.run_ns ?? 0) / 1e6);

test('a new workload is written from a template, runs, and is faster with its other design', async ({
  explorer,
  page,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: /^Your own bug/ }).click();
  await explorer.button(/^Sharded counter/).click();
  const declared = explorer.panel('What it declares');
  await expect(declared).toContainText('Sharded counter');
  await expect(declared).toContainText('48 clients with transactions');

  await test.step('what the source declares follows the reader', async () => {
    await replace(page, '150ns', '400ns');
    await expect(declared).toContainText('400ns, from 20ns to 5us · CPU time of an update');
  });

  await explorer.button('Run').click();
  await explorer.expectRunState('running');
  const slow = await rateSince(explorer, 0);

  await test.step('the line that takes the latch has its cost beside it', async () => {
    const cost = page.locator('.cm-figures').getByTitle(/^counter\b.* of client time$/);
    await expect(cost).toHaveText(/^\d+\.\d.%$/);
  });

  await test.step('an error is shown at its place, and does not stop the run', async () => {
    await replace(page, 'work(update)', 'wrk(update)');
    const error = errors(page).getByRole('listitem');
    await expect(error).toHaveText(/^Line \d+ Unknown function wrk; did you mean work\?/);
    await expect(source(page).locator('.cm-lintRange-error')).toHaveText('wrk');
    await expect(page.locator('.workload-source').getByRole('button', { name: 'Run' })).toBeDisabled();
    await explorer.expectRunState('running');
    await error.getByRole('button', { name: 'Write work' }).click();
    await expect(status(page)).toHaveText('No errors');
  });

  await test.step('the knob changes during the run, and throughput rises', async () => {
    const fromMs = await virtualMs(explorer);
    await explorer.variant('Sixty four').click();
    await page.waitForFunction(() => window.latchscope.snapshot().marks.some(({ kind }) => kind === 'knob'));
    expect(await rateSince(explorer, fromMs)).toBeGreaterThan(1.3 * slow);
  });

  const result = await explorer.stop();
  expect(result.spec.scenario).toBe('workload');
  expect(result.latches.map(({ latch }) => latch)).toContain('counter');
  expect(result.invariants.filter(({ ok }) => !ok)).toEqual([]);
});

const WITH_ACTION = `workload "A table is dropped";
kind own { word state; void enter() { while (exchange(state, 1) != 0) yield(); } void exit() { store(state, 0); } }
counter drops;
latch LOCK_open : own;
thread client[8] { transaction { hold LOCK_open { work(2us); } } }
action drop_table "DROP TABLE" { hold LOCK_open { work(5ms); } count(drops); }
`;

test('an action is listed while it is typed, and is a button of the run', async ({ explorer, page }) => {
  await page.goto(`/#v=1&view=workload&workload.source=${encodeURIComponent(WITH_ACTION)}`);
  const declared = explorer.panel('What it declares');
  await expect(declared.getByRole('button', { name: 'DROP TABLE' })).toBeDisabled();
  await expect(declared).toContainText('own, in the latch language');
  await replace(page, '"DROP TABLE"', '"DROP TABLE, 20 GB"');
  await expect(declared.getByRole('button', { name: 'DROP TABLE, 20 GB' })).toBeVisible();

  await explorer.button('Run').click();
  await explorer.expectRunState('running');
  await explorer.virtualTimeReaches(20);
  await explorer.panel('Actions').getByRole('button', { name: 'DROP TABLE, 20 GB' }).click();
  await page.waitForFunction(() => window.latchscope.snapshot().marks.some(({ kind }) => kind === 'action'));
  await explorer.virtualTimeReaches((await virtualMs(explorer)) + 20);
  const result = await explorer.stop();
  expect(result.counters.drops).toBe(1);
  expect(result.invariants.filter(({ ok }) => !ok)).toEqual([]);
});

const REQUESTS = `workload "Requests";
latch m : pthread_mutex;
thread client[4] { arrive(exponential(2ms)); transaction { hold m { work(100us); } } }
`;

test('latency on real threads counts from the arrival of each request', async ({ explorer, page }) => {
  await page.goto(`/#v=1&view=workload&workload.source=${encodeURIComponent(REQUESTS)}`);
  await explorer.button('Run').click();
  await explorer.expectRunState('running');
  const { spec } = await explorer.stop();
  const { version, scenario, workload, threads } = spec;
  const onThreads = { version, scenario, workload, threads, platform: 'threads', duration_s: 0.5 };
  const { totals, drain } = await explorer.run(onThreads);
  expect(totals.transactions).toBeGreaterThan(0);
  expect(totals.latency_ms.max).toBeGreaterThanOrEqual(0.1);
  expect(totals.latency_ms.max).toBeLessThan(1000 * (totals.seconds + drain!.seconds));
});

test('a word of the language is explained under the pointer, and completed at its place', async ({
  page,
}) => {
  await page.goto('/#v=1&view=workload&workload.template=group-commit');
  await source(page).getByText('futex_wake').hover();
  await expect(page.locator('.cm-help')).toHaveText(
    'futex_wake(word, number): wakes sleepers, gives how many',
  );
  await source(page).locator('.cm-line', { hasText: 'device log' }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('latch other : "ticket-f', { delay: 20 });
  await page.getByRole('option', { name: /^ticket-futex/ }).click();
  await expect(source(page)).toContainText('latch other : "ticket-futex"');

  await test.step('what the file declares is offered where it may be used', async () => {
    await page.keyboard.press('End');
    await page.keyboard.insertText('; queue jobs[4]; condition job_came; barrier all_in(2);\nvoid f() { ');
    await page.keyboard.type('send(jo', { delay: 20 });
    await expect(page.getByRole('option')).toHaveText(['jobs']);
    await page.getByRole('option').click();
    await expect(page.getByRole('option')).toHaveCount(0);
    await page.keyboard.insertText(', 1); ');
    await page.keyboard.type('await(al', { delay: 20 });
    await expect(page.getByRole('option')).toHaveText(['all_in']);
  });

  await test.step('what is between the brackets of a knob is indented', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.insertText('knob length {}\n');
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Enter']) await page.keyboard.press(key);
    await page.keyboard.type('few = 1; ');
    await expect(source(page).locator('.cm-line').nth(1)).toHaveText(/^ {2}few = 1; $/);
    await expect(source(page).locator('.cm-line').nth(2)).toHaveText('}');
  });
});

const WITH_ERRORS = `workload "New words";
latch m : pthread_mutex;
condition ready;
queue jobs[1000];
barrier all_in(8);
word w;
uint slot(uint i) { if (i > 8) return 1; }
void again() { again(); }
thread client[8] {
  transaction {
    wait(ready);
    send(jobs);
    uint x = receives(jobs);
    await(jobs);
    signal(w);
    arrive(1ms);
    uint y = slot(1us);
  }
}
`;

test('each wrong use of a queue, barrier, condition, arrival or function is shown at its place', async ({
  page,
}) => {
  await page.goto(`/#v=1&view=workload&workload.source=${encodeURIComponent(WITH_ERRORS)}`);
  const places = [
    [/^Line 4 A queue holds 1 to 256 numbers, not 1000/, '1000'],
    [/^Line 7 Slot ends without a value/, '}'],
    [/^Line 8 Again calls itself/, 'again'],
    [/^Line 11 Wait releases the latch taken last .* inside hold L { }/, 'wait(ready)'],
    [/^Line 12 Send got 1 argument/, 'send(jobs)'],
    [/^Line 13 Unknown function receives; did you mean receive\?/, 'receives'],
    [/^Line 14 Jobs is not a barrier: write one of all_in/, 'jobs'],
    [/^Line 15 Signal needs a condition, such as ready/, 'w'],
    [/^Line 16 Arrive belongs directly in the body of the clients/, 'arrive(1ms)'],
    [/^Line 17 Slot takes a number, such as 4; 1us is a duration/, '1us'],
  ] as const;
  const listed = errors(page).getByRole('listitem');
  await expect(listed).toHaveText(places.map(([sentence]) => sentence));
  await expect(status(page)).toHaveText(`${places.length} errors`);
  await expect(source(page).locator('.cm-lintRange-error')).toHaveText(places.map(([, text]) => text));
  await listed
    .nth(6)
    .getByRole('button', { name: /^Line 14/ })
    .click();
  await page.keyboard.insertText('all_in');
  await expect(source(page)).toContainText('await(all_in)');
  await expect(status(page)).toHaveText(`${places.length - 1} errors`);
  await listed.nth(5).getByRole('button', { name: 'Write receive' }).click();
  await expect(status(page)).toHaveText(`${places.length - 2} errors`);
});

test('the source is kept on this device and travels in the link', async ({ explorer, page, context }) => {
  await page.goto('/#v=1&view=workload&workload.template=one-mutex');
  await replace(page, 'client[32]', 'client[6]');
  const declared = explorer.panel('What it declares');
  await expect(declared).toContainText('6 clients with transactions');
  await expect.poll(() => page.url()).toContain('workload.source=');
  const link = page.url();

  await page.goto('/');
  await page.getByRole('link', { name: /^Your own bug/ }).click();
  await expect(declared).toContainText('6 clients with transactions');

  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByRole('region', { name: 'What it declares' })).toContainText('6 clients');
  await other.close();
});

test(
  'beside a run, each comment has a line of its own, and the line that costs most is shown',
  { tag: '@chromium' },
  async ({ explorer, page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/#v=1&view=workload&workload.template=procarray-lock');
    await explorer.button('Run').click();
    await explorer.expectRunState('running');
    const link = explorer.button(/^most: line \d+$/);
    await link.click();
    await expect(source(page).locator('.cm-step')).toContainText(/exclusive|shared|futex_wait/);
    await expect(source(page).locator('.cm-step')).toBeInViewport();
    await source(page).evaluate((editor) => editor.parentElement!.scrollTo(0, 0));
    const comments = source(page).locator('.cm-line', { hasText: /^\/\/ / });
    await expect(comments.first()).toContainText('PostgreSQL');
    const wrapped = await comments.evaluateAll((lines) =>
      lines
        .filter((line) => line.clientHeight > 1.5 * parseFloat(getComputedStyle(line).lineHeight))
        .map(({ textContent }) => textContent),
    );
    expect(wrapped).toEqual([]);
  },
);

test('the templates make room for the declarations once the reader writes', async ({ explorer, page }) => {
  await page.goto('/#v=1&view=workload&workload.template=one-mutex');
  await expect(explorer.button(/^Sharded counter/)).toBeVisible();
  await replace(page, 'client[32]', 'client[6]');
  await expect(explorer.button(/^Sharded counter/)).toBeHidden();
  await explorer.button('Show templates').click();
  await explorer.button(/^Sharded counter/).click();
  await expect(explorer.panel('What it declares')).toContainText('Sharded counter');
  await expect(explorer.button(/^Sharded counter/)).toHaveAttribute('aria-pressed', 'true');
});

test('the link of a run opens its source, and runs the same', async ({ explorer, page }) => {
  await page.goto('/#v=1&view=workload&workload.template=one-mutex');
  await explorer.button('Run').click();
  await explorer.expectRunState('running');
  await explorer.virtualTimeReaches(40);
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Explore' }).click();
  const link = new URL(page.url());
  expect(link.hash).toContain('scenario=workload');
  const { tps } = (await explorer.snapshot()).intervals[0]!;
  await page.goto('/');
  await page.goto(`/${link.hash}&run=1`);
  await explorer.virtualTimeReaches(40);
  expect((await explorer.snapshot()).intervals[0]!.tps).toBe(tps);
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Source' }).click();
  await expect(source(page)).toContainText('workload "One mutex"');
});

test('a file is saved, dropped on another page, and refused if it is no text', async ({ explorer, page }) => {
  await page.goto('/#v=1&view=workload&workload.template=connection-pool');
  const saving = page.waitForEvent('download');
  await explorer.button('Save').click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('connection-pool.workload');
  const text = readFileSync(await download.path(), 'utf8');

  const drop = async (name: string, content: string) => {
    const data = await page.evaluateHandle(
      ([fileName, fileContent]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([fileContent!], fileName!));
        return transfer;
      },
      [name, content],
    );
    await page.dispatchEvent('body', 'drop', { dataTransfer: data });
  };
  await page.goto('/');
  await drop('mine.workload', text.replace('Connection pool', 'My own pool'));
  await expect(explorer.panel('What it declares')).toContainText('My own pool');
  await drop('broken.workload', 'workload\0');
  await expect(page.getByRole('alert')).toContainText('broken.workload');
  await expect(explorer.panel('What it declares')).toContainText('My own pool');
});

test(
  'the view fits a phone and has no accessibility faults',
  { tag: '@chromium' },
  async ({ explorer, page }) => {
    await page.goto('/#v=1&view=workload&workload.template=mysql-72829');
    await expect(explorer.panel('What it declares')).toContainText('LOCK_grant');
    await expectToFit(page, [PHONE_PX, 1440]);
    expect(await brokenRules(page)).toEqual([]);
    await explorer.button('Run').click();
    await explorer.expectRunState('running');
    await explorer.virtualTimeReaches(40);
    await explorer.stop();
    await expectToFit(page, [PHONE_PX, 1000, 1440]);
    expect(await page.evaluate(nestedScrolling)).toEqual([]);
    expect(await brokenRules(page)).toEqual([]);
  },
);
