import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';

import { expect, test, type Explorer } from './explorer';

const SCENARIO = 'undo-read-117533';
const link = `#v=1&scenario=${SCENARIO}&platform=virtual`;
/** Throughput breaks down in its middle, when the UPDATE begins. */
const spec = {
  version: 1,
  scenario: SCENARIO,
  platform: 'virtual',
  threads: 8,
  duration_s: 0.02,
  interval_s: 0.005,
  parameters: { rows: 1000 },
  actions: [{ at_s: 0.01, action: 'update_k' }],
};
const charts = ['Throughput', 'Latency', 'Clients’ time'];

const momentIn = (page: Page, chart: string) =>
  page.getByRole('slider', { name: `Moment in ${chart}`, exact: true });
const spokenMoment = (page: Page) => page.getByRole('status', { name: 'Values at the moment' });
const toolbar = (page: Page) => page.getByRole('group', { name: 'Charts' });

/** What a chart's canvas of data shows; of its axis of values, if asked for. */
function pictureOf(explorer: Explorer, chart: string, part: 'all' | 'value axis' = 'all'): Promise<string> {
  const canvas = explorer.panel(chart).locator('canvas').first();
  return canvas.evaluate((drawn: HTMLCanvasElement, of_part) => {
    const copy = document.createElement('canvas');
    copy.width =
      of_part === 'all'
        ? drawn.width
        : Math.round(
            3.5 * parseFloat(getComputedStyle(document.documentElement).fontSize) * devicePixelRatio,
          );
    copy.height = drawn.height;
    copy.getContext('2d')!.drawImage(drawn, 0, 0);
    return copy.toDataURL();
  }, part);
}

/** Each row of the table of values by the titles of its columns. */
async function tableRows(page: Page): Promise<Record<string, string>[]> {
  const table = page.getByRole('table', { name: 'moments of the part that the charts show' });
  const titles = await table.getByRole('columnheader').allInnerTexts();
  const rows = await table
    .locator('tbody tr')
    .evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent)));
  return rows.map((cells) => Object.fromEntries(titles.map((title, i) => [title, cells[i] ?? ''])));
}

const in_us = { ns: 1e-3, µs: 1, ms: 1e3, s: 1e6 };
const toMicroseconds = (value: string, unit: string) =>
  Number(value.replaceAll(',', '')) * in_us[unit as keyof typeof in_us];

/** Latencies of the table and of the crosshair, in the same unit; NaN where they are not known. */
function latencies(row: Record<string, string>, spoken: string): { table: number[]; crosshair: number[] } {
  const names = ['max', 'p99', 'p95', 'p50'];
  const table = names.map((name) => {
    const title = Object.keys(row).find((key) => key.startsWith(`${name}, `))!;
    return toMicroseconds(row[title]!, title.split(', ')[1]!);
  });
  const crosshair = names.map((name) => {
    const [, value = '', unit = 's'] = new RegExp(`${name} ([\\d.,]+) (\\S?s)`).exec(spoken) ?? [];
    return value === '' ? Number.NaN : toMicroseconds(value, unit);
  });
  return { table, crosshair };
}

async function dragOver(page: Page, chart: Locator, from: number, to: number): Promise<void> {
  await chart.scrollIntoViewIfNeeded();
  const box = (await chart.boundingBox())!;
  const top = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, top);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, top, { steps: 3 });
  await page.mouse.up();
}

async function rangesShown(page: Page): Promise<string[]> {
  const ranges = charts.map(async (chart) => {
    const moment = momentIn(page, chart);
    return `${await moment.getAttribute('aria-valuemin')} to ${await moment.getAttribute('aria-valuemax')}`;
  });
  return [...new Set(await Promise.all(ranges))];
}

