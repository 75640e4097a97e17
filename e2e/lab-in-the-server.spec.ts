// Tests latches of the lab inside the server of a bug.
import type { Page } from '@playwright/test';

import { expect, SMALL, test, VIRTUAL, type Explorer } from './explorer';

const LAB = '#v=1&view=lab&scenario=fil-mutex-69276&lab.latch=ticket';
const TEST_AND_SET = `word locked = 0;
void enter() { while (exchange(locked, 1) != 0) pause(); }
void exit() { store(locked, 0); }
`;
const NEVER_LETS_GO = TEST_AND_SET.replace('store(locked, 0);', '');

async function write(page: Page, source: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Latch source' }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(source);
}

async function takeIntoTheServer(explorer: Explorer, source: string): Promise<void> {
  const { page } = explorer;
  await write(page, source);
  const server = explorer.panel('In the server');
  await server.getByRole('combobox', { name: 'Replaces' }).selectOption('fil-mutex-69276/tablespace_lookup');
  await server.getByRole('button', { name: 'Run bug, switch to latch' }).click();
  await explorer.expectRunState('running');
  await explorer.virtualTimeReaches(2);
}

/** Returns the first mark of this kind. */
const markOf = (explorer: Explorer, kind: string) =>
  explorer.page.waitForFunction(
    (wanted) => window.latchscope.snapshot().marks.find((mark) => mark.kind === wanted),
    kind,
  );

const transactions = ({ page }: Explorer) =>
  page.evaluate(() => window.latchscope.snapshot().intervals.at(-1)?.tps ?? 0);

test('a latch of the lab works in #69276, can be switched to during a run, and is part of the link', async ({
  explorer,
  page,
}) => {
  await explorer.openWithoutEngine(LAB);
  await takeIntoTheServer(explorer, TEST_AND_SET);
  await explorer.variant('Your latch').click();
  const flippedNs = await (await markOf(explorer, 'knob')).evaluate((mark) => mark!.run_ns);
  await explorer.virtualTimeReaches(flippedNs / 1e6 + 40);
  expect(await transactions(explorer)).toBeGreaterThan(0);
  const result = await explorer.stop();
  expect(result.invariants.filter(({ ok }) => !ok)).toEqual([]);
  expect(result.invariants.some(({ name }) => name.includes("the reader's latch of tablespace_lookup"))).toBe(
    true,
  );
  expect(result.spec.latch).toMatchObject({ source: TEST_AND_SET });

  await test.step('the link of the run contains the latch', async () => {
    expect(page.url()).toContain('latch=word%20locked');
    await page.reload();
    await expect(explorer.variant('Your latch')).toBeChecked();
    const latch = await page.evaluate(() => window.latchscope.state().draft.latch);
    expect(latch).toEqual(result.spec.latch);
  });

  await test.step('the explorer links back to the lab', async () => {
    await page.getByRole('button', { name: 'Edit in the lab' }).first().click();
    await expect(page.getByRole('textbox', { name: 'Latch source' })).toContainText('exchange(locked, 1)');
  });
});

test('a latch that is never released is stopped and reported, and the run continues', async ({
  explorer,
  page,
}) => {
  await explorer.openWithoutEngine(LAB);
  await takeIntoTheServer(explorer, NEVER_LETS_GO);
  await explorer.variant('Your latch').click();
  const stoppedNs = await (await markOf(explorer, 'latch_stopped')).evaluate((mark) => mark!.run_ns);
  await expect(page.getByText(/^Your latch was stopped/).first()).toBeAttached();
  await explorer.virtualTimeReaches(stoppedNs / 1e6 + 60);
  expect(await transactions(explorer)).toBeGreaterThan(0);
  const result = await explorer.stop();
  const broken = result.invariants.filter(({ ok }) => !ok);
  expect(broken).toHaveLength(1);
  expect(broken[0]!.name).toContain("the reader's latch of tablespace_lookup");
  expect(broken[0]!.detail).not.toBe('');
  expect(result.log.some((line) => JSON.stringify(line).includes('was stopped'))).toBe(true);
});

test('the lock picture shows the names of the latch’s words', async ({ explorer }) => {
  const ticket = `word ticket = 0;
word serving = 0;
void enter() { uint mine = fetch_add(ticket, 1); while (load(serving) != mine) pause(); }
void exit() { store(serving, load(serving) + 1); }
`;
  const latch = encodeURIComponent(ticket);
  await explorer.open(
    `${VIRTUAL}&design.tablespace_lookup=yours&threads=16&duration_s=0.01${SMALL}&latch=${latch}`,
  );
  // The page compiles the source before it opens the link.
  await expect(explorer.variant('Your latch')).toBeChecked();
  await explorer.button('Run').click();
  await explorer.expectRunState('finished');
  const picture = explorer.panel('Latch, event by event');
  const told = async () => {
    await explorer.button('◀ Event').click();
    return picture.innerText();
  };
  await expect.poll(told).toMatch(/reads(, spinning,)? serving and reads 0x[0-9a-f]{8} \(\d+\)/);
  await expect(picture.getByRole('row', { name: /^serving/ })).toBeVisible();
  await expect.poll(told).toMatch(/changes ticket to 0x[0-9a-f]{8} \(\d+\)/);
  await expect(picture).not.toContainText('a word');
});

test('a link whose latch does not compile reports the line', async ({ explorer, page }) => {
  await explorer.openWithoutEngine(
    '#v=1&scenario=fil-mutex-69276&latch=word%20a%3B%0Avoid%20enter()%20%7B%20a%20%3D%201%3B%20%7D%0Avoid%20exit()%20%7B%20%7D',
  );
  await expect(page.getByRole('alert')).toContainText('latch, line 2 is void enter() { a = 1; }');
  await expect(page.getByRole('alert')).toContainText('a is a word');
});
