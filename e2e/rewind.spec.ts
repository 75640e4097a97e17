// Tests rewinding a run.
import { expect, SCENARIO, SMALL, test } from './explorer';

const RUN = `#v=1&scenario=${SCENARIO}&platform=virtual&threads=16&duration_s=0.02&interval_s=0.01${SMALL}`;
const LINK = `#v=1&scenario=${SCENARIO}&platform=virtual&threads=16&duration_s=0.04&interval_s=0.01&at=0.02:tablespace_lookup:atomic_word${SMALL}`;

test('a finished run can be rewound by slider and keys, and ends the same way again', async ({
  explorer,
  page,
}) => {
  await explorer.open(LINK);
  const moment = page.getByRole('slider', { name: 'Position in the run' });
  await expect(moment).toBeDisabled();
  await explorer.button('Run').click();
  await explorer.expectRunState('finished');
  const result = () => page.evaluate(() => JSON.stringify(window.latchscope.state().result));
  const first = await result();
  const events = async () => (await explorer.snapshot()).model!.events;
  const runNs = async () => (await explorer.snapshot()).model!.run_ns;

  await test.step('to the start and forward by the slider', async () => {
    await moment.press('Home');
    await explorer.expectRunState('paused');
    await expect.poll(runNs).toBe(0);
    await expect(explorer.button('Resume')).toBeVisible();
    expect(await explorer.marks()).toEqual([]);
    await expect(explorer.variant('One atomic word per tablespace')).not.toBeChecked();
    await moment.press('PageUp');
    await expect.poll(runNs).toBeGreaterThan(0);
  });

  await test.step('by keys, event by event', async () => {
    const before = await events();
    await page.locator('body').press('<');
    await expect.poll(events).toBe(before - 1);
    await page.locator('body').press(',');
    await expect.poll(events).toBe(before);
    await page.locator('body').press('>');
    await expect.poll(async () => (await runNs()) % 10_000).toBe(0);
  });

  await test.step('to the newest moment and back to the mark', async () => {
    await explorer.button('Latest').click();
    await expect.poll(async () => (await explorer.marks()).length).toBe(1);
    const [mark] = await explorer.marks();
    await explorer.button('Mark').click();
    await expect.poll(runNs).toBe(mark!.run_ns);
    await expect(page.getByRole('status', { name: 'Run time' })).toContainText(/^At \d+.* ms of /);
  });

  await explorer.button('Resume').click();
  await explorer.expectRunState('finished');
  expect(await result()).toBe(first);

  await test.step('a script that asks for an impossible moment is refused', async () => {
    const refused = await page.evaluate(() =>
      window.latchscope.goTo({ run_ns: 1e12 }).then(
        () => null,
        (error: unknown) => (error as { errors: unknown }).errors,
      ),
    );
    expect(refused).toEqual([expect.objectContaining({ field: 'run_ns', value: '1000000000000' })]);
    await explorer.expectRunState('finished');
  });
});

declare global {
  interface Window {
    places: { tracks: number; lanesPx: number }[];
  }
}

/**
 * Starts recording, in each frame, the number of shown latches and the distance of the lanes below
 * the first chart.
 */
function notePlaces(): void {
  window.places = [];
  const topOf = (selector: string) => document.querySelector(selector)!.getBoundingClientRect().top;
  const note = () => {
    const tracks = document.querySelectorAll('.latch-track-heading').length;
    const lanesPx = topOf('.chart-panel-lanes') - topOf('.chart-panel');
    window.places.push({ tracks, lanesPx });
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}

/** Smaller differences come from the browser's layout, in units of 1/64 px, and stay unseen. */
const MOVE_PX = 0.5;

/**
 * Returns moves of the lanes that happened although the number of shown latches stayed the same.
 */
function movesOf(places: readonly Window['places'][number][]) {
  const moves: string[] = [];
  for (let i = 1, shown = places[0]!.tracks; i < places.length; i += 1) {
    const { tracks, lanesPx } = places[i]!;
    const beforePx = places[i - 1]!.lanesPx;
    const hasOthers = tracks > 0 && tracks !== shown;
    if (Math.abs(lanesPx - beforePx) >= MOVE_PX && !hasOthers)
      moves.push(`${tracks} tracks: ${beforePx} to ${lanesPx} px`);
    if (tracks > 0) shown = tracks;
  }
  return moves;
}

test('the content below the slider does not move when a run is rewound', async ({ explorer, page }) => {
  await explorer.open(RUN);
  await explorer.button('Run').click();
  await explorer.expectRunState('finished');
  await expect(explorer.panel('Latch track').getByRole('button').first()).toBeVisible();
  await page.evaluate(notePlaces);
  const moment = page.getByRole('status', { name: 'Run time' });
  for (const runNs of [15_000_000, 5_000_000]) {
    await page.evaluate((to) => window.latchscope.goTo({ run_ns: to }), runNs);
    await expect(moment).toHaveText(new RegExp(`^At ${runNs / 1e6}[.0]* ms of `));
  }
  await explorer.button('Resume').click();
  await explorer.expectRunState('finished');
  expect(movesOf(await page.evaluate(() => window.places))).toEqual([]);
});
