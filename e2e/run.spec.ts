import { expect, expectSoundRun, minimal_spec, SCENARIO, test } from './explorer';

test('the first visit says what is wrong and runs nothing by itself', async ({ explorer, page }) => {
  await explorer.open();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('#69276');
  await expect(page.getByLabel('What is wrong')).toContainText('takes one server-wide mutex');
  await expect(explorer.variant('One global mutex, six times a read')).toBeChecked();
  await explorer.expectRunState('idle');
  expect(await explorer.tileNumber('TPS')).toBeNaN();
});

test('the invitation starts a run whose numbers move', async ({ explorer }) => {
  await explorer.open();
  await explorer.button('Run it on this machine').click();
  await explorer.expectRunState('running');
  await expect.poll(() => explorer.tileNumber('TPS')).toBeGreaterThan(0);
  await expect.poll(() => explorer.tileNumber('Block reads')).toBeGreaterThan(0);
  const stacks = await explorer.evidence('Stacks');
  await expect(stacks.getByRole('listitem').first()).toContainText('handle_one_connection');
  await expect(await explorer.evidence('Latches')).toContainText('fil_system->mutex');
  expectSoundRun(await explorer.stop());
});

test('a run can be paused, resumed, stopped and run again', async ({ explorer, page }) => {
  await explorer.open();
  await explorer.start();
  await explorer.button('Pause').click();
  await explorer.expectRunState('paused');
  const paused_at_s = await page.evaluate(() => window.latchscope.snapshot().live?.run_s);
  await explorer.button('Resume').click();
  await explorer.expectRunState('running');
  await explorer.runTimeReaches(paused_at_s! + 0.5);
  const first = await explorer.stop();
  await expect(explorer.panel('The whole run')).toContainText(/All \d+ invariants hold/);
  expect((await explorer.marks()).map(({ kind }) => kind)).toEqual(['pause', 'resume']);

  await explorer.start();
  expect(await explorer.marks()).toEqual([]);
  const second = await explorer.stop();
  for (const result of [first, second]) expectSoundRun(result);
});

test('a flip by keyboard changes the running server and is marked', async ({ explorer, page }) => {
  await explorer.open();
  await explorer.start();
  const run_s_before = await page.evaluate(() => window.latchscope.snapshot().live!.run_s);
  await explorer.variant('One global mutex, six times a read').focus();
  await page.keyboard.press('ArrowUp');
  await expect(explorer.variant('One atomic word per tablespace')).toBeChecked();

  await expect.poll(() => explorer.marks()).toMatchObject([{ kind: 'knob', subject: 0, value: 4 }]);
  const [mark] = await explorer.marks();
  expect(mark!.run_ns / 1e9).toBeGreaterThan(run_s_before);
  await expect(page.getByRole('img', { name: /Transactions .* Marks: atomic_word at \d/ })).toBeVisible();
  await expect(explorer.panel('Log')).toContainText('tablespace_lookup → atomic_word, clients stood');

  await explorer.runTimeReaches(mark!.run_ns / 1e9 + 1);
  const since_flip = await page.evaluate(() => window.latchscope.snapshot().live!);
  const latch = since_flip.latch_rows.find((row) => row.latch === 'fil_system->mutex');
  expect(latch).toMatchObject({ acquisitions: 0, per_operation: 0 });
  expect(since_flip.transactions_per_s).toBeGreaterThan(0);
  expectSoundRun(await explorer.stop());
});

test('presets turn every knob', async ({ explorer }) => {
  await explorer.open();
  await explorer.start();
  await explorer.button('fixed').click();
  await expect(explorer.variant('One atomic word per tablespace')).toBeChecked();
  await expect(explorer.button('fixed')).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => explorer.marks()).toHaveLength(1);
  expectSoundRun(await explorer.stop());
});

test('every action of the report can be fired while the run goes on', async ({ explorer, page }) => {
  await explorer.open();
  await expect(explorer.button('DROP the last table')).toBeDisabled();
  await explorer.start();
  const actions = (await page.evaluate(() => window.latchscope.commands)).filter((id) =>
    id.startsWith('action.'),
  );
  for (const action of actions) await page.evaluate((id) => window.latchscope.execute(id), action);
  const marks = await explorer.marks();
  expect(marks.map(({ kind, subject, value }) => [kind, subject, value])).toEqual(
    actions.map((_, index) => ['action', index, 0]),
  );
  expectSoundRun(await explorer.stop());
});