test('the crosshair goes by keyboard from row to row and tells what the table tells', async ({
  explorer,
  page,
}) => {
  await explorer.open(link);
  // So few moments that the table has them all.
  await explorer.run({ ...spec, interval_s: 0.02 });
  await page.getByText('Values as a table').click();
  const rows = await tableRows(page);
  expect(rows.length).toBeGreaterThan(5);
  await momentIn(page, 'Latency').focus();
  const steps = [
    ['Home', 0],
    ['ArrowRight', 1],
    ['ArrowRight', 2],
    ['ArrowLeft', 1],
    ['End', rows.length - 1],
    ['Shift+ArrowLeft', Math.max(0, rows.length - 11)],
  ] as const;
  for (const [key, index] of steps) {
    await page.keyboard.press(key);
    const row = rows[index]!;
    const moment = `${row['time, virtual ms']!} virtual ms`;
    await expect(spokenMoment(page), key).toContainText(
      `${moment}: transactions ${row['transactions/s']!}/s`,
    );
    await expect(spokenMoment(page)).toContainText(`running ${row['running, %']!}\u202f%`);
    const { table, crosshair } = latencies(row, await spokenMoment(page).innerText());
    // Each is rounded to three digits in its own unit.
    for (const [i, latency_us] of crosshair.entries()) {
      if (Number.isNaN(latency_us)) expect(table[i]).toBeNaN();
      else expect(latency_us / table[i]!).toBeCloseTo(1, 2);
    }
    for (const chart of charts) {
      await expect(momentIn(page, chart)).toHaveAttribute('aria-valuetext', moment);
      await expect(explorer.panel(chart).locator('.readout')).toContainText(moment);
    }
    await expect(explorer.panel('Throughput').locator('.readout')).toContainText(row['transactions/s']!);
  }
  await page.keyboard.press('Escape');
  for (const chart of charts) await expect(explorer.panel(chart).locator('.readout')).toBeHidden();
});

test('a mark can be gone to by key and pointed at, and is told in full', async ({ explorer, page }) => {
  await explorer.open(link);
  await explorer.run(spec);
  await momentIn(page, 'Throughput').focus();
  await page.keyboard.press('PageUp');
  await expect(spokenMoment(page)).toContainText('UPDATE sbtest1 SET k=k+1');
  const readout = explorer.panel('Throughput').locator('.readout');
  await expect(readout).toContainText('UPDATE sbtest1 SET k=k+1');
  await page.keyboard.press('ArrowRight');
  await expect(readout).not.toContainText('UPDATE');
  await page.keyboard.press('PageDown');
  await expect(readout).toContainText('UPDATE');
  await page.keyboard.press('Escape');

  const chart = momentIn(page, 'Throughput');
  const box = (await chart.boundingBox())!;
  // The label of the mark lies right of its line, above the plot.
  for (let part = 0.2; part < 0.9 && !(await readout.innerText()).includes('UPDATE'); part += 0.02)
    await page.mouse.move(box.x + box.width * part, box.y + 8);
  await expect(readout).toContainText('UPDATE sbtest1 SET k=k+1');
  await page.mouse.move(0, 0);
  await expect(readout).toBeHidden();
});

test(
  'a range that is dragged over is shown by all three charts, until it is given up',
  { tag: '@chromium' },
  async ({ explorer, page }) => {
    await explorer.open(link);
    await explorer.run(spec);
    const whole = await rangesShown(page);
    expect(whole).toHaveLength(1);
    const axis = await pictureOf(explorer, 'Throughput', 'value axis');
    const chart = momentIn(page, 'Latency');

    await dragOver(page, chart, 0.75, 0.95);
    await expect(toolbar(page).getByRole('status')).toContainText(/stands still: [\d.]+–[\d.]+ virtual ms/);
    await expect.poll(() => pictureOf(explorer, 'Throughput', 'value axis')).not.toBe(axis);
    await momentIn(page, 'Throughput').press('Home');
    const zoomed = await rangesShown(page);
    expect(zoomed).toHaveLength(1);
    expect(zoomed).not.toEqual(whole);

    await momentIn(page, 'Throughput').press('Escape');
    await momentIn(page, 'Throughput').press('Escape');
    await expect(toolbar(page).getByRole('status')).toHaveText('');
    await expect.poll(() => pictureOf(explorer, 'Throughput', 'value axis')).toBe(axis);

    await chart.press('End');
    await chart.press('+');
    await expect(toolbar(page).getByRole('status')).toContainText('stands still');
    await chart.press('0');
    await expect(toolbar(page).getByRole('status')).toHaveText('');

    await dragOver(page, chart, 0.5, 0.3);
    await expect(toolbar(page).getByRole('status')).toContainText('stands still');
    await chart.dblclick();
    await expect(toolbar(page).getByRole('status')).toHaveText('');

    await dragOver(page, chart, 0.3, 0.5);
    await explorer.button('Whole run').click();
    await expect(toolbar(page).getByRole('status')).toHaveText('');
  },
);

