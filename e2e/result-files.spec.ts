// Tests the largest result files that the page opens, and files beyond the limits.
import type { Page } from '@playwright/test';

import { result_limits } from '../web/contract/run-result-limits';
import type { RunResult } from '../web/contract/run-result';
import { expect, test } from './explorer';

const LINK = '#v=1&scenario=undo-read-117533&platform=virtual';
const spec = {
  version: 1,
  scenario: 'undo-read-117533',
  platform: 'virtual',
  threads: 4,
  duration_s: 0.004,
  interval_s: 0.002,
};
const MIB = 2 ** 20;

const times = <Item>(count: number, item: (i: number) => Item) =>
  Array.from({ length: count }, (_, i) => item(i));
const text = (begin: string, i: number, characters: number) => `${begin} ${i} `.padEnd(characters, 'x');

/** Returns a file that reaches every size limit at once. */
function largestResult(result: RunResult): string {
  const { name_characters: ofName, text_characters: ofText } = result_limits;
  const [interval] = result.intervals;
  const [latch] = result.latches;
  const moreCounters: [string, number][] = times(
    result_limits.counters - Object.keys(result.counters).length,
    (i) => [text('counter', i, ofName), i],
  );
  const largest = {
    ...result,
    intervals: times(result_limits.intervals, (i) => ({
      ...interval!,
      t_s: (i + 1) / 10,
      tps: 1000 + (i % 7),
    })),
    totals: { ...result.totals, seconds: result_limits.intervals / 10 },
    counters: { ...result.counters, ...Object.fromEntries(moreCounters) },
    latches: times(result_limits.latches, (i) => ({
      ...latch!,
      latch: text('latch', i, ofName),
      site: text('site', i, ofName),
    })),
    stacks: times(result_limits.stacks, (i) => ({
      frames: times(result_limits.frames, (depth) => text('frame', depth === 0 ? 0 : i, ofName)),
      samples: 1000 + i,
    })),
    log: times(result_limits.log, (i) => text('line', i, ofText)),
    invariants: times(result_limits.invariants, (i) => ({
      name: text('invariant', i, 100),
      ok: true,
      detail: '',
    })),
    sysbench: {
      header: times(result_limits.sysbench_lines, (i) => text('header', i, ofText)),
      report: times(result_limits.sysbench_lines, (i) => text('report', i, ofText)),
    },
  };
  const empty = JSON.stringify({ ...largest, later: '' });
  return JSON.stringify({ ...largest, later: 'x'.repeat(32 * MIB - empty.length) });
}

const refusal = (page: Page, content: string) =>
  page.evaluate(
    (given) =>
      window.latchscope.openResult(given).then(
        () => null,
        (error: unknown) => (error as { errors: unknown }).errors,
      ),
    content,
  );

test('a result at every limit opens in all evidence and the page can still run; a result beyond a limit is refused', async ({
  explorer,
  page,
}) => {
  await explorer.open(LINK);
  const result = await explorer.run(spec);
  expect(await refusal(page, largestResult(result))).toBeNull();
  await expect((await explorer.wholeRun()).locator('summary')).toHaveText('All 10,000 invariants hold');
  await expect((await explorer.evidence('Latches')).getByText('latch 499')).toBeVisible();
  await expect((await explorer.evidence('Server log')).getByText('5,000 lines omitted')).toBeVisible();
  const sysbench = await explorer.evidence('sysbench');
  await expect(sysbench.getByText('the last 600')).toBeVisible();
  await expect(sysbench).toContainText('report 99');
  await expect(
    (await explorer.evidence('Flame graph')).getByText(/narrower frames are hidden/),
  ).toBeVisible();
  const { history_rows } = await explorer.snapshot();
  expect(history_rows).toBe(2 * result_limits.intervals);
  expect((await explorer.run(spec)).totals).toEqual(result.totals);
  const beyond = JSON.stringify({ ...result, latches: times(20_000, () => result.latches[0]) });
  expect(await refusal(page, beyond)).toEqual([
    { field: 'latches', value: '20,000 entries', allowed: 'up to 500' },
  ]);
  expect(await refusal(page, '['.repeat(100_000))).toMatchObject([
    { field: 'file', value: '100,000 lists and objects within each other' },
  ]);
});
