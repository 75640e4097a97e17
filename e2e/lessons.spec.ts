// Works through the lessons with the keyboard, and checks what they claim.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { expect, test, type Explorer } from './explorer';

/** A phase of the run, as in the lesson's table. */
interface Part {
  from: string;
  tps: number;
}

/**
 * Works through the lesson of one bug with only the keyboard, and checks what its text claims about
 * the runs.
 */
class Workshop {
  readonly #page: Page;
  readonly #explorer: Explorer;

  constructor(page: Page, explorer: Explorer) {
    this.#page = page;
    this.#explorer = explorer;
  }

  async open(scenario: string): Promise<void> {
    await this.#explorer.open(`#v=1&scenario=${scenario}&platform=virtual`);
    await this.#tabUntilIn(this.#page.getByRole('button', { name: 'Lesson', exact: true }));
    await this.#page.keyboard.press('Enter');
    await expect(this.step('Predict')).toBeVisible();
  }

  step(title: string) {
    return this.#page.getByRole('region', { name: `Step: ${title}` });
  }

  /** Chooses the answer with this number, starting at 1. */
  async predict(answer: number, title = 'Predict'): Promise<void> {
    const answers = this.step(title).getByRole('radio');
    const chosen = answers.nth(answer - 1);
    // Moving backwards with Tab would select the last answer.
    await answers.first().focus();
    await this.#page.keyboard.press('Space');
    for (let i = 1; i < answer; i += 1) await this.#page.keyboard.press('ArrowDown');
    await expect(chosen).toBeChecked();
  }

  async next(title: string): Promise<void> {
    await this.tabTo('Next');
    await this.#page.keyboard.press('Enter');
    await expect(this.step(title)).toBeVisible();
  }

  /** Presses a task's button and waits until the run waits for the reader or is over. */
  async do(title: string): Promise<void> {
    await this.tabTo(title);
    const tasksDone = () => this.#page.evaluate(() => window.latchscope.state().lesson!.tasks_done);
    const before = await tasksDone();
    await this.#page.keyboard.press('Enter');
    await expect.poll(tasksDone).toBe(before + 1);
    await this.#page.waitForFunction(() => {
      const { lesson, run_state } = window.latchscope.state();
      return !lesson!.is_doing && ['paused', 'finished'].includes(run_state);
    });
    await expect(this.#page.locator('.lesson-task', { hasText: title })).toContainText(
      /Paused at|Run finished/,
    );
  }

  /** Presses a task's button and waits until the transaction is explained. */
  async explain(title: string): Promise<void> {
    await this.tabTo(title);
    await this.#page.keyboard.press('Enter');
    await expect(this.#page.locator('.lesson-task', { hasText: title })).toContainText('Explained');
  }

  /**
   * Walks from the end of the transaction to its start. Returns the text of each part, the last
   * part first.
   */
  async walkBack(): Promise<string[]> {
    const walk = this.#page.locator('.lesson .walk');
    const beside = this.#page.getByRole('region', { name: 'Walk the parts' });
    await this.tabTo('Start at end');
    await this.#page.keyboard.press('Enter');
    const parts: string[] = [];
    for (;;) {
      await expect(walk.locator('.walk-place')).toBeVisible();
      parts.push((await walk.innerText()).replaceAll('\n', ' '));
      const place = await walk.locator('.walk-place').innerText();
      await expect(beside.locator('.walk-place')).toHaveText(place);
      if (place.startsWith('Part 1 of')) return parts;
      await this.#page.keyboard.press('{');
      await expect(walk.locator('.walk-place')).not.toHaveText(place);
    }
  }

  /** Returns the rows of the table below the step, oldest first. */
  async parts(): Promise<Part[]> {
    const rows = this.#page.locator('.phases tbody tr');
    const texts = await rows.evaluateAll((trs) =>
      trs.map((tr) => [...tr.children].map((cell) => (cell as HTMLElement).innerText)),
    );
    return texts.map(([from = '', tps = '']) => ({ from, tps: Number(tps.replaceAll(',', '')) }));
  }

  async tps(from: string): Promise<number> {
    const newest = async () => (await this.parts()).findLast((part) => part.from.includes(from))?.tps;
    // The page updates its tables twice a second.
    await expect.poll(newest, `a part from ${from}`).toBeDefined();
    return (await newest())!;
  }

  async counter(name: string): Promise<number> {
    const { live } = await this.#explorer.snapshot();
    return live!.counters.find((counter) => counter.name === name)!.total;
  }

  /** Moves the focus to a button by the shorter way. */
  async tabTo(name: string): Promise<void> {
    await this.#tabUntilIn(this.#page.locator('.lesson').getByRole('button', { name, exact: true }));
  }

  async #tabUntilIn(target: Locator): Promise<void> {
    const key = (await target.evaluate(isBeforeFocus)) ? 'Shift+Tab' : 'Tab';
    for (let presses = 0; presses < 120; presses += 1) {
      if (await target.evaluate(hasFocus)) return;
      await this.#page.keyboard.press(key);
    }
    throw new Error('The focus did not get there.');
  }
}