test.describe('by touch', () => {
  test.use({ hasTouch: true });

  test(
    'a tap reads values, a finger drawn across chooses a range',
    { tag: '@chromium' },
    async ({ explorer, page, context }) => {
      await explorer.open(link);
      await explorer.run(spec);
      const chart = momentIn(page, 'Latency');
      const { x, y, width, height } = (await chart.boundingBox())!;
      const at = (share: number) => ({ x: x + width * share, y: y + height / 2 });
      await page.touchscreen.tap(at(0.5).x, at(0.5).y);
      for (const title of charts) await expect(explorer.panel(title).locator('.readout')).toBeVisible();
      const touch = await context.newCDPSession(page);
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', share?: number) =>
        touch.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: share === undefined ? [] : [at(share)],
        });
      await send('touchStart', 0.3);
      for (const share of [0.35, 0.4, 0.5, 0.6]) await send('touchMove', share);
      await send('touchEnd');
      await expect(toolbar(page).getByRole('status')).toContainText('stands still');
    },
  );
});

test('frozen charts stay as they are while the run goes on', async ({ explorer, page }) => {
  await explorer.open(`${link}&threads=8&interval_s=0.005`);
  await explorer.button('Run').click();
  await explorer.virtualTimeReaches(3);
  await explorer.button('Freeze').click();
  await expect(toolbar(page).getByRole('status')).toContainText(/frozen at [\d.]+ virtual ms/);
  await expect(explorer.button('Freeze')).toHaveAttribute('aria-pressed', 'true');
  const rows = (await explorer.snapshot()).history_rows;
  // The charts are drawn in different frames, the frozen picture last.
  await page.evaluate(async () => {
    for (let frames = 0; frames < 10; frames += 1) await new Promise(requestAnimationFrame);
  });
  const frozen = await Promise.all(charts.map((chart) => pictureOf(explorer, chart)));
  const { run_ns } = (await explorer.snapshot()).model!;
  await explorer.virtualTimeReaches(run_ns / 1e6 + 2);
  expect((await explorer.snapshot()).history_rows).toBeGreaterThan(rows);
  expect(await Promise.all(charts.map((chart) => pictureOf(explorer, chart)))).toEqual(frozen);

  await explorer.button('Follow').click();
  await expect(toolbar(page).getByRole('status')).toHaveText('');
  for (const [i, chart] of charts.entries())
    await expect.poll(() => pictureOf(explorer, chart)).not.toBe(frozen[i]);
  await explorer.stop();
});

test('the run before stands behind the next one of the same bug and platform', async ({ explorer, page }) => {
  await explorer.open(link);
  const manifest = await page.evaluate(() => window.latchscope.scenario().manifest);
  await explorer.run({ ...spec, threads: 4 });
  const ghost = toolbar(page).getByRole('button', { name: /^run before:/ });
  await expect(ghost).toHaveCount(0);
  await explorer.run({ ...spec, design: manifest.designs.fixed });
  await expect(ghost).toHaveText('run before: original, 4 clients');
  await expect(ghost).toHaveAttribute('aria-pressed', 'true');
  const with_ghost = await Promise.all(charts.map((chart) => pictureOf(explorer, chart)));
  await ghost.click();
  await expect(ghost).toHaveAttribute('aria-pressed', 'false');
  for (const [i, chart] of charts.entries())
    await expect.poll(() => pictureOf(explorer, chart), chart).not.toBe(with_ghost[i]);

  await page.evaluate(() => window.latchscope.openScenario('fil-mutex-69276'));
  await expect(ghost).toHaveCount(0);
});

test('on a phone the readouts stay within their plots and nothing lies beyond the edge', async ({
  explorer,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await explorer.open(link);
  await explorer.run(spec);
  await explorer.run(spec);
  for (const key of ['Home', 'PageUp', 'End']) {
    await momentIn(page, 'Latency').press(key);
    await expect(spokenMoment(page)).toContainText('virtual ms');
    for (const chart of charts) {
      const outer = (await explorer.panel(chart).locator('.readout-room').boundingBox())!;
      const inner = (await explorer.panel(chart).locator('.readout').boundingBox())!;
      expect(inner.x, `${chart} ${key}`).toBeGreaterThanOrEqual(outer.x);
      expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
      expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height);
    }
  }
  await page.getByText('Values as a table').click();
  await expect(page.getByRole('region', { name: /moments of the part/ })).toBeVisible();
  expect(await explorer.beyondRightEdge()).toBe(0);
});

test('axe finds nothing wrong with crosshair, zoom and table, in light and dark colours', async ({
  explorer,
  page,
}) => {
  await explorer.open(link);
  await explorer.run(spec);
  await explorer.run(spec);
  await page.getByText('Values as a table').click();
  await momentIn(page, 'Throughput').press('PageUp');
  await momentIn(page, 'Throughput').press('+');
  await explorer.button('Freeze').click();
  for (const color_scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: color_scheme });
    const { violations } = await new AxeBuilder({ page })
      .include('.charts')
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))])).toEqual([]);
  }
});
