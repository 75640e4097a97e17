// The evidence column: flame graph, source with live counts, latch table. Asserted on the virtual server, where a run is the
// same everywhere.
import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';

import { expect, test, type Explorer } from './explorer';

const fil_mutex = {
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

/** Lets it run until something was counted, and stands it still. */
async function runAndPause(explorer: Explorer, ms: number): Promise<void> {
  await explorer.page.evaluate((spec) => {
    void window.latchscope.run(spec);
  }, fil_mutex);
  await explorer.virtualTimeReaches(ms);
  await explorer.page.evaluate(() => window.latchscope.pause());
  await explorer.expectRunState('paused');
}

const frame = (graph: Locator, name: string) =>
  graph.getByRole('treeitem', { name: new RegExp(`^${name}: `) });
const shareIn = (text: string | null) => Number(/([\d.]+)\s%/.exec(text ?? '')?.[1]);

test.describe('the flame graph', () => {
  test('shows where the clients of bug #69276 stand, in the whole run', async ({ explorer, page }) => {
    await explorer.open();
    const result = await explorer.run({ ...fil_mutex, duration_s: 0.03 });
    const graph = await explorer.evidence('Flame graph');
    await expect(page.getByRole('radio', { name: 'whole run' })).toBeChecked();
    const standing = frame(graph, 'fil_space_get_version').first();
    await expect(standing).toBeVisible();
    // Its callers are those of a client.
    await standing.click();
    await expect(frame(graph, 'handle_one_connection')).toHaveAttribute('aria-level', '2');
    await expect(frame(graph, 'buf_read_page')).toBeVisible();
    // As many samples as the run result says of the stacks through the frame that was clicked.
    const stacks = result.stacks.filter(({ frames }) => frames.includes('fil_space_get_version'));
    expect(stacks.length).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'All frames' }).click();
    await explorer.write(page.getByRole('searchbox', { name: 'Find functions' }), 'fil_space_get_version');
    const of_clients = result.stacks.filter(({ frames }) => frames[0] === 'handle_one_connection');
    const sum = (of: typeof stacks) => of.reduce((total, { samples }) => total + samples, 0);
    const share = (100 * sum(stacks)) / sum(of_clients);
    expect(shareIn(await graph.locator('.flame-matched').textContent())).toBeCloseTo(share, 1);
  });

  test('is walked, zoomed and searched by keyboard', async ({ explorer, page }) => {
    await explorer.open();
    await runAndPause(explorer, 20);
    const graph = await explorer.evidence('Flame graph');
    const focused = graph.locator('[role=treeitem]:focus');
    await graph.getByRole('treeitem', { name: /^clients: / }).focus();
    await page.keyboard.press('ArrowDown');
    await expect(focused).toHaveAccessibleName(/^handle_one_connection: /);
    const functionInFocus = async () => (await focused.getAttribute('aria-label'))!.split(':')[0];
    while ((await functionInFocus()) !== 'buf_read_page') {
      const level = Number(await focused.getAttribute('aria-level'));
      await page.keyboard.press('ArrowDown');
      await expect(focused).toHaveAttribute('aria-level', String(level + 1));
    }
    const width = async (locator: Locator) => (await locator.boundingBox())!.width;
    const all = await width(graph.getByRole('tree'));
    expect(await width(focused)).toBeLessThan(0.95 * all);
    await page.keyboard.press('Enter');
    const zoom = graph.getByRole('navigation', { name: 'Zoom' });
    await expect(zoom).toContainText('buf_read_page');
    await expect(focused).toHaveAccessibleName(/^buf_read_page: /);
    expect(await width(focused)).toBeCloseTo(all, 0);
    await page.keyboard.press('ArrowUp');
    await expect(focused).toHaveAccessibleName(/^buf_page_get_gen: /);
    await page.keyboard.press('Escape');
    await expect(zoom).toHaveCount(0);
    await expect(focused).toHaveAccessibleName(/^buf_page_get_gen: /);
    await explorer.write(page.getByRole('searchbox', { name: 'Find functions' }), 'handle_one');
    // A look may find a client before it has entered its first function.
    expect(shareIn(await graph.locator('.flame-matched').textContent())).toBeGreaterThan(99);
    await explorer.write(page.getByRole('searchbox', { name: 'Find functions' }), 'no such function');
    expect(shareIn(await graph.locator('.flame-matched').textContent())).toBe(0);
    await explorer.stop();
  });

  test('shows clients and server threads apart', async ({ explorer, page }) => {
    await explorer.open();
    await runAndPause(explorer, 20);
    const graph = await explorer.evidence('Flame graph');
    await expect(frame(graph, 'handle_one_connection')).toHaveCount(1);
    await page.getByRole('checkbox', { name: 'server threads' }).check();
    await page.getByRole('checkbox', { name: 'clients' }).uncheck();
    await expect(frame(graph, 'server threads')).toHaveAttribute('aria-level', '1');
    await expect(frame(graph, 'handle_one_connection')).toHaveCount(0);
    await expect(graph.getByRole('treeitem')).not.toHaveCount(1);
    await page.getByRole('checkbox', { name: 'server threads' }).uncheck();
    await expect(graph).toContainText('No such thread was seen.');
    await explorer.stop();
  });
});

const pane = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
const lineWith = (of: Locator, text: string) => of.getByRole('listitem').filter({ hasText: text });

/** What the latch table says of a function that takes a latch. */
async function figuresInTable(explorer: Explorer, function_name: string) {
  const table = await explorer.evidence('Latches');
  const headers = await table.getByRole('columnheader').allInnerTexts();
  const cells = await table.getByRole('row', { name: function_name }).getByRole('cell').allInnerTexts();
  // The name of a row is a header, not a cell.
  const cell = (title: string) => cells[headers.indexOf(title) - 1]!;
  return { per_second: cell('per second'), contended: cell('contended') };
}