const hasFocus = (element: Element) => element === document.activeElement;
const isBeforeFocus = (element: Element) =>
  (element.compareDocumentPosition(document.activeElement!) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

interface Reproduced {
  scenarios: Record<string, { figures: { rows: { label: string; here: number }[] } }>;
}
const { scenarios } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../scenarios/reproduction-results.json'), 'utf8'),
) as Reproduced;
const reproducedWarmUpS = scenarios['aio-wakeup-95491']!.figures.rows.find(
  ({ label }) => label === 'Time until the buffer pool is warm',
)!.here;

test(
  '#117533: the UPDATE leaves one or two hundredths of the throughput; COMMIT brings it back',
  { tag: '@long' },
  async ({ page, explorer }) => {
    const workshop = new Workshop(page, explorer);
    await workshop.open('undo-read-117533');
    await workshop.predict(2);
    await workshop.next('Run');
    await workshop.do('Run with the UPDATE at 100 ms');
    await workshop.next('Look');
    await expect(workshop.step('Look')).toContainText('You expected:');
    await expect(workshop.step('Look')).toContainText('What happened: It falls to one or two hundredths.');
    const before = await workshop.tps('(the bug)');
    const after = await workshop.tps('UPDATE');
    expect(after / before).toBeLessThan(0.025);
    await workshop.tabTo('Show latches');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('tabpanel', { name: 'Latches' })).toContainText('Fil_shard::m_mutex');
    await workshop.next('Explain');
    await workshop.predict(2, 'Explain');
    await workshop.next('What if');
    await workshop.do('Run with a free mutex');
    const supposed = await workshop.tps('UPDATE');
    expect(supposed / after).toBeGreaterThan(1.7);
    await workshop.next('Heal');
    await workshop.do('Run again, unchanged');
    await workshop.do('Remember the page size');
    const remembered = await workshop.tps('Page size remembered');
    expect(remembered / supposed).toBeGreaterThan(0.9);
    expect(remembered / supposed).toBeLessThan(1.1);
    await workshop.do('Guard purge as MariaDB does');
    const guarded = await workshop.tps('MariaDB 10.11');
    expect(guarded / after).toBeGreaterThan(1.5);
    await workshop.do('Give each reader a shard of its own');
    expect((await workshop.tps('(the fix)')) / guarded).toBeGreaterThan(2);
    await workshop.next('Compare with what MySQL shipped');
    await workshop.do('COMMIT in every client');
    expect((await workshop.tps('COMMIT in every client')) / before).toBeGreaterThan(0.5);
  },
);

