import type { RunResult } from '../web/contract/run-result';
import { expect, expectSoundRun, test, type Explorer } from './explorer';
import { invariantNames, linkOf, scenario_cases, seenIn, type ScenarioCase } from './scenario-cases';

const caseOf = (bug: number): ScenarioCase => scenario_cases.find((scenario) => scenario.bug === bug)!;

for (const scenario of scenario_cases) {
  test(`#${scenario.bug} breaks by its report's action and is healed by a knob`, async ({
    explorer,
    page,
  }) => {
    await explorer.open(linkOf(scenario));
    const evidence = await explorer.evidence(scenario.evidence.tab);
    await explorer.start();
    for (const action of scenario.actions) await explorer.button(action).click();
    await expect.poll(() => sees(explorer, scenario.isBroken)).toBe(true);
    for (const shown of scenario.evidence.shows) await expect(evidence).toContainText(shown);

    await explorer.button('fixed').click();
    await expect(explorer.button('fixed')).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(() => sees(explorer, scenario.isHealed)).toBe(true);

    const result = await explorer.stop();
    expectSoundRun(result);
    expect(invariantNames(result)).toContainEqual(expect.stringMatching(scenario.fixed_invariant));
    await expect(explorer.panel('The whole run')).toContainText(/All \d+ invariants hold/);
    await expectWholeServerLog(explorer, result);
    await expect(await explorer.evidence('sysbench')).toContainText(
      `total number of events:              ${result.totals.transactions}`,
    );
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await explorer.beyondRightEdge()).toBe(0);
  });
}

/** Each slow COMMIT has its entry, and none was lost on its way to the page. */
async function expectWholeServerLog(explorer: Explorer, { counters }: RunResult): Promise<void> {
  const { server_log } = await explorer.snapshot();
  expect(server_log.left_out).toBe(0);
  expect(server_log.lines.filter((line) => line === 'COMMIT;')).toHaveLength(counters.slow_commits!);
}

async function sees(explorer: Explorer, isSo: ScenarioCase['isBroken']): Promise<boolean> {
  const { live } = await explorer.snapshot();
  return live !== null && isSo(seenIn(live));
}

test.describe('the scenario switch', () => {
  test('opens every bug, with its own design, actions and evidence first', async ({ explorer, page }) => {
    await explorer.open();
    for (const { id, bug } of scenario_cases.toReversed()) {
      await explorer.scenarioSwitch.selectOption(id);
      await expect(page.getByRole('heading', { level: 1 })).toContainText(`#${bug}`);
      await expect(page).toHaveURL(new RegExp(`#v=1&scenario=${id}&`));
      await expect(page).toHaveTitle(`Bug #${bug} – Latchscope`);
      const { manifest } = await page.evaluate(() => window.latchscope.scenario());
      expect(manifest.id).toBe(id);
      for (const { title } of manifest.actions) await expect(explorer.button(title)).toBeVisible();
      for (const { question } of manifest.knobs) {
        await expect(page.getByRole('group', { name: question })).toBeVisible();
      }
      await expect(page.getByRole('tab').first()).toHaveAttribute('aria-selected', 'true');
      await explorer.evidence('Reported');
      await expect(explorer.panel('Reported and here')).toContainText(manifest.reported[0]!.figure);
    }
  });

  test('stops a run that goes on, says so, and leaves nothing of it', async ({ explorer, page }) => {
    await explorer.open(linkOf(caseOf(99638)));
    await explorer.start();
    await explorer.scenarioSwitch.selectOption('undo-read-117533');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('#117533');
    await expect(page.getByText('The run of bug #99638 was stopped')).toBeVisible();
    await explorer.expectRunState('idle');
    const { live, marks, history_rows } = await explorer.snapshot();
    expect([live, marks, history_rows]).toEqual([null, [], 0]);
    await expect(explorer.button('Run')).toBeEnabled();
  });

  test('is left again by the back button', async ({ explorer, page }) => {
    await explorer.open(linkOf(caseOf(104615)));
    await explorer.scenarioSwitch.selectOption('undo-read-117533');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('#117533');
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('#104615');
    await expect(page.getByRole('spinbutton', { name: 'Old binary logs' })).toHaveValue('3');
    await page.goForward();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('#117533');
  });

  test('can be used by keyboard', async ({ explorer, page }) => {
    await explorer.open();
    await explorer.scenarioSwitch.focus();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('#95491');
    await expect(explorer.scenarioSwitch).toBeFocused();
  });
});

test('a run of another scenario from a script shows that scenario', async ({ explorer, page }) => {
  await explorer.open();
  const { id, threads, parameters } = caseOf(99638);
  const result = await explorer.run({ version: 1, scenario: id, threads, parameters, duration_s: 1 });
  expectSoundRun(result);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('#99638');
  await expect(explorer.scenarioSwitch).toHaveValue(id);
});

test('#104615 refuses to rotate a binary log that is off, and says why', async ({ explorer, page }) => {
  await explorer.open(linkOf(caseOf(104615)));
  const log_bin = page.getByRole('checkbox', { name: 'log_bin' });
  await expect(log_bin).toBeChecked();
  await log_bin.uncheck();
  await explorer.start();
  await explorer.button('FLUSH BINARY LOGS').click();
  await expect(page.getByRole('alert')).toContainText('the binary log is off (log_bin = 0)');
  await expect(explorer.panel('Log')).toContainText('FLUSH BINARY LOGS: refused');
  const result = await explorer.stop();
  expectSoundRun(result);
  expect([result.counters.commits, result.counters.binlog_files_rotated]).toEqual([0, 0]);
});
