// What was counted on real servers, beside the report and the engine; and a file that a reader measured.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { expect, test } from './explorer';
import { linkOf, scenario_cases } from './scenario-cases';

const undo = '#v=1&scenario=undo-read-117533&platform=virtual';
const scenarios_folder = path.join(import.meta.dirname, '../scenarios');
const measuredText = (scenario: string, file: string) =>
  readFileSync(path.join(scenarios_folder, scenario, 'measured', file), 'utf8');
const NINE = 'mysql-9.7.4-2-cores.json';
const patient = { timeout: 200_000 };

async function drop(page: Page, name: string, content: string) {
  const data = await page.evaluateHandle(
    ([text, file]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], file));
      return transfer;
    },
    [content, name] as const,
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

async function violations(page: Page, part = 'main') {
  const { violations: found } = await new AxeBuilder({ page })
    .include(part)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  return found.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]);
}

/** What such a reader's machine would have: as measured here, on 64 cores, with twice the scans. */
function onALargeMachine(): string {
  const document = JSON.parse(measuredText('undo-read-117533', NINE)) as {
    server: { version: string };
    machine: { cores: number };
  };
  document.server.version = '9.9.1';
  document.machine.cores = 64;
  return JSON.stringify(document);
}

test('each bug says on its card and on its page in which real version it was last seen', async ({
  explorer,
  page,
}) => {
  await explorer.openWithoutEngine('');
  const cards = page.getByRole('list', { name: 'Bugs' }).getByRole('listitem');
  const says = ['Last seen alive MySQL 5.6.24, 2026-11: six', 'Last seen alive MySQL 5.6.24, 2026-11: 8.7'];
  says.push('Not seen alive No 8.0.18, as reported, could be had. MySQL 9.7.4, 2026-11: has the fix');
  says.push('Last seen alive MySQL 9.7.4, 2026-11: all eight');
  says.push('Last seen alive MySQL 9.7.4, 2026-11: one fil_system and one trx_purge_latch acquisition');
  for (const [i, text] of says.entries()) await expect(cards.nth(i)).toContainText(text);
  await explorer.openWithoutEngine(undo);
  await expect(page.getByRole('region', { name: 'What is wrong' })).toContainText(
    'MySQL 9.7.4, 2026-11: one fil_system and one trx_purge_latch acquisition per undo version. MariaDB',
  );
});

test('reported, real server and here stand side by side; what runs counts at once', async ({ explorer }) => {
  await explorer.open(`${undo}&threads=4&duration_s=0.01&parameters.rows=100&at=0.0005:update_k`);
  const tab = await explorer.evidence('Reported');
  const row = tab.getByRole('row', { name: /^fil_system per undo record read/ });
  await expect(row.getByRole('cell')).toHaveText(['1', '1.00', /^1(\.00)?$/, '–']);
  await explorer.button('Run').click();
  await explorer.expectRunState('finished');
  await expect(row.getByRole('cell')).toHaveText(['1', '1.00', /^1(\.00)?$/, /^1(\.\d\d)?$/]);
  await tab
    .getByRole('combobox', { name: 'Real server' })
    .selectOption({ label: 'MariaDB 10.11.19 (2 cores, AMD EPYC)' });
  await expect(row.getByRole('cell').nth(1)).toHaveText('0');
  await expect(tab.getByRole('columnheader', { name: 'MariaDB 10.11.19' }).first()).toBeVisible();
  await expect(tab).toContainText('“Remember it”, “A guard and a page fix”');
});

for (const scenario of scenario_cases) {
  test(`axe finds nothing wrong with what was counted of #${scenario.bug}, at any width`, async ({
    explorer,
    page,
  }) => {
    await explorer.open(linkOf(scenario));
    await explorer.evidence('Reported');
    await expect(explorer.panel('Counted on real servers')).toBeVisible();
    expect(await violations(page, '.real-servers')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, '.real-servers')).toEqual([]);
    for (const width of [390, 800, 1440, 1920]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await explorer.beyondRightEdge(), `${width} px`).toBe(0);
    }
  });
}

test('a count that differs says why', async ({ explorer }) => {
  await explorer.open('#v=1&scenario=fil-mutex-69276&platform=virtual');
  const tab = await explorer.evidence('Reported');
  const row = tab.getByRole('row', { name: /^buf_pool per page read/ });
  await row.getByText('Differs. Why?').press('Enter');
  await expect(row).toContainText('Within 5 %, and not placed');
});

