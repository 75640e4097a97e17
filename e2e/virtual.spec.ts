// Tests the virtual server in the page: pace, repeatability, links and memory.
import { expect, test, VIRTUAL } from './explorer';

test('the switch to the virtual server shows its defaults, and the reader controls the pace of virtual time', async ({
  explorer,
  page,
}) => {
  await explorer.open();
  await explorer.platform('Virtual server').check();
  await expect(page).toHaveURL(/platform=virtual&server=snb-ep-2013&threads=54&.*&interval_s=0.02/);
  await explorer.openSettings();
  await expect(page.getByRole('spinbutton', { name: 'Clients' })).toHaveValue('54');
  const note = page.locator('.virtual-time-note');
  await expect(note).toContainText('20 ms of virtual time represent one second of the report');
  await expect(explorer.button('Step 10 µs')).toBeDisabled();
  await explorer.button('Run on the virtual server').click();
  await explorer.virtualTimeReaches(3);
  await expect.poll(() => explorer.tileNumber('TPS')).toBeGreaterThan(0);
  await expect(page.getByText('per second of virtual time')).toBeVisible();
  await expect(page.locator('.run-time')).toContainText('ms');
  await expect(note).toContainText(/This machine computes 1 virtual ms in/);
  await expect(page.getByRole('img', { name: /per virtual second over virtual time/ })).toBeVisible();

  await explorer.button('Pause').click();
  await explorer.expectRunState('paused');
  await explorer.button('Step 10 µs').click();
  const runNs = async () => (await explorer.snapshot()).model!.run_ns;
  const clients = page.getByRole('application', { name: /Thread states/ });
  await expect(clients).toHaveAccessibleName(/Now: .*\d+ (running|spinning|waiting|sleeping|I\/O)/);
  await page.evaluate(() => window.latchscope.execute('run.step'));
  const beforeNs = await runNs();
  await page.evaluate(() => window.latchscope.execute('run.step'));
  const afterNs = await runNs();
  expect([beforeNs % 10_000, afterNs - beforeNs]).toEqual([0, 10_000]);
  const events = async () => (await explorer.snapshot()).model!.events;
  const eventsBefore = await events();
  await page.evaluate(() => window.latchscope.execute('run.step_event'));
  expect((await events()) - eventsBefore).toBe(1);
  await explorer.expectRunState('paused');

  const lanes = explorer.panel('Thread lanes');
  await lanes.getByRole('application').press('ArrowLeft');
  await expect(lanes).toContainText('· pinned');
  await expect(lanes.getByRole('status')).toContainText(/^(client \d+|\w+): /);
  await lanes.getByRole('application').press('Escape');

  // A command also works while virtual time is paused, and takes as little time as it needs.
  await explorer.fixedDesign.click();
  await expect.poll(() => explorer.marks()).toHaveLength(1);
  await explorer.expectRunState('paused');

  await page.getByRole('combobox', { name: 'Pace of virtual time' }).selectOption('100us');
  await explorer.button('Resume').click();
  const pacedFromNs = await runNs();
  await explorer.virtualTimeReaches(pacedFromNs / 1e6 + 0.02);
  await page.getByRole('combobox', { name: 'Pace of virtual time' }).selectOption('fast');
  await explorer.virtualTimeReaches(pacedFromNs / 1e6 + 1);
  const result = await explorer.stop();
  expect(result.engine.platform).toBe('virtual');
  expect(result.invariants.filter(({ ok }) => !ok)).toEqual([]);
  await expect(await explorer.wholeRun()).toContainText(/All \d+ invariants hold/);
  await expect(
    page.getByRole('img', { name: /Transactions .* One atomic word per tablespace at [\d.]+ ms/ }),
  ).toBeVisible();

  await explorer.platform('This machine').check();
  await page.waitForFunction(() => window.latchscope.state().engine_version?.platform === 'threads');
  await explorer.start();
  await explorer.stop();
});

const undoRead = { version: 1, scenario: 'undo-read-117533', platform: 'virtual', threads: 16 };

test('runs of the same spec are equal to the last event, whatever the page does', async ({
  explorer,
  page,
}) => {
  await explorer.open(VIRTUAL);
  const spec = {
    ...undoRead,
    seed: 7,
    duration_s: 0.006,
    actions: [{ at_s: 0.003, knob: 'undo_page_size_lookup', variant: 'cached' }],
  };
  const first = await explorer.run(spec);
  // The pace makes it take a minute, so the run is still in progress when this process checks it.
  await page.evaluate(() => window.latchscope.execute('pace.100us'));
  const running = explorer.run(spec);
  await explorer.expectRunState('running');
  await page.evaluate(() => window.latchscope.execute('run.step'));
  await page.evaluate(() => window.latchscope.execute('run.step_event'));
  await page.evaluate(() => window.latchscope.execute('pace.fast'));
  await page.evaluate(() => window.latchscope.execute('run.resume'));
  const second = await running;
  expect(first.model!.event_hash).toMatch(/^[0-9a-f]{16}$/);
  expect(second.model).toEqual(first.model);
  expect(second.totals).toEqual(first.totals);
  expect((await explorer.run({ ...spec, seed: 8 })).model!.event_hash).not.toBe(first.model!.event_hash);
});

