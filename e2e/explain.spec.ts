// Explaining a slow transaction: the page must show the parts of its latency as the engine computes
// them.
import { join } from 'node:path';

import { csvParse } from 'd3-dsv';

import { explainInNode } from '../tools/wasm-engine.mjs';
import type { Explanation } from '../web/contract/explanation';
import { brokenRules } from './axe';
import { expect, SCENARIO, SMALL, test, type Explorer } from './explorer';

const ENGINE = join(import.meta.dirname, '../web/engine-client/gen');
const FLIP = 'at=0.01:tablespace_lookup:atomic_word';
const LINK = `#v=1&scenario=${SCENARIO}&platform=virtual&threads=16&seed=5&duration_s=0.02&interval_s=0.01&${FLIP}${SMALL}`;

const sumOf = (parts: readonly { ps: number }[]) => parts.reduce((sum, { ps }) => sum + ps, 0);

/** Parses picoseconds from the page's notation, such as "171.392000 µs". */
const picoseconds = (text: string) => Math.round(Number(text.replaceAll(',', '')) * 1e6);

async function runToItsEnd(explorer: Explorer): Promise<void> {
  await explorer.open(LINK);
  await explorer.button('Run').click();
  await explorer.expectRunState('finished');
}

test(
  'the slowest transaction is explained: parts that sum to its latency, a path in the lanes, JSON, and blame',
  { tag: '@chromium' },
  async ({ explorer, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const notices = { JSON: 'Explanation as JSON', text: 'Explanation', CSV: 'Explanation as CSV' };
    const copied = async (format: keyof typeof notices) => {
      await explorer.button(`Copy ${format}`).click();
      const notice = page.getByRole('status').filter({ hasText: new RegExp(`^${notices[format]}: copied$`) });
      await expect(notice).toBeVisible();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    await runToItsEnd(explorer);
    const lanes = page.getByRole('application', { name: /^Thread states/ });
    const words = explorer.panel('Thread lanes').getByRole('status');
    const lanesBefore = await lanes.screenshot();

    await explorer.evidence('Chain');
    await explorer.button('Slowest in charts').press('Enter');
    const outcome = explorer.panel('Slowest transaction of the run');
    const sum = outcome.getByText(/parts sum to/);
    await expect(sum).toHaveText(/^[\d,]+ parts sum to [\d,.]+ µs: the latency, to the picosecond\.$/);
    const [, parts, latency] = /^([\d,]+) parts sum to ([\d,.]+) µs/.exec(await sum.innerText())!;
    const times = await outcome.getByRole('row').locator('td:last-child').allInnerTexts();
    expect(times.reduce((allPs, text) => allPs + picoseconds(text.replace(' µs', '')), 0)).toBe(
      picoseconds(latency!),
    );

    const json = await copied('JSON');
    const { transaction, spec } = JSON.parse(json) as Explanation;
    expect(transaction.parts).toHaveLength(Number(parts!.replaceAll(',', '')));
    expect(sumOf(transaction.parts)).toBe(transaction.latency_ps);
    expect(transaction.latency_ps).toBe(picoseconds(latency!));
    expect(spec).toEqual(await page.evaluate(() => window.latchscope.state().result!.spec));
    expect(spec.actions).toHaveLength(1);
    expect(json).toBe(await explainInNode(ENGINE, spec, { transaction: 'slowest', blame: false }));
    expect(await copied('text')).toMatch(/^Transaction \d+ of client \d+ took /);
    const rows = csvParse(await copied('CSV'));
    const own = rows.filter(({ depth }) => depth === '0');
    expect(sumOf(own.map(({ ps }) => ({ ps: Number(ps) })))).toBe(transaction.latency_ps);

    await explorer.button('Show in lanes').click();
    await expect(lanes).toBeFocused();
    await expect(words).toHaveText(new RegExp(`^Chain of a transaction of ${transaction.thread}:`));
    expect(await lanes.screenshot()).not.toEqual(lanesBefore);
    expect(await brokenRules(page, { part: '.evidence-panel' })).toEqual([]);

    await explorer.button('Slowest 1 %: blame').click();
    const blame = explorer.panel('Slowest 1 % of transactions of the run');
    await expect(blame.getByRole('table', { name: 'Wait time by latch' })).toContainText('fil_system->mutex');
    await expect(blame.getByRole('table', { name: 'Wait time by holder' })).toContainText(
      'holder, acquired in',
    );
    expect(await brokenRules(page, { part: '.evidence-panel' })).toEqual([]);

    await explorer.button('Close').click();
    await expect(words).not.toContainText('The chain of');
  },
);

test('a transaction selected in a lane, in the latency chart, by a tile or by a script is explained in a rewound run', async ({
  explorer,
  page,
}) => {
  await runToItsEnd(explorer);
  await page.evaluate(() => window.latchscope.goTo({ run_ns: 15_000_000 }));
  await explorer.expectRunState('paused');

  await test.step('in a lane', async () => {
    const lanes = page.getByRole('application', { name: /^Thread states/ });
    const position = { x: 300, y: 60 };
    // Tracks above the lanes appear later and would move the lanes away from the pointer.
    await expect(async () => {
      await lanes.hover({ position });
      expect(await explorer.panel('Thread lanes').getByRole('status').textContent()).toMatch(/^client \d+: /);
    }).toPass();
    await lanes.click({ position });
    await explorer.button('Explain this transaction').click();
    const outcome = explorer.panel('Transaction of client');
    await expect(outcome).toContainText('the latency, to the picosecond.');
    await expect(outcome).toContainText(/rank [\d,]+ of [\d,]+ by latency/);
  });

  await test.step('in the latency chart, by keys', async () => {
    const moment = page.getByRole('slider', { name: 'Time in Latency' });
    await moment.press('End');
    await moment.press('Enter');
    const card = explorer.panel('Latency at');
    await card.getByRole('button', { name: 'Explain the slowest' }).press('Enter');
    await expect(explorer.panel('Slowest transaction, ended from')).toContainText('slowest of');
  });

  await test.step('by the tile above the charts', async () => {
    await explorer.button('Why? Explain this latency').click();
    await expect(explorer.panel('p99 transaction')).toContainText('to the picosecond');
  });
  await explorer.expectRunState('paused');

  await test.step('by a script', async () => {
    const refused = await page.evaluate(() =>
      window.latchscope.explain({ transaction: 'nth:999999' }).then(
        () => null,
        (error: unknown) => (error as { errors: unknown }).errors,
      ),
    );
    expect(refused).toEqual([expect.objectContaining({ field: 'transaction', value: 'nth:999999' })]);
    const { transaction } = await page.evaluate(() => window.latchscope.explain({ transaction: 'p99' }));
    expect(sumOf(transaction.parts)).toBe(transaction.latency_ps);
  });

  await test.step('an explanation cancelled while in progress', async () => {
    const message = await page.evaluate(() => {
      new MutationObserver((_changes, observer) => {
        const cancel = document.querySelector<HTMLElement>('.chain-progress button');
        if (cancel === null) return;
        observer.disconnect();
        cancel.click();
      }).observe(document.body, { childList: true, subtree: true });
      return window.latchscope.explain().then(
        () => 'explained',
        (error: unknown) => (error as Error).message,
      );
    });
    expect(message).toBe('The explanation was cancelled.');
    await explorer.expectRunState('paused');
  });
});
