// Fixtures and helpers of the browser tests.
import { test as base, expect, type Locator, type Page } from '@playwright/test';

import { small_server } from '../web/contract/small-server-fixtures';
import type { RunResult } from '../web/contract/run-result';
import { evidenceTitles, inspectorTabs } from '../web/features/evidence/evidence';
import type { RunState } from '../web/contract/telemetry-states';
// Declares window.latchscope.
import type {} from '../web/shell/automation';

export { expect };

export const SCENARIO = 'fil-mutex-69276';
/**
 * Parameters of a small server for SCENARIO, which starts in a tenth of the time, for specs and
 * links.
 */
export const smallParameters = small_server[SCENARIO]!;
export const SMALL = Object.entries(smallParameters)
  .map(([name, value]) => `&parameters.${name}=${value}`)
  .join('');
/** The page for the virtual server. It does not start the 72 threads of the other engine. */
export const VIRTUAL = `#v=1&scenario=${SCENARIO}&platform=virtual`;
export const minimalSpec = { version: 1, scenario: SCENARIO };

/** The explorer page, as a reader sees it and as window.latchscope controls it. */
export class Explorer {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the page and waits until its engine is ready. */
  async open(fragment?: string): Promise<void> {
    await this.openWithoutEngine(fragment);
    await this.page.evaluate(() => window.latchscope.ready);
  }

  async openWithoutEngine(fragment = `#v=1&scenario=${SCENARIO}`): Promise<void> {
    await this.page.goto(`/${fragment}`);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /**
   * Types into a field as a reader does. In Firefox under Playwright, React does not notice `fill`.
   */
  async write(field: Locator, text: string): Promise<void> {
    await field.press('ControlOrMeta+a');
    await field.pressSequentially(text);
  }

  /**
   * The preset that solves the report's problem. Its name ends with a ratio once one is measured.
   */
  get fixedDesign(): Locator {
    return this.page.getByRole('group', { name: 'Presets' }).getByRole('button', { name: /\(the fix\)/ });
  }

  /** Returns the radio button whose accessible name contains this title. */
  variant(title: string): Locator {
    return this.page.getByRole('radio', { name: title });
  }

  platform(title: 'This machine' | 'Virtual server'): Locator {
    return this.page.getByRole('group', { name: 'Platform' }).getByRole('radio', { name: title });
  }

  panel(title: string): Locator {
    return this.page.getByRole('region', { name: title });
  }

  /** Opens a form of the evidence in its tab of the inspector. Returns the tab's panel. */
  async evidence(title: string): Promise<Locator> {
    const { title: tab } = Object.values(inspectorTabs).find(({ forms }) =>
      forms.some((form) => evidenceTitles[form] === title),
    )!;
    await this.page.getByRole('tab', { name: tab, exact: true }).click();
    await this.page
      .getByRole('group', { name: `Views of ${tab}` })
      .getByRole('button', { name: title, exact: true })
      .click();
    return this.page.getByRole('tabpanel', { name: tab, exact: true });
  }

  readonly allEvidence = Object.values(evidenceTitles);

  /** Returns the panel with the results of the whole run. */
  async wholeRun(): Promise<Locator> {
    await this.evidence('Whole run');
    return this.panel('Whole run');
  }

  /** Opens the drawer with the parameters and the server of the next run. */
  async openSettings(): Promise<void> {
    const drawer = this.page.locator('details.settings');
    if (!(await drawer.evaluate((details: HTMLDetailsElement) => details.open)))
      await drawer.locator('summary').first().click();
  }

  get scenarioSwitch(): Locator {
    return this.page.getByRole('combobox', { name: 'Bug' });
  }

  /** Returns the number on one of the big tiles; NaN while it is a dash. */
  async tileNumber(title: string): Promise<number> {
    const tile = this.page.locator('.tile', { hasText: title });
    const text = await tile.locator('.tile-value').innerText();
    return Number(text.replaceAll(',', ''));
  }

  async expectRunState(runState: RunState): Promise<void> {
    await expect.poll(() => this.page.evaluate(() => window.latchscope.state().run_state)).toBe(runState);
  }

  /** Waits until the run has lasted this long. */
  async runTimeReaches(seconds: number): Promise<void> {
    await this.page.waitForFunction((s) => (window.latchscope.snapshot().live?.run_s ?? 0) >= s, seconds);
  }

  /** Waits until the virtual server has reached this virtual time. */
  async virtualTimeReaches(ms: number): Promise<void> {
    await this.page.waitForFunction(
      (ns) => (window.latchscope.snapshot().model?.run_ns ?? 0) >= ns,
      ms * 1e6,
    );
  }

  async start(): Promise<void> {
    await this.button('Run').click();
    await this.expectRunState('running');
    await this.runTimeReaches(0.5);
  }

  async stop(): Promise<RunResult> {
    await this.button('Stop').click();
    await this.expectRunState('finished');
    return this.page.evaluate(() => window.latchscope.state().result!);
  }

  run(spec: object): Promise<RunResult> {
    return this.page.evaluate((given) => window.latchscope.run(given), spec);
  }

  snapshot() {
    return this.page.evaluate(() => window.latchscope.snapshot());
  }

  async marks() {
    return (await this.snapshot()).marks;
  }
}

interface Fixtures {
  explorer: Explorer;
  /** Errors and warnings of the page's console. A test that provokes some empties the list. */
  complaints: string[];
}

// See playwright.config.ts.
const BLOCKED_ON_PURPOSE = 'Service Worker registration blocked by Playwright';

export const test = base.extend<Fixtures>({
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('console', (message) => {
        const isComplaint = ['error', 'warning'].includes(message.type());
        if (isComplaint && !message.text().startsWith(BLOCKED_ON_PURPOSE)) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await use(complaints);
      expect(complaints, 'complaints in the console').toEqual([]);
    },
    { auto: true },
  ],
  explorer: async ({ page }, use) => {
    await use(new Explorer(page));
  },
});

/** Checks that rows were read, that every row was right, and that every invariant held. */
export function expectSoundRun(result: RunResult): void {
  const { rows_verified, scans_verified } = result.counters;
  expect(rows_verified! + scans_verified!).toBeGreaterThan(0);
  expect(result.counters.rows_wrong).toBe(0);
  expect(result.invariants.length).toBeGreaterThan(0);
  expect(result.invariants.filter(({ ok }) => !ok)).toEqual([]);
}