test('#69276: clients queue for one mutex; a single look-up nearly doubles throughput', async ({
  page,
  explorer,
}) => {
  const workshop = new Workshop(page, explorer);
  await workshop.open('fil-mutex-69276');
  await workshop.predict(2);
  await workshop.next('Run');
  await workshop.do('Run 54 clients on 32 cores');
  await workshop.next('Look');
  await expect(workshop.step('Look')).toContainText('As you expected:');
  const { live } = await explorer.snapshot();
  expect(live!.time_shares!.spinning).toBeGreaterThan(0.2);
  expect(live!.time_shares!.ready).toBeGreaterThan(0.2);
  expect(live!.time_shares!.running).toBeLessThan(0.33);
  const original = await workshop.tps('(the bug)');
  await workshop.next('Explain');
  await workshop.next('Heal');
  await workshop.do('One look-up, then a pin');
  expect((await workshop.tps('One look-up, then a pin')) / original).toBeGreaterThan(1.6);
  await workshop.do('One atomic word per tablespace');
  const atomicWord = await workshop.tps('(the fix)');
  expect(atomicWord / original).toBeGreaterThan(1.6);
  await workshop.next('Compare with what MySQL shipped');
  await workshop.do('Shards, and one table only');
  const { live: withOneTable } = await explorer.snapshot();
  expect(withOneTable!.time_shares!.spinning! + withOneTable!.time_shares!.waiting!).toBeGreaterThan(0.03);
});

test(
  '#99638: an eighth of the clients reaches the same throughput; the patch and the second slot are faster',
  { tag: '@long' },
  async ({ page, explorer }) => {
    const workshop = new Workshop(page, explorer);
    await workshop.open('xa-gtid-99638');
    await workshop.predict(3);
    await workshop.next('Run');
    await workshop.do('Run with 400, 200, 100 and 50 clients');
    await workshop.next('Look');
    await expect.poll(async () => (await workshop.parts()).length).toBe(4);
    const [allClients, , , anEighth] = await workshop.parts();
    expect(anEighth!.tps / allClients!.tps).toBeGreaterThan(0.8);
    expect(anEighth!.tps / allClients!.tps).toBeLessThan(1.4);
    await workshop.predict(1, 'Look');
    await workshop.next('One XA transaction');
    await expect(workshop.step('One XA transaction')).not.toContainText('You expected:');
    await workshop.explain('Explain the slowest of the 400 clients');
    await expect(workshop.step('One XA transaction')).toContainText(
      'You expected: It sleeps in Clone_Sys::wait',
    );
    const chain = page.locator('.chain');
    await expect(chain).toContainText(
      'Transaction 6 of client 372 began at 2.06 s and took 702 ms: slowest of',
    );
    await expect(chain.getByRole('row', { name: /^in a commit group/ })).toContainText('699,781.135900 µs');
    await workshop.predict(3, 'One XA transaction');
    await workshop.next('From its end to its beginning');
    const walked = await workshop.walkBack();
    expect(walked).toHaveLength(58);
    const part = (number: number) => walked[58 - number]!;
    expect(part(58)).toMatch(/ends with the transaction .*running 1\.62 µs/);
    expect(part(57)).toContain('3.04 ms');
    expect(part(56)).toMatch(/359 ms led by client 225, .*Clone_Sys::wait, 338 times 357 ms .*1\.74 ms/);
    expect(part(54)).toMatch(
      /led by client 225, .*LOCK_commit .*1\.1 ms .*held by client 51, .*Clone_Sys::wait/,
    );
    expect(part(53)).toMatch(/led by client 378, .*I\/O in MYSQL_BIN_LOG::sync_binlog_file 87\.2 µs/);
    expect(part(51)).toMatch(/sleeping in my_net_read/);
    expect(part(46)).toMatch(
      /led by client 143, .*LOCK_commit .*held by client 94, .*Clone_Sys::wait, 254 times/,
    );
    expect(part(1)).toMatch(/sleeping in my_net_read/);
    await workshop.next('Explain');
    await expect(workshop.step('Explain')).toContainText('As you expected: In client 225 itself, asleep.');
    const whole = page.getByRole('region', { name: 'Whole chain' });
    await expect(whole.getByTitle('420,720.309000 µs')).toBeVisible();
    await expect(whole.getByTitle('269,919.831067 µs')).toBeVisible();
    await workshop.next('Heal');
    await workshop.do('Spin instead of sleeping');
    expect((await workshop.tps("The report's patch")) / anEighth!.tps).toBeGreaterThan(1.9);
    await workshop.do('A second place for the GTID');
    expect((await workshop.tps('(the fix)')) / anEighth!.tps).toBeGreaterThan(3.3);
    const waits = await workshop.counter('gtid_flush_waits');
    await workshop.next('Compare with what MySQL shipped');
    await workshop.do("Wait for one's own GTID only");
    expect((await workshop.tps('Wait for its own list')) / anEighth!.tps).toBeGreaterThan(3.3);
    await expect.poll(() => workshop.counter('gtid_flush_waits')).toBeGreaterThan(waits);
  },
);

