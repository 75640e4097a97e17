// Tests the latch lab: checking, measuring, exercises and links.
import { brokenRules } from './axe';
import { expect, test } from './explorer';
import { expectToFit, PHONE_PX } from './layout';

const lab = (latch: string) => `#v=1&view=lab&scenario=fil-mutex-69276&lab.latch=${latch}`;

test(
  'a latch is found wrong, stepped through and fixed, with only the keyboard',
  { tag: '@firefox' },
  async ({ page }) => {
    await page.goto('/');
    await page.getByRole('link', { name: /^Latch lab/ }).focus();
    await page.keyboard.press('Enter');
    const choice = page.getByRole('combobox', { name: 'Start from' });
    await choice.focus();
    await page.keyboard.type('test-then-set');
    await expect(choice).toHaveValue('wrong/test-then-set');
    const editor = page.getByRole('textbox', { name: 'Latch source' });
    const check = page.getByRole('button', { name: 'Check correctness' });
    const goToLine = async (line: number) => {
      await editor.focus();
      await page.keyboard.press('ControlOrMeta+Home');
      for (let i = 1; i < line; ++i) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('End');
    };

    await test.step('a source that does not compile is refused, with the line', async () => {
      const fault = ' locked = 2;';
      await goToLine(6);
      await page.keyboard.type(fault);
      await check.focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alert')).toContainText('Line 6: locked is a word');
      await editor.focus();
      for (let typed = fault.length; typed > 0; typed -= 1) await page.keyboard.press('Backspace');
    });

    await test.step('two threads get in: each step shows its line, backwards and forwards', async () => {
      await check.focus();
      await page.keyboard.press('Enter');
      await expect(page.getByText('Two threads hold it')).toBeVisible();
      const steps = page.getByRole('slider', { name: 'Step' });
      const walk = page.getByRole('region', { name: 'Fault, step by step' });
      const holders = walk.getByRole('list', { name: 'Holders' }).getByRole('listitem');
      await expect(steps).toHaveAttribute('aria-valuenow', '1');
      await expect(steps).toHaveAttribute('aria-valuetext', /^Step 1: thread [12], locked reads 0\. /);
      await expect(walk.getByText('writes 1')).toHaveCount(2);
      await steps.focus();
      await page.keyboard.press('Home');
      await expect(steps).toHaveAttribute('aria-valuenow', '0');
      await page.keyboard.press('ArrowRight');
      await expect(walk.getByRole('status')).toHaveText(/^Thread [12], line 5: load locked: finds 0\.$/);
      await expect(page.locator('[data-step]')).toContainText('load(locked)');
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowLeft');
      await expect(holders).toHaveCount(1);
      await page.keyboard.press(']');
      await expect(holders).toHaveText(['thread 1', 'thread 2']);
    });

    await test.step('after the fix no fault is found, and the page lists what was checked', async () => {
      await goToLine(6);
      await page.keyboard.press('Shift+Home');
      await page.keyboard.press('Backspace');
      await page.keyboard.type('while (exchange(locked, 1) != 0) pause();');
      await expect(page.getByRole('status', { name: 'Verdict' })).toContainText('Not checked');
      await expect(page.getByRole('region', { name: 'Fault, step by step' })).toBeHidden();
      await check.focus();
      await page.keyboard.press('Enter');
      await expect(page.getByText('No fault found', { exact: true })).toBeVisible();
      await expect(
        page.getByText(/^Every schedule of 3 threads, 2 rounds, without store buffers/),
      ).toBeVisible();
    });
  },
);

test(
  'an exercise is read, failed, solved and remembered, with only the keyboard',
  { tag: '@firefox' },
  async ({ page }) => {
    await page.goto('/#v=1&view=lab&scenario=fil-mutex-69276&lab.exercise=08-lost-wake-up');
    const exercise = page.getByRole('region', { name: /^Exercise 8: / });
    const isSolved = page.getByRole('status', { name: 'Solution state' });
    const judge = page.getByRole('button', { name: 'Check solution' });
    await judge.focus();
    await page.keyboard.press('Enter');
    await expect(isSolved).toHaveText('Not solved yet.');
    await expect(exercise.getByText('Not met:')).toBeVisible();
    await page.getByRole('button', { name: 'Hint 1 of 2' }).focus();
    await page.keyboard.press('Enter');
    await expect(exercise).toContainText('A thread that is woken looks at the word.');

    const editor = page.getByRole('textbox', { name: 'Latch source' });
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    const lineOfWake = 9;
    for (let line = 1; line < lineOfWake; line += 1) await page.keyboard.press('ArrowDown');
    // Swaps the line with the next one.
    await page.keyboard.press('Alt+ArrowDown');
    await judge.focus();
    await page.keyboard.press('Enter');
    await expect(isSolved).toHaveText('Solved. Exercises: 1 of 13 solved.');
    await expect(exercise).toContainText('First change the state, then wake.');

    await test.step('the next exercise has the focus, then its title, and the path its place', async () => {
      await expect(page.getByRole('button', { name: 'Next exercise' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: /^Exercise 9: / })).toBeFocused();
      await expect(page).toHaveURL(/lab\.exercise=09-three-states/);
      const path = page.getByRole('list', { name: 'Path' });
      const ninth = path.getByRole('button', { name: /^9/ });
      await expect(ninth).toHaveAttribute('aria-current', 'step');
      await ninth.focus();
      await page.keyboard.press('ArrowLeft');
      await expect(path.getByRole('button', { name: /^8.*, solved$/ })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: /^Exercise 8: / })).toBeFocused();
    });

    await page.reload();
    await expect(page.getByRole('region', { name: 'Exercises' })).toContainText('1 of 13 solved');
    await expect(page.getByRole('region', { name: /^Exercise 8: / })).toContainText('solved');
    await expect(page.getByRole('option', { name: /^8\. .* ✓$/ })).toBeAttached();
  },
);

