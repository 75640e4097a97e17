// The code between the two markers is the example of docs/guide/automation.md, verbatim.
// tools/docs.test.mjs compares them.
// --- example
import { expect, test } from '@playwright/test';

// The types of window.latchscope, for work within the project. Leave this line out elsewhere.
import type {} from '../web/shell/automation';

test('on the virtual server the UPDATE costs the readers nearly all of their throughput', async ({
  page,
}) => {
  await page.goto('/#v=1&scenario=undo-read-117533&platform=virtual');
  await page.evaluate(() => window.latchscope.ready);

  // A complete run: the UPDATE at 20 virtual ms, the fix at 60. Every run of a spec is the same.
  const result = await page.evaluate(() =>
    window.latchscope.run({
      version: 1,
      scenario: 'undo-read-117533',
      platform: 'virtual',
      threads: 32,
      duration_s: 0.1,
      interval_s: 0.01,
      parameters: { rows: 1000 },
      actions: [
        { at_s: 0.02, action: 'update_k' },
        { at_s: 0.06, knob: 'undo_page_size_lookup', variant: 'cached' },
      ],
    }),
  );

  const tpsBetween = (fromS: number, toS: number) => {
    const within = result.intervals.filter(({ t_s }) => t_s > fromS + 0.001 && t_s < toS + 0.001);
    return within.reduce((sum, { tps }) => sum + tps, 0) / within.length;
  };
  expect(tpsBetween(0.03, 0.06) / tpsBetween(0, 0.02)).toBeLessThan(0.05);
  expect(result.counters.rows_wrong).toBe(0);
  expect(result.invariants.filter(({ ok }) => !ok)).toEqual([]);
});

test('a knob is changed while the clients run on this machine', async ({ page }) => {
  await page.goto('/#v=1&scenario=fil-mutex-69276&platform=threads&threads=4');
  await page.evaluate(() => window.latchscope.ready);

  // Every button is also a command. This run continues until it is stopped.
  await page.evaluate(() => window.latchscope.execute('run.start'));
  await page.waitForFunction(() => (window.latchscope.snapshot().live?.transactions_per_s ?? 0) > 0);
  await page.evaluate(() => window.latchscope.fire('one_table'));
  await page.evaluate(() => window.latchscope.setKnob('tablespace_lookup', 'atomic_word'));

  // Wait for a state of the page, never for time to pass.
  await page.waitForFunction(() => window.latchscope.snapshot().marks.length === 2);
  await page.evaluate(() => window.latchscope.stop());
  await page.waitForFunction(() => window.latchscope.state().result !== null);

  const { spec, result } = await page.evaluate(() => window.latchscope.state());
  expect(spec?.platform).toBe('threads');
  expect(result?.counters.rows_verified).toBeGreaterThan(0);
  expect(result?.invariants.filter(({ ok }) => !ok)).toEqual([]);
});

test('your own latch replaces InnoDB’s in #69276', async ({ page }) => {
  await page.goto('/#v=1&scenario=fil-mutex-69276&platform=virtual');
  await page.evaluate(() => window.latchscope.ready);
  const source = `word next = 0;
word serving = 0;
void enter() { uint mine = fetch_add(next, 1); while (load(serving) != mine) pause(); }
void exit() { store(serving, load(serving) + 1); }
`;

  // Compiles the source to a program for the run spec. The variant `yours` uses it.
  const result = await page.evaluate(async (text) => {
    const { lab, run } = window.latchscope;
    return run({
      version: 1,
      scenario: 'fil-mutex-69276',
      platform: 'virtual',
      duration_s: 0.02,
      latch: { source: text, program: await lab.compile(text) },
      actions: [{ at_s: 0.01, knob: 'tablespace_lookup', variant: 'yours' }],
    });
  }, source);

  // The engine stops a latch that lets two threads in or none, and an invariant then fails.
  expect(result.invariants.filter(({ ok }) => !ok)).toEqual([]);
  expect(result.counters.rows_wrong).toBe(0);
});

test('an error in a spec names the field, the value and what is allowed', async ({ page }) => {
  await page.goto('/#v=1&scenario=fil-mutex-69276&platform=virtual');
  await page.evaluate(() => window.latchscope.ready);
  const errors = await page.evaluate(() =>
    window.latchscope.run({ version: 1, scenario: 'fil-mutex-69276', platform: 'virtual', threads: 0 }).then(
      () => [],
      (error: unknown) => (error as { errors: { field: string; value: string; allowed: string }[] }).errors,
    ),
  );
  expect(errors).toEqual([{ field: 'threads', value: '0', allowed: 'an integer from 1 to 1024' }]);
});
// --- end of example
