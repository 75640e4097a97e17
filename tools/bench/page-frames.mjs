// Main-thread time per frame while 32 clients run: CPU time of all tasks of the page's main thread in each 1/60 s, from a
// Chromium trace.
import { buildPage } from '../build.mjs';
import { openPage, withBrowser } from './browser.mjs';
import { percentile } from './statistics.mjs';

const AIM_P95_MS_MAX = 4;
const FRAME_US = 1e6 / 60;
const CLIENTS = 32;

function mainThreadOf(events) {
  const mains = events.filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain');
  const tasksOf = (main) =>
    events.filter((e) => e.pid === main.pid && e.tid === main.tid && isTask(e)).length;
  return mains.map((main) => ({ main, tasks: tasksOf(main) })).sort((a, b) => b.tasks - a.tasks)[0].main;
}

// Chromium reports each task twice, under two names, and the few that it could not time on the CPU's clock without `tdur`.
const isTask = (event) => event.ph === 'X' && event.name === 'RunTask' && event.tdur !== undefined;

function timePerFrame_ms(events) {
  const main = mainThreadOf(events);
  const tasks = events.filter((e) => e.pid === main.pid && e.tid === main.tid && isTask(e));
  const first_us = Math.min(...tasks.map((task) => task.ts));
  const last_us = Math.max(...tasks.map((task) => task.ts));
  const frames = new Array(Math.floor((last_us - first_us) / FRAME_US) + 1).fill(0);
  for (const task of tasks) frames[Math.floor((task.ts - first_us) / FRAME_US)] += task.tdur / 1000;
  return frames;
}

export async function measure({ seconds }) {
  await buildPage();
  return withBrowser(async (bench) => {
    const page = await openPage(bench);
    const spec = { version: 1, scenario: 'fil-mutex-69276', threads: CLIENTS, duration_s: seconds + 4 };
    const run = page.evaluate((given) => window.latchscope.run(given).then(() => true), spec);
    await page.waitForFunction(() => (window.latchscope.snapshot().live?.run_s ?? 0) > 2);
    await bench.browser.startTracing(page, {
      categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata'],
    });
    await page.waitForFunction((end) => window.latchscope.snapshot().live.run_s > end, seconds + 2);
    const trace = JSON.parse((await bench.browser.stopTracing()).toString('utf8'));
    await run;
    const frames = timePerFrame_ms(trace.traceEvents);
    return [
      {
        measure: `main-thread time per frame, ${CLIENTS} clients, ms`,
        p50: percentile(frames, 50),
        p95: percentile(frames, 95),
        p99: percentile(frames, 99),
        frames: frames.length,
        aim: `p95 <= ${AIM_P95_MS_MAX}`,
      },
    ];
  });
}