test('a script checks and measures, with the same figures as the command line', async ({ page }) => {
  await page.goto(`/${lab('ticket')}`);
  const { verdict, measured, refused } = await page.evaluate(async () => {
    const { lab: latchLab } = window.latchscope;
    const checked = await latchLab.check(undefined, { schedules: 100 });
    const { latches } = await latchLab.measure(undefined, { threads: '1,8' });
    const errors = await latchLab
      .check('word locked;', { threads: 9 })
      .catch((error: unknown) => (error as { errors: unknown[] }).errors.length);
    return { verdict: checked.verdict, measured: latches, refused: errors };
  });
  expect(verdict).toBe('no_fault_found');
  expect(measured.map(({ latch }) => latch)).toEqual([
    null,
    'test-and-set',
    'ticket',
    'mcs',
    'futex-drepper',
  ]);
  expect(measured[0]!.contests).toEqual(measured[2]!.contests);
  expect(measured[0]!.contests.map(({ threads, verdict: found }) => `${threads} ${found}`)).toEqual([
    '1 sound',
    '8 sound',
  ]);
  expect(refused).toBeGreaterThan(0);
  await expect(page.getByRole('img', { name: /^acquisitions per s by threads, for yours/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Line costs, table' })).toContainText('fetch_add');
});

test('at most four reference latches are compared, and published claims about them are shown', async ({
  page,
}) => {
  await page.goto(`/${lab('ticket')}`);
  const beside = page.getByRole('group', { name: /^Compare with/ });
  await expect(beside.getByRole('checkbox', { name: 'clh' })).toBeDisabled();
  await beside.getByRole('checkbox', { name: 'futex-drepper' }).uncheck();
  await beside.getByRole('checkbox', { name: 'clh' }).check();
  await page.evaluate(() => window.latchscope.lab.measure(undefined, { threads: '1,2' }));
  await expect(page.getByRole('img', { name: /for yours, test-and-set, ticket, mcs, clh$/ })).toBeVisible();
  await page.getByText('Published results').click();
  await expect(page.getByRole('list', { name: 'clh' })).toContainText('He, Scherer and Scott 2005');
  await expect(page.getByRole('list', { name: 'mcs' })).toContainText('Holds here.');
});

test('every wrong latch is found in the browser', async ({ page }) => {
  await page.goto(`/${lab('mcs')}`);
  const choice = page.getByRole('combobox', { name: 'Start from' });
  await expect(choice).toBeVisible();
  const wrong = await choice
    .locator('optgroup[label^="Wrong"] option')
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(wrong.length).toBeGreaterThanOrEqual(12);
  for (const latch of wrong) {
    await choice.selectOption(latch);
    await page.getByRole('button', { name: 'Check correctness' }).click();
    await expect(page.getByRole('slider', { name: 'Step' }), latch).toBeVisible();
  }
});

test('a latch that never terminates costs only its worker', async ({ page }) => {
  await page.goto(`/${lab('bakery')}`);
  await page.evaluate(() => {
    void window.latchscope.lab.check(undefined, { states: 50_000_000, threads: 4 }).catch(() => undefined);
  });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeHidden();
  await page.getByRole('combobox', { name: 'Start from' }).selectOption('wrong/abba');
  await page.getByRole('button', { name: 'Check correctness' }).click();
  await expect(page.getByText('Does not terminate')).toBeVisible();
});

test('a link contains the reader’s source', async ({ page }) => {
  await page.goto(`/${lab('wrong/ticket-torn')}`);
  await page.evaluate(() => window.latchscope.lab.check('word a;\nvoid enter() { }\nvoid exit() { }\n'));
  await expect.poll(() => new URL(page.url()).hash).toContain('lab.source=word%20a%3B');
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await expect(page.getByRole('textbox', { name: 'Latch source' })).toContainText('word a;');
});

test('the path, the steps and their values fit into each window, and the steps come into sight', async ({
  page,
}) => {
  await page.goto(`/${lab('wrong/dekker-without-fence')}`);
  await page.getByRole('button', { name: 'Check correctness' }).click();
  const walk = page.getByRole('region', { name: 'Fault, step by step' });
  await expect(walk.getByText('in its buffer').first()).toBeInViewport();
  await expectToFit(page, [PHONE_PX, 1440, 1920]);
});

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the lab, ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(`/${lab('wrong/dekker-without-fence')}`);
    await page.getByRole('button', { name: 'Check correctness' }).click();
    await expect(page.getByRole('slider', { name: 'Step' })).toBeVisible();
    await page.evaluate(() => window.latchscope.lab.measure(undefined, { threads: '1,2' }));
    expect(await brokenRules(page)).toEqual([]);
  });
}
