// Tests branches of a run: a change at an earlier moment, and links that rebuild the branches.
import { expect, SCENARIO, SMALL, test } from './explorer';

const LINK = `#v=1&scenario=${SCENARIO}&platform=virtual&threads=16&duration_s=0.03&interval_s=0.01${SMALL}`;

test('a fork keeps both branches, shows where they diverge, and its link rebuilds the tree', async ({
  explorer,
  page,
}) => {
  await explorer.open(LINK);
  await explorer.button('Run').click();
  await explorer.expectRunState('finished');
  expect(await page.evaluate(() => window.latchscope.courses())).toEqual([]);

  await test.step('rewind, change a knob, and run to the end', async () => {
    await page.evaluate(() => window.latchscope.goTo({ run_ns: 10_000_000 }));
    await explorer.variant('One atomic word per tablespace').click();
    await expect(explorer.button('2 courses')).toBeVisible();
    await explorer.button('Resume').click();
    await explorer.expectRunState('finished');
  });

  const behind = page.getByRole('list', { name: /^Pale: course “first course”: / });
  await expect(behind.getByRole('listitem')).toContainText('MySQL 5.6 (the bug)');

  const courses = await page.evaluate(() => window.latchscope.courses());
  expect(courses).toEqual([
    {
      id: 1,
      name: 'first course',
      parent: null,
      at_s: 0,
      actions: [],
      is_shown: false,
      is_carried_out: true,
    },
    {
      ...{ id: 2, name: 'One atomic word per tablespace at 10.00 ms', parent: 1, at_s: 0.010000001 },
      actions: [{ at_s: 0.010000001, knob: 'tablespace_lookup', variant: 'atomic_word' }],
      is_shown: true,
      is_carried_out: true,
    },
  ]);

  await test.step('rename a branch, and see where they diverge', async () => {
    await explorer.button('2 courses').click();
    const name = page.getByRole('textbox', { name: /One atomic word per tablespace/ });
    await explorer.write(name, 'atomic word');
    await name.press('Enter');
    await explorer.button('Where do they part?').click();
    const part = page.getByRole('region', { name: 'Where they part' });
    await expect(part).toContainText(/They part at event [\d,]+; the [\d,]+ before it are the same\./);
    await expect(part).toContainText('at 10.00 ms: coordinator wakes by its timer');
    await expect(part.getByRole('row', { name: /^Transactions per second/ })).toBeVisible();

    await explorer.write(page.getByRole('spinbutton', { name: 'Seeds' }), '2');
    await explorer.button('Where do they part?').click();
    await expect(part).toContainText('Means of 2 seeds, in brackets their 95 % intervals');
    await expect(part.getByRole('row', { name: /^Transactions per second .* to / })).toBeVisible();
    await explorer.button('Close').click();
  });

  const result = await page.evaluate(() => JSON.stringify(window.latchscope.state().result));
  const link = new URL(page.url()).hash;

  await test.step('the link rebuilds the tree elsewhere, and its branch is the same to the byte', async () => {
    await page.goto('about:blank');
    await explorer.open(link);
    const rebuilt = await page.evaluate(() => window.latchscope.courses());
    expect(rebuilt.map(({ name, parent, at_s }) => ({ name, parent, at_s }))).toEqual([
      { name: 'first course', parent: null, at_s: 0 },
      { name: 'atomic word', parent: 1, at_s: 0.010000001 },
    ]);
    await page.evaluate(() => window.latchscope.execute('forks.show.2'));
    await explorer.expectRunState('finished');
    const again = await page.evaluate(() => JSON.stringify(window.latchscope.state().result));
    expect(again).toBe(result);
    await explorer.button('Draw “first course” behind').click();
    await expect(behind.getByRole('listitem')).toContainText('MySQL 5.6 (the bug)');
  });

  await test.step('all branches run at the same time as the shown one', async () => {
    await page.goto('about:blank');
    await explorer.open(link);
    await explorer.button('2 courses').click();
    await explorer.button('Carry out all').click();
    await expect(page.getByText('not carried out in this page yet')).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => window.latchscope.courses()[0]?.is_carried_out)).toBe(true);
    await explorer.button('Close').click();
  });

  await test.step('impossible requests are refused', async () => {
    const refusals = await page.evaluate(async () => {
      const errorsOf = (work: Promise<unknown>) =>
        work.then(
          () => null,
          (error: unknown) => (error as { errors: unknown }).errors,
        );
      return [
        await errorsOf(window.latchscope.renameCourse(2, ' ')),
        await errorsOf(window.latchscope.compareCourses(1, 7)),
        await errorsOf(window.latchscope.compareCourses(1, 2, { seeds: 31 })),
      ];
    });
    expect(refusals).toEqual([
      [expect.objectContaining({ field: 'name' })],
      [{ field: 'course', value: '7', allowed: '1, 2' }],
      [{ field: 'seeds', value: '31', allowed: 'an integer from 1 to 30' }],
    ]);
  });
});