test('a measured file that is dropped stands beside the engine, and can be removed', async ({
  explorer,
  page,
}) => {
  await explorer.open(undo);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).hostname}`));
  await drop(page, 'ours.json', onALargeMachine());
  const panel = explorer.panel('Counted on real servers');
  await expect(panel.getByRole('combobox', { name: 'Real server' })).toContainText(
    'ours.json: MySQL 9.9.1 (64 cores, AMD EPYC)',
  );
  await expect(panel.getByRole('columnheader', { name: 'MySQL 9.9.1' })).toBeVisible();
  // Code of the page may be loaded; nothing is sent.
  expect(requests.filter((request) => request !== 'GET 127.0.0.1')).toEqual([]);
  await explorer.button('Remove the measured file').click();
  await expect(panel.getByRole('columnheader', { name: 'MySQL 9.7.4' }).first()).toBeVisible();
});

test('a measured file is chosen by keyboard alone', async ({ explorer, page }) => {
  await explorer.open(undo);
  const tab = await explorer.evidence('Reported');
  await tab.getByRole('button', { name: 'Open a measured file…' }).focus();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
  await chooser.setFiles({
    name: 'ours.json',
    mimeType: 'application/json',
    buffer: Buffer.from(onALargeMachine()),
  });
  await expect(tab.getByRole('columnheader', { name: 'MySQL 9.9.1' })).toBeVisible();
});

test('on the start page, a measured file leads to its bug', async ({ explorer, page }) => {
  await explorer.openWithoutEngine('');
  await drop(page, 'ours.json', onALargeMachine());
  await expect(explorer.scenarioSwitch).toContainText('#117533');
  await expect(
    explorer.panel('Counted on real servers').getByRole('columnheader', { name: 'MySQL 9.9.1' }),
  ).toBeVisible();
});

test('a file that is wrong is named and refused, and nothing of it is shown', async ({ explorer, page }) => {
  await explorer.open(undo);
  const good = measuredText('undo-read-117533', NINE);
  const wrong: [what: string, content: string, sentence: string][] = [
    [
      'newer',
      good.replace('"version": 1', '"version": 2'),
      'version is 2; allowed: 1; this file is of a newer',
    ],
    [
      'another bug',
      measuredText('fil-mutex-69276', NINE),
      'scenario is fil-mutex-69276, which is bug #69276; allowed: undo-read-117533: bug #117533 is shown.',
    ],
    ['broken', good.slice(0, -200), 'file is no JSON ('],
    [
      'negative',
      good.replace('"acquisitions": 332', '"acquisitions": -332'),
      'is -332; allowed: an integer from 0',
    ],
    [
      'waits',
      good.replace('"acquisitions": 332', '"acquisitions": 332, "waits": 333'),
      'waits is 333; allowed: 332 or less, its acquisitions',
    ],
    [
      'counts',
      good.replace('"counts": {', '"counts": { "luck": 7,'),
      'counts.luck is 7; allowed: no such count',
    ],
  ];
  for (const [what, content, sentence] of wrong) {
    await test.step(what, async () => {
      expect(content).not.toBe(good);
      await drop(page, `${what}.json`, content);
      await expect(page.getByRole('alert')).toContainText(
        `${what}.json cannot be opened; nothing has changed.`,
      );
      await expect(page.getByRole('alert')).toContainText(sentence);
    });
  }
  const tab = await explorer.evidence('Reported');
  await expect(tab.getByRole('combobox', { name: 'Real server' })).not.toContainText('.json');
});

test('a sweep lays a measured file over its curves, throughput and counts', async ({ explorer, page }) => {
  const tiny = 'duration_s=0.01&parameters.rows=100&at=0.0005:update_k&from_s=0.003';
  await explorer.open(
    `#v=1&view=sweep&scenario=undo-read-117533&platform=virtual&${tiny}&designs=original,fixed&counts=1,2,4&repeats=1`,
  );
  await drop(page, 'ours.json', onALargeMachine());
  const panel = explorer.panel('Beside real servers');
  await expect(panel).toContainText('ours.json: MySQL 9.9.1 (64 cores, AMD EPYC)');
  await page.locator('.start-panel').getByRole('button', { name: 'Sweep' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Sweep done' })).toBeVisible(patient);
  const headers = panel.getByRole('columnheader');
  await expect(headers).toHaveText([
    'clients',
    'reported',
    'MySQL 9.9.1, scans/s',
    'here, original, TPS',
    'here, fixed, TPS',
  ]);
  await expect(panel.getByRole('row', { name: /^1 / }).getByText('1 ×')).toHaveCount(3);
  await expect(panel.getByRole('row', { name: /^32 / })).toContainText(
    '182 to 192 transactions/s (original)',
  );
  await panel.getByRole('combobox', { name: 'Figure' }).selectOption('fil_system per undo record read');
  await expect(panel.getByRole('row', { name: /^4 / }).getByRole('cell')).toHaveText([
    /^1(\.00)?$/,
    /^1(\.\d\d)?$/,
    /^0(\.\d\d)?$/,
  ]);
  expect(await violations(page)).toEqual([]);
  for (const width of [390, 800, 1200, 1440, 1920]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await explorer.beyondRightEdge(), `${width} px`).toBe(0);
  }
});