test(
  '#104615: a purge of six seconds stops the server; without a lock it does not',
  { tag: '@long' },
  async ({ page, explorer }) => {
    const workshop = new Workshop(page, explorer);
    await workshop.open('binlog-purge-104615');
    await workshop.predict(3);
    await workshop.next('Run');
    await workshop.do('Run and expire the binary logs');
    await workshop.next('Look');
    const before = await workshop.tps('(the bug)');
    expect((await workshop.tps('Expire binary logs')) / before).toBeLessThan(0.2);
    expect(await longestQueryS(explorer)).toBeGreaterThan(6);
    await expect.poll(() => workshop.counter('slow_commits')).toBeGreaterThan(150);
    const slowCommits = await workshop.counter('slow_commits');
    await workshop.next('Explain');
    await workshop.next('Heal');
    const purged = await workshop.counter('binlog_files_purged');
    await workshop.do('Switch to the fixed design, add 28 GiB');
    expect((await workshop.tps('Create old binary logs')) / before).toBeGreaterThan(0.7);
    expect(await workshop.counter('slow_commits')).toBe(slowCommits);
    await expect.poll(() => workshop.counter('binlog_files_purged')).toBeGreaterThan(purged);
    await workshop.next('Compare with what MySQL shipped');
    await workshop.do("The report's thread alone");
    expect((await workshop.tps('Expire binary logs')) / before).toBeLessThan(0.2);
    await workshop.do('Files of 1 GiB: one slow COMMIT');
    await expect.poll(() => workshop.counter('slow_commits')).toBe(1);
    await workshop.do('The fixed design on such a disk');
    await expect.poll(() => workshop.counter('slow_commits')).toBeGreaterThan(150);
  },
);

test(
  '#95491: wake-ups fall from a hundred per read to less than one',
  { tag: '@long' },
  async ({ page, explorer }) => {
    const workshop = new Workshop(page, explorer);
    await workshop.open('aio-wakeup-95491');
    await workshop.predict(1);
    await workshop.next('Run');
    await workshop.do('Start with an empty buffer pool');
    await workshop.next('Look');
    const reads = await workshop.counter('aio_reads_completed');
    expect((await workshop.counter('handler_wake_calls')) / reads).toBeGreaterThan(50);
    await workshop.next('Explain');
    await workshop.next('Heal');
    await workshop.do('Switch to the fixed design, empty the pool');
    await workshop.next('Compare with what MySQL shipped');
    await workshop.do('Run the original until warm');
    const { counters } = await page.evaluate(() => window.latchscope.state().result!);
    expect(counters.warm_ups).toBe(1);
    // The lesson's run equals that of the reproduction, to the last event.
    expect(counters.warm_up_us! / 1e6).toBeCloseTo(reproducedWarmUpS, 3);
    const fixed = await explorer.run({
      version: 1,
      scenario: 'aio-wakeup-95491',
      platform: 'virtual',
      design: 'fixed',
      duration_s: 0.14,
    });
    expect(fixed.counters.handler_wake_calls! / fixed.counters.aio_reads_completed!).toBeLessThan(1);
    expect(fixed.counters.warm_up_us! / 1000).toBeGreaterThan(115);
    expect(fixed.counters.warm_up_us! / 1000).toBeLessThan(133);
  },
);

/** Returns the seconds of the longest statement in the slow query log. */
async function longestQueryS(explorer: Explorer): Promise<number> {
  const { server_log } = await explorer.snapshot();
  const times = server_log.lines.flatMap((line) => /^# Query_time: ([\d.]+)/.exec(line)?.[1] ?? []);
  return Math.max(...times.map(Number));
}
