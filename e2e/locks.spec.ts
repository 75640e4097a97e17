// Tests the latch tracks and the lock picture.
import { brokenRules } from './axe';
import { expect, test, type Explorer } from './explorer';

const spec = {
  version: 1,
  scenario: 'fil-mutex-69276',
  platform: 'virtual',
  threads: 16,
  seed: 5,
  duration_s: 0.02,
  interval_s: 0.02,
  parameters: {},
};
const MUTEX = 'fil_system->mutex';

/**
 * Steps back through the last events of the run and returns what the lock picture shows of each.
 */
async function lastEvents({ page }: Explorer, steps: number): Promise<string[]> {
  const event = page.getByRole('region', { name: 'The latch, event by event' }).locator('.lock-event');
  const seen: string[] = [];
  for (let i = 0; i < steps; i += 1) {
    const before = await event.innerText();
    await page.keyboard.press('[');
    await expect(event).not.toHaveText(before);
    seen.push(await event.innerText());
  }
  return seen;
}

test('the track names the hot mutex and its holder; each step back shows the previous event, the same in each run', async ({
  explorer,
  page,
}) => {
  await explorer.open('#v=1&scenario=fil-mutex-69276&platform=virtual');
  const picture = explorer.panel('The latch, event by event');
  const track = explorer.panel('Latch track');
  const seen = async () => {
    await explorer.run(spec);
    const mutex = track.getByRole('button', { name: MUTEX });
    await mutex.click();
    await expect(mutex).toHaveAttribute('aria-pressed', 'true');
    await expect(picture).toContainText(MUTEX);
    return lastEvents(explorer, 12);
  };
  const first = await seen();
  expect(new Set(first).size).toBeGreaterThan(4);
  expect(first.join('\n')).toMatch(/core \d+.* lock_word .*0x0000000[01] \((held|free)\)/);
  // Go back to a moment at which a thread holds the mutex: track, lanes and picture must show
  // which.
  const holder = picture.getByRole('list', { name: 'Has it' });
  for (let i = 0; i < 60 && (await holder.count()) === 0; i += 1) await page.keyboard.press('[');
  const [name] = /^client \d+/.exec(await holder.getByRole('listitem').first().innerText())!;
  await expect(track.getByRole('button', { name: `${MUTEX}: held by ${name}` })).toBeVisible();
  await expect(explorer.panel('Thread lanes').getByRole('status')).toContainText(/^(client \d+|\w+): /);
  await expect(picture.getByRole('img')).toHaveAccessibleName(new RegExp(`${name} holds the latch`));

  // A click on the track moves the moment of all three.
  const chart = track.locator('.latch-track-chart');
  await chart.click({ position: { x: 300, y: 50 } });
  await page.keyboard.press('Escape');
  await chart.click({ position: { x: 400, y: 50 } });
  await expect(track).toContainText(/at \d+\.\d{6} ms/);
  expect(await brokenRules(page, { part: '.thread-time' })).toEqual([]);
  expect(await brokenRules(page, { part: '.evidence-panel' })).toEqual([]);

  expect(await seen()).toEqual(first);
});

test('on real threads the page says why latches are not traced, and offers the same run on the virtual server', async ({
  explorer,
  page,
}) => {
  await explorer.open('#v=1&scenario=fil-mutex-69276&platform=threads&threads=4&seed=9');
  const note = explorer.panel('Latch track');
  await expect(note).toContainText('on real threads');
  await expect(note.locator('canvas')).toHaveCount(0);
  expect(await brokenRules(page, { part: '.thread-time' })).toEqual([]);
  await note.getByRole('button', { name: 'Run the same on the virtual server' }).click();
  await expect(page).toHaveURL(/platform=virtual&.*threads=4&seed=9/);
  await explorer.virtualTimeReaches(30);
  await expect(explorer.panel('Latch track').getByRole('button').first()).toContainText(/held by|free/);
  await explorer.stop();
});
