// Tests a run on this machine, and links that carry a run.
import { expect, expectSoundRun, SCENARIO, test } from './explorer';

test(
  'a run on this machine by keyboard, from opening the page to the second run',
  { tag: '@firefox' },
  async ({ explorer, page }) => {
    await explorer.open();
    await explorer.expectRunState('idle');
    expect(await explorer.tileNumber('TPS')).toBeNaN();
    await explorer.button('Run').focus();
    await page.keyboard.press('Enter');
    await explorer.expectRunState('running');
    // The button keeps its place and the focus when its action changes.
    await expect(explorer.button('Pause')).toBeFocused();
    await expect.poll(() => explorer.tileNumber('TPS')).toBeGreaterThan(0);
    await expect.poll(() => explorer.tileNumber('Block reads')).toBeGreaterThan(0);
    const stacks = await explorer.evidence('Stacks');
    const stack = stacks.getByRole('listitem').first();
    await stack.getByRole('button', { name: /common frames/ }).click();
    await expect(stack).toContainText('handle_one_connection');
    await explorer.button('Pause').press('Enter');
    await explorer.expectRunState('paused');
    await explorer.button('Resume').press('Enter');
    await explorer.expectRunState('running');

    await test.step('a knob change affects the running server and leaves a mark', async () => {
      const runSBefore = await page.evaluate(() => window.latchscope.snapshot().live!.run_s);
      await explorer.variant('One global mutex, six times a read').focus();
      await page.keyboard.press('ArrowUp');
      await expect(explorer.variant('One atomic word per tablespace')).toBeChecked();
      await expect
        .poll(async () => (await explorer.marks()).at(-1))
        .toMatchObject({
          kind: 'knob',
          subject: 0,
          value: 4,
        });
      const mark = (await explorer.marks()).at(-1)!;
      expect(mark.run_ns / 1e9).toBeGreaterThan(runSBefore);
      await expect(
        page.getByRole('img', { name: /Transactions .* Marks: .*One atomic word per tablespace at \d/ }),
      ).toBeVisible();
      await expect(explorer.panel('Log')).toContainText(
        'Tablespace look-up: One atomic word per tablespace, clients paused for',
      );
      await explorer.runTimeReaches(mark.run_ns / 1e9 + 1);
      const sinceFlip = await page.evaluate(() => window.latchscope.snapshot().live!);
      const latch = sinceFlip.latch_rows.find((row) => row.latch === 'fil_system->mutex');
      expect(latch).toMatchObject({ acquisitions: 0, per_operation: 0 });
      expect(sinceFlip.transactions_per_s).toBeGreaterThan(0);
    });

    await test.step('every action of the report fires; an impossible one is refused', async () => {
      const before = (await explorer.marks()).length;
      const actions = (await page.evaluate(() => window.latchscope.commands)).filter((id) =>
        id.startsWith('action.'),
      );
      for (const action of actions) await page.evaluate((id) => window.latchscope.execute(id), action);
      const marks = (await explorer.marks()).slice(before);
      expect(marks.map(({ kind, subject }) => [kind, subject])).toEqual(
        actions.map((_, index) => ['action', index]),
      );
      await explorer.button('CREATE it again').click();
      await expect(page.getByRole('alert')).toContainText('That did not work.');
      await expect(explorer.panel('Log')).toContainText('CREATE it again: refused');
    });

    await explorer.openSettings();
    await explorer.write(page.getByRole('spinbutton', { name: 'Tables' }), '3');
    await expect(explorer.panel('Parameters')).toContainText('next run, changed');
    await explorer.button('Stop').press('Enter');
    await explorer.expectRunState('finished');
    const first = await page.evaluate(() => window.latchscope.state().result!);
    expectSoundRun(first);
    expect(first.spec.parameters.tables).toBe(8);
    await expect(await explorer.wholeRun()).toContainText(/All \d+ invariants hold/);

    await explorer.start();
    expect(await explorer.marks()).toEqual([]);
    const second = await explorer.stop();
    expectSoundRun(second);
    expect(second.spec.parameters.tables).toBe(3);
  },
);

test('a link contains a complete run with its script; the address bar follows, and its address opens the same run', async ({
  explorer,
  page,
}) => {
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
  await explorer.openSettings();
  await explorer.write(page.getByRole('spinbutton', { name: 'Clients' }), '11');
  await explorer.fixedDesign.click();
  await expect(page).toHaveURL(/#v=1&.*design\.tablespace_lookup=atomic_word.*&threads=11&/);
  const draft = await page.evaluate(() => window.latchscope.state().draft);
  await page.reload();
  await page.evaluate(() => window.latchscope.ready);
  expect(await page.evaluate(() => window.latchscope.state().draft)).toEqual(draft);
});