test('a copied link repeats the run with all interactive changes, to the last event', async ({
  explorer,
  page,
}) => {
  await explorer.open(
    '#v=1&scenario=undo-read-117533&platform=virtual&threads=16&parameters.rows=1000&interval_s=0.005',
  );
  await page.evaluate(() => window.latchscope.execute('run.start'));
  await explorer.virtualTimeReaches(3);
  await page.evaluate(() => window.latchscope.fire('update_k'));
  await explorer.virtualTimeReaches(8);
  await page.evaluate(() => window.latchscope.pause());
  await page.evaluate(() => window.latchscope.setKnob('undo_page_size_lookup', 'cached'));
  await page.evaluate(() => window.latchscope.resume());
  await explorer.virtualTimeReaches(15);
  const byHand = await explorer.stop();
  expect(byHand.spec.actions).toHaveLength(2);
  await page.evaluate(() => window.latchscope.execute('link.copy'));
  const link = page.url();
  expect(link).toMatch(/&run=1&.*&at=0\.\d+:update_k&at=0\.\d+:undo_page_size_lookup:cached/);
  expect(link).toMatch(/design\.undo_page_size_lookup=shard_mutex.*&duration_s=0\.\d+/);
  await page.goto('about:blank');
  await page.goto(link);
  await explorer.expectRunState('finished');
  const again = await page.evaluate(() => window.latchscope.state().result);
  expect(JSON.stringify(again)).toBe(JSON.stringify(byHand));
});

test('long operations announce their progress and their end', async ({ explorer, page }) => {
  await explorer.open(
    '#v=1&scenario=binlog-purge-104615&platform=virtual&threads=50&interval_s=0.05&parameters.old_binlogs_gib=1&parameters.max_binlog_size_kib=16384',
  );
  // Such a file fills after two seconds of virtual time, long after the page has slowed down
  // virtual time.
  await explorer.start();
  await page.evaluate(async () => {
    await window.latchscope.execute('pace.10ms');
    await window.latchscope.fire('expire_logs_1s');
  });
  const actions = explorer.panel('Actions');
  await expect(actions.getByRole('progressbar')).toBeVisible();
  await page.evaluate(() => window.latchscope.pause());
  await expect(actions.getByRole('progressbar')).toHaveAccessibleName(
    /^Purge at next rotation: binlog \d+ % full$/,
  );
  await expect(actions).toContainText(/binlog \d+ % full(, rotation in about [\d.]+ m?s)?/);
  await page.evaluate(() => window.latchscope.execute('pace.fast'));
  await page.evaluate(() => window.latchscope.resume());
  await expect(actions.getByText('The binlog rotated.')).toBeAttached();
  await expect(actions.getByRole('progressbar')).toHaveCount(0);
  await explorer.stop();
});

test('the page draws the same curves each time, even when it is busy', async ({ explorer, page }) => {
  await explorer.open(VIRTUAL);
  const spec = {
    ...undoRead,
    duration_s: 0.02,
    interval_s: 0.005,
    parameters: { rows: 1000 },
    actions: [{ at_s: 0.005, action: 'update_k' }],
  };
  const drawn = async () => {
    await explorer.run(spec);
    const { live, intervals, history_rows } = await explorer.snapshot();
    const values = page.locator('table.values');
    if (!(await values.isVisible())) await page.getByText('Show values as table').click();
    return { values: await values.innerText(), live, intervals, historyRows: history_rows };
  };
  const first = await drawn();
  expect(first.historyRows).toBeGreaterThan(100);
  // Keeps the page busy with a tenth of a second of work in each frame.
  await page.evaluate(() => {
    const work = () => {
      const untilMs = performance.now() + 100;
      while (performance.now() < untilMs);
      requestAnimationFrame(work);
    };
    work();
  });
  expect(await drawn()).toEqual(first);
});

test('a discarded engine releases its memory', { tag: '@chromium' }, async ({ explorer, page, context }) => {
  await page.addInitScript(() => {
    const memories: WeakRef<WebAssembly.Memory>[] = [];
    Object.assign(window, { memories });
    WebAssembly.Memory = class extends WebAssembly.Memory {
      constructor(descriptor: WebAssembly.MemoryDescriptor) {
        super(descriptor);
        memories.push(new WeakRef(this));
      }
    };
  });
  await explorer.open();
  for (const platform of ['virtual', 'threads', 'virtual', 'threads', 'virtual'] as const) {
    await page.evaluate((wanted) => window.latchscope.openPlatform(wanted), platform);
    await expect.poll(() => page.evaluate(() => window.latchscope.state().engine_status)).toBe('ready');
  }
  const devtools = await context.newCDPSession(page);
  const memoriesAlive = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    return page.evaluate(() => {
      const { memories } = window as unknown as { memories: WeakRef<WebAssembly.Memory>[] };
      return memories.map((memory) => memory.deref() !== undefined);
    });
  };
  // The virtual server's memory is in a worker.
  await expect.poll(memoriesAlive).toEqual([false, false, false]);
});

test('runs a thousand clients', async ({ explorer, page }) => {
  await explorer.open('#v=1&scenario=xa-gtid-99638&platform=virtual&threads=1024&duration_s=0.01');
  await explorer.button('Run').click();
  await explorer.expectRunState('finished');
  const result = await page.evaluate(() => window.latchscope.state().result!);
  expect(result.spec.threads).toBe(1024);
  await expect(explorer.panel('Thread lanes')).toContainText('1024 clients');
  await expect(explorer.panel('Thread lanes')).toContainText('scroll for more');
});
