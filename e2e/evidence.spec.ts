// The evidence column shows one run in all its forms. The run is on the virtual server, so it is
// always the same.
import type { Locator, Page } from '@playwright/test';

import { expect, test, type Explorer } from './explorer';

const filMutex = {
  version: 1,
  scenario: 'fil-mutex-69276',
  platform: 'virtual',
  threads: 32,
  interval_s: 0.005,
  parameters: {
    tables: 4,
    rows_per_table: 100_000,
    buffer_pool_mib: 40,
    buffer_pool_instances: 8,
    client_gap_us: 0,
  },
};
const SITE_LINE = 'MutexGuard guard(shard().mutex, kGetVersion);';

/** Runs until something was counted, then pauses. */
async function runAndPause(explorer: Explorer, ms: number): Promise<void> {
  await explorer.page.evaluate((spec) => {
    void window.latchscope.run(spec);
  }, filMutex);
  await explorer.virtualTimeReaches(ms);
  await explorer.page.evaluate(() => window.latchscope.pause());
  await explorer.expectRunState('paused');
}

const pane = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
const lineWith = (of: Locator, text: string) => of.getByRole('listitem').filter({ hasText: text });

/** Returns the latch table's counts for a function that acquires a latch. */
async function figuresInTable(explorer: Explorer, functionName: string) {
  const table = await explorer.evidence('Latches');
  const headers = await table.getByRole('columnheader').allInnerTexts();
  // Matches only the row header: the row of a latch whose holder is in that function contains the
  // name too.
  const header = explorer.page.getByRole('rowheader', { name: functionName, exact: true });
  const row = table.getByRole('row').filter({ has: header });
  const cells = await row.getByRole('cell').allInnerTexts();
  // The name of a row is a header, not a cell.
  const cell = (title: string) => cells[headers.indexOf(title) - 1]!;
  return { perSecond: cell('per second'), contended: cell('contended') };
}

/**
 * Returns the widest box. Others may be too narrow to click, because sample counts depend on when
 * the run was paused.
 */
async function widest(boxes: Locator): Promise<Locator> {
  const all = await boxes.all();
  const widths = await Promise.all(all.map(async (box) => (await box.boundingBox())?.width ?? 0));
  return all[widths.indexOf(Math.max(...widths))]!;
}

test('the flame graph, the source and the latch table agree, before and after a knob change', async ({
  explorer,
  page,
}) => {
  await explorer.open();
  await runAndPause(explorer, 20);
  const original = pane(page, 'One global mutex, six times a read');
  // Wait until the page shows the last reading before the pause.
  await expect(async () => {
    const { perSecond, contended } = await figuresInTable(explorer, 'fil_space_get_version');
    expect(Number(perSecond.replaceAll(',', ''))).toBeGreaterThan(0);
    await explorer.evidence('Source');
    const line = await lineWith(original, SITE_LINE).innerText();
    expect(line).toContain('fil_system->mutex');
    expect(line).toContain(`${perSecond}/s, ${contended} contended`);
  }).toPass();
  const table = await explorer.evidence('Latches');
  await expect(table).toContainText(/held by (no one|client \d+ in|\d+: client)/);

  await explorer.evidence('Source');
  await explorer.button('Wide').click();
  await explorer.variant('68 shards by tablespace number').check();
  const flipped = pane(page, '68 shards by tablespace number');
  await expect(flipped.locator('.source-standing')).toHaveText('running now');
  const [left, right] = [(await flipped.boundingBox())!, (await original.boundingBox())!];
  expect(right.x).toBeGreaterThan(left.x + left.width - 1);
  expect(Math.abs(right.y - left.y)).toBeLessThan(1);
  await page.evaluate(() => window.latchscope.resume());
  await explorer.virtualTimeReaches(30);
  await page.evaluate(() => window.latchscope.stop());
  await explorer.expectRunState('finished');
  const result = await page.evaluate(() => window.latchscope.state().result!);
  const site = result.latches.find(({ site: takenIn }) => takenIn === 'fil_space_get_version')!;
  await expect(lineWith(original, SITE_LINE)).toContainText(
    `${site.acquisitions.toLocaleString('en')} times`,
  );

  const graph = await explorer.evidence('Flame graph');
  const stacks = result.stacks.filter(({ frames }) => frames.includes('fil_space_get_version'));
  const ofClients = result.stacks.filter(({ frames }) => frames[0] === 'handle_one_connection');
  const sum = (of: typeof stacks) => of.reduce((total, { samples }) => total + samples, 0);
  expect(sum(stacks)).toBeGreaterThan(0);
  await explorer.write(page.getByRole('searchbox', { name: 'Find functions' }), 'fil_space_get_version');
  await expect(graph.locator('.flame-matched')).toContainText(/[\d.]+\s%/);
  const matched = /([\d.]+)\s%/.exec((await graph.locator('.flame-matched').textContent())!)![1];
  expect(Number(matched)).toBeCloseTo((100 * sum(stacks)) / sum(ofClients), 1);
  await (await widest(graph.getByRole('treeitem', { name: /^fil_space_get_version: / }))).click();
  await expect(graph.getByRole('treeitem', { name: /^handle_one_connection: / })).toHaveAttribute(
    'aria-level',
    '2',
  );
});