test('an action that makes no sense now is refused with the reason', async ({ explorer, page }) => {
  await explorer.open();
  await explorer.start();
  await explorer.button('CREATE it again').click();
  await expect(page.getByRole('alert')).toContainText('That was not done');
  await expect(explorer.panel('Log')).toContainText('CREATE it again: refused');
  await explorer.stop();
});

test('a link carries a whole run, with its script', async ({ explorer }) => {
  const script = 'at=0.4:tablespace_lookup:sharded_mutex&at=0.8:one_table';
  await explorer.open(`#v=1&scenario=${SCENARIO}&threads=9&duration_s=1.5&parameters.tables=4&${script}`);
  await explorer.button('Run').click();
  await explorer.expectRunState('finished');
  const marks = await explorer.marks();
  expect(marks.map(({ kind, subject, value }) => [kind, subject, value])).toEqual([
    ['knob', 0, 2],
    ['action', 2, 0],
  ]);
  await expect(explorer.variant('68 shards by tablespace number')).toBeChecked();
});

test('the address bar follows what is chosen, and opens as the same run', async ({ explorer, page }) => {
  await explorer.open();
  expect(new URL(page.url()).hash).toBe(`#v=1&scenario=${SCENARIO}`);
  await explorer.write(page.getByRole('spinbutton', { name: 'Clients' }), '11');
  await explorer.button('fixed').click();
  await expect(page).toHaveURL(/#v=1&.*design\.tablespace_lookup=atomic_word.*&threads=11&/);
  const draft = await page.evaluate(() => window.latchscope.state().draft);
  await page.reload();
  await page.evaluate(() => window.latchscope.ready);
  expect(await page.evaluate(() => window.latchscope.state().draft)).toEqual(draft);
});

test('parameters changed during a run are for the next one, and the page says so', async ({
  explorer,
  page,
}) => {
  await explorer.open();
  await explorer.start();
  const parameters = explorer.panel('Parameters');
  await expect(parameters).toContainText('of the next run');
  await explorer.write(page.getByRole('spinbutton', { name: 'Tables' }), '3');
  await expect(parameters).toContainText('changed for the next run');
  expect((await explorer.stop()).spec.parameters.tables).toBe(8);
  await explorer.start();
  expect((await explorer.stop()).spec.parameters.tables).toBe(3);
});

test('a hidden page draws no line across the time that it did not look', async ({ explorer, page }) => {
  await explorer.open();
  await explorer.start();
  const rows_before_and_after = await page.evaluate(() => {
    const rows = () => window.latchscope.snapshot().history_rows;
    const before = rows();
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
    return [before, rows()];
  });
  expect(rows_before_and_after[1]).toBe(rows_before_and_after[0]! + 1);
  await explorer.stop();
});

test('of three runs that are asked for at once the first one runs, and the page can be used', async ({
  explorer,
  page,
}) => {
  await explorer.open('#v=1&scenario=fil-mutex-69276&platform=virtual');
  const outcomes = await page.evaluate(async () => {
    const { run } = window.latchscope;
    const spec = {
      version: 1,
      scenario: 'fil-mutex-69276',
      platform: 'virtual',
      threads: 4,
      duration_s: 0.01,
      interval_s: 0.005,
    };
    const settled = await Promise.allSettled([run(spec), run(spec), run(spec)]);
    return settled.map((outcome) => (outcome.status === 'fulfilled' ? 'ran' : String(outcome.reason)));
  });
  const refused = 'CommandRefused: A run is still going. Stop it first.';
  expect(outcomes).toEqual(['ran', refused, refused]);
  await explorer.expectRunState('finished');
  await expect(explorer.button('Run')).toBeEnabled();
  await expect(explorer.button('Stop')).toBeDisabled();
});

test('a run is stopped while its server is being built, and another one can begin', async ({
  explorer,
  page,
}) => {
  await explorer.open('#v=1&scenario=fil-mutex-69276&platform=virtual');
  const outcome = await page.evaluate(async () => {
    const started = window.latchscope.execute('run.start').then(
      () => 'started',
      (error: unknown) => String(error),
    );
    await window.latchscope.execute('run.stop');
    return started;
  });
  expect(outcome).toBe('CommandRefused: The run was stopped before it had begun.');
  await expect(page.getByRole('alert')).toHaveCount(0);
  const spec = { ...minimal_spec, platform: 'virtual', threads: 4, duration_s: 0.01, interval_s: 0.005 };
  expectSoundRun(await explorer.run(spec));
});