test.describe('the source', () => {
  test('has beside the line that takes a latch what the latch table says', async ({ explorer, page }) => {
    await explorer.open();
    await runAndPause(explorer, 20);
    const original = pane(page, 'One global mutex, six times a read');
    // Until the last reading before the pause is shown.
    await expect(async () => {
      const { per_second, contended } = await figuresInTable(explorer, 'fil_space_get_version');
      expect(Number(per_second.replaceAll(',', ''))).toBeGreaterThan(0);
      await explorer.evidence('Source');
      const line = await lineWith(original, SITE_LINE).innerText();
      expect(line).toContain('fil_system->mutex');
      expect(line).toContain(`${per_second}/s, ${contended} contended`);
    }).toPass();
    await expect(original).toContainText('running now');
    await expect(pane(page, 'One atomic word per tablespace')).toContainText('not running now');
    await explorer.stop();
  });

  test('stands side by side after a knob was flipped, and has totals when the run is over', async ({
    explorer,
    page,
  }) => {
    await explorer.open();
    await runAndPause(explorer, 10);
    await explorer.evidence('Source');
    await explorer.button('Wide').click();
    await explorer.variant('68 shards by tablespace number').check();
    const flipped = pane(page, '68 shards by tablespace number');
    const original = pane(page, 'One global mutex, six times a read');
    await expect(flipped.locator('.source-standing')).toHaveText('running now');
    await expect(original.locator('.source-standing')).toHaveText('not running now');
    await expect(lineWith(original, SITE_LINE)).not.toContainText('/s');
    const [left, right] = [(await flipped.boundingBox())!, (await original.boundingBox())!];
    expect(right.x).toBeGreaterThan(left.x + left.width - 1);
    expect(Math.abs(right.y - left.y)).toBeLessThan(1);

    await page.evaluate(() => window.latchscope.resume());
    await explorer.virtualTimeReaches(30);
    await page.evaluate(() => window.latchscope.stop());
    await explorer.expectRunState('finished');
    const result = await page.evaluate(() => window.latchscope.state().result!);
    const site = result.latches.find(({ site: taken_in }) => taken_in === 'fil_space_get_version')!;
    await expect(lineWith(original, SITE_LINE)).toContainText(
      `${site.acquisitions.toLocaleString('en')} times`,
    );
    await expect(pane(page, '68 shards by tablespace number')).toContainText('has run');
  });

  test('is there for each variant of each knob of each bug', async ({ explorer, page }) => {
    await explorer.open();
    const ids = await page.evaluate(() =>
      window.latchscope.commands
        .filter((id) => id.startsWith('scenario.'))
        .map((id) => id.slice('scenario.'.length)),
    );
    expect(ids).toHaveLength(5);
    for (const id of ids) {
      await page.evaluate((scenario) => window.latchscope.openScenario(scenario), id);
      await page.evaluate(() => window.latchscope.execute('evidence.source'));
      const { manifest } = await page.evaluate(() => window.latchscope.scenario());
      for (const knob of manifest.knobs) {
        await page.getByRole('combobox', { name: 'Knob' }).selectOption(knob.id);
        for (const variant of knob.variants) {
          await page.evaluate(([of, to]) => window.latchscope.setKnob(of!, to!), [knob.id, variant.id]);
          const shown = pane(page, variant.title);
          await expect(shown.locator('.source-standing')).toHaveText('in the design');
          expect(await shown.getByRole('listitem').count(), variant.id).toBeGreaterThan(3);
        }
      }
    }
  });
});

test('latches are sorted by column, by keyboard too', async ({ explorer, page }) => {
  await explorer.open();
  await runAndPause(explorer, 20);
  const table = await explorer.evidence('Latches');
  const header = table.getByRole('columnheader', { name: 'per second' });
  const rates = async () => {
    const index = (await table.getByRole('columnheader').allInnerTexts()).indexOf('per second');
    const texts = await table.locator(`.latch-row > :nth-child(${index + 1})`).allInnerTexts();
    return texts.map((text) => Number(text.replaceAll(',', '')));
  };
  const latches = () => table.locator('.latch-row > :first-child').allInnerTexts();
  const in_engine_order = await latches();
  await header.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(header).toHaveAttribute('aria-sort', 'descending');
  const falling = await rates();
  expect(falling.length).toBeGreaterThan(1);
  expect(falling).toEqual(falling.toSorted((a, b) => b - a));
  await page.keyboard.press('Enter');
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
  const rising = await rates();
  expect(rising).toEqual(rising.toSorted((a, b) => a - b));
  await page.keyboard.press('Enter');
  await expect(header).toHaveAttribute('aria-sort', 'none');
  expect(await latches()).toEqual(in_engine_order);
  await expect(table).toContainText(/held by (nobody|client \d+ in|\d+: client)/);
  await explorer.stop();
});

test('every form of evidence can be reached on a phone; contrasts in the dark are high enough', async ({
  explorer,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await explorer.open();
  await runAndPause(explorer, 10);
  const own = ['Flame graph', 'Source', 'Latches', 'Reported'];
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    const title = await tab.innerText();
    await expect(page.getByRole('tabpanel', { name: title })).toBeVisible();
    expect(await explorer.beyondRightEdge(), title).toBe(0);
    if (!own.includes(title)) continue;
    const axe = new AxeBuilder({ page }).withRules(['color-contrast']).include('.evidence-panel');
    const { violations } = await axe.analyze();
    expect(
      violations.flatMap(({ nodes }) => nodes.map(({ target }) => String(target))),
      title,
    ).toEqual([]);
  }
  await explorer.stop();
});
