// Measures rewinding a run on the virtual server in Chromium: the cost of checkpoints in events/s
// and memory, and the time to reach another moment. The cost is a ratio within one page, with
// interleaved runs.
import { median } from 'd3-array';

import { buildPage } from '../../tools/builds.mjs';
import { openPage, withBrowser } from './browser.mjs';
import { scenarioLoads } from './scenario-loads.mjs';
import { spread } from './statistics.mjs';

const BUDGET_MIB = 512;
const STEPS_BACK = 16;
const REST_MS = 3000;
const MS = 1e6;
const MIB = 2 ** 20;

/** Runs a bug as its report describes until the worker has used the given time, then pauses it. */
const runFor = (page, { scenario, seconds, budget_mib }) =>
  page.evaluate(
    async ({ scenario: id, worked_ms, budget_mib: budget }) => {
      const { latchscope } = window;
      const spec = { version: 1, scenario: id, platform: 'virtual', duration_s: 3600, interval_s: 0.1 };
      await latchscope.openPlatform('virtual');
      await latchscope.keepMoments(budget);
      latchscope.run(spec).catch(() => undefined);
      const model = () => latchscope.snapshot().model;
      const isRunning = () => latchscope.state().run_state === 'running';
      while (!isRunning() || (model()?.host_ms ?? 0) < worked_ms) await new Promise(requestAnimationFrame);
      await latchscope.pause();
      return model();
    },
    { scenario, worked_ms: seconds * 1000, budget_mib },
  );

const timesTo = (page, moments) =>
  page.evaluate(async (all) => {
    const times = [];
    for (const moment of all) {
      const beganMs = performance.now();
      await window.latchscope.goTo(moment);
      times.push(performance.now() - beganMs);
    }
    return times;
  }, moments);

const stop = (page) => page.evaluate(() => window.latchscope.stop());
/** Gives the worker time to create checkpoints just before the paused position. */
const rest = (page) => page.waitForTimeout(REST_MS);
const eventsPerMs = ({ events, host_ms }) => events / host_ms;

async function measureRound(page, scenario, seconds) {
  const without = await runFor(page, { scenario, seconds, budget_mib: 0 });
  await stop(page);
  const kept = await runFor(page, { scenario, seconds, budget_mib: BUDGET_MIB });
  const [atOnce] = await timesTo(page, [{ events_back: 1 }]);
  const runNs = kept.run_ns - 2 * MS;
  const [millisecond] = await timesTo(page, [{ run_ns: Math.max(0, runNs) }]);
  await timesTo(page, [{ run_ns: kept.run_ns }]);
  await rest(page);
  const [first, ...others] = await timesTo(page, Array(STEPS_BACK).fill({ events_back: 1 }));
  const [start] = await timesTo(page, [{ run_ns: 0 }]);
  await stop(page);
  return {
    cost_percent: 100 * (1 - eventsPerMs(kept) / eventsPerMs(without)),
    mib_per_s: kept.past.bytes / MIB / (kept.host_ms / 1000),
    at_once_ms: atOnce,
    first_ms: first,
    event_ms: median(others),
    millisecond_ms: millisecond,
    start_ms: start,
  };
}

export async function measure({ rounds, seconds }) {
  await buildPage();
  return withBrowser(async (bench) => {
    const rows = [];
    for (const { manifest } of await scenarioLoads()) {
      // A new page for each bug: memory left behind by another bug would be copied too.
      const page = await openPage(bench);
      const all = [];
      for (let round = 0; round < rounds; ++round) all.push(await measureRound(page, manifest.id, seconds));
      await page.context().close();
      const of = (name) => spread(all.map((figures) => figures[name]));
      rows.push({
        measure: `rewind, ${manifest.id}, ${seconds} s of worker time`,
        'cost %': of('cost_percent'),
        'MiB/s': of('mib_per_s'),
        'an event back at once, ms': of('at_once_ms'),
        'the first one after a rest, ms': of('first_ms'),
        'each further one, ms': of('event_ms'),
        '2 ms back, ms': of('millisecond_ms'),
        'to the start, ms': of('start_ms'),
        aim: 'cost at most 10 %; an event back in at most 100 ms',
      });
    }
    return rows;
  });
}
