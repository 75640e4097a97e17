// Plays each scenario: its action breaks it, and a knob fixes it.
import type { RunResult } from '../web/contract/run-result';
import { brokenRules } from './axe';
import { expect, expectSoundRun, test, type Explorer } from './explorer';
import { expectToFit, PHONE_PX } from './layout';
import { invariantNames, linkOf, scenarioCases, seenIn, type ScenarioCase } from './scenario-cases';

const caseOf = (bug: number): ScenarioCase => scenarioCases.find((scenario) => scenario.bug === bug)!;

for (const scenario of scenarioCases) {
  test(`#${scenario.bug} breaks through its report's action, is fixed by a knob, and is accessible`, async ({
    explorer,
    page,
  }) => {
    await explorer.open(linkOf(scenario));
    const evidence = await explorer.evidence(scenario.evidence.tab);
    await explorer.start();
    for (const action of scenario.actions) await explorer.button(action).click();
    await expect.poll(() => sees(explorer, scenario.isBroken)).toBe(true);
    for (const shown of scenario.evidence.shows) await expect(evidence).toContainText(shown);

    await explorer.fixedDesign.click();
    await expect(explorer.fixedDesign).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(() => sees(explorer, scenario.isHealed)).toBe(true);

    const result = await explorer.stop();
    expectSoundRun(result);
    expect(invariantNames(result)).toContainEqual(expect.stringMatching(scenario.fixedInvariant));
    await expect(await explorer.wholeRun()).toContainText(/All \d+ invariants hold/);
    await expectWholeServerLog(explorer, result);
    await expect(await explorer.evidence('sysbench')).toContainText(
      `total number of events:              ${result.totals.transactions}`,
    );
    await explorer.evidence('Reported');
    await expect(explorer.panel('Counted on real servers')).toBeVisible();
    expect(await brokenRules(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await brokenRules(page, { rules: 'contrast' })).toEqual([]);
    await expectToFit(page, [1920, 1440, 800, PHONE_PX]);
  });
}

/** Checks that each slow COMMIT has its log entry, so none was lost on its way to the page. */
async function expectWholeServerLog(explorer: Explorer, { counters }: RunResult): Promise<void> {
  const { server_log } = await explorer.snapshot();
  expect(server_log.left_out).toBe(0);
  expect(server_log.lines.filter((line) => line === 'COMMIT;')).toHaveLength(counters.slow_commits!);
}

async function sees(explorer: Explorer, isSo: ScenarioCase['isBroken']): Promise<boolean> {
  const { live } = await explorer.snapshot();
  return live !== null && isSo(seenIn(live));
}

test('#104615 refuses to rotate a disabled binary log, and says why', async ({ explorer, page }) => {
  await explorer.open(linkOf(caseOf(104615)));
  await explorer.openSettings();
  const logBin = page.getByRole('checkbox', { name: 'log_bin' });
  await expect(logBin).toBeChecked();
  await logBin.uncheck();
  await explorer.start();
  await explorer.button('FLUSH BINARY LOGS').click();
  await expect(page.getByRole('alert')).toContainText('the binary log is off (log_bin = 0)');
  await expect(explorer.panel('Log')).toContainText('FLUSH BINARY LOGS: refused');
  const result = await explorer.stop();
  expectSoundRun(result);
  expect([result.counters.commits, result.counters.binlog_files_rotated]).toEqual([0, 0]);
});
