// Measures main-thread time per frame on both platforms. Cases: the report's number of clients, the
// page's maximum, and a pointer that moves over charts. The time is
// the CPU time of all main-thread tasks in each 1/60 s, from a Chromium trace. Also measures the
// time between frames that the page drew.
import { buildPage } from '../../tools/builds.mjs';
import { openPage, withBrowser } from './browser.mjs';
import { percentile, spread } from './statistics.mjs';

const AIM_P95_MS_MAX = 4;
const FRAME_US = 1e6 / 60;
const onThreads = { scenario: 'fil-mutex-69276', platform: 'threads' };
const onTheVirtualServer = { scenario: 'undo-read-117533', platform: 'virtual' };
const middleChart = (page) => page.getByRole('slider', { name: 'Time in Latency' });
/** Here each wait has a line to its holder. */
const lanes = (page) => page.locator('.lane-chart');
const loads = [
  { name: '32 clients', spec: { ...onThreads, threads: 32 } },
  { name: '64 clients', spec: { ...onThreads, threads: 64 } },
  { name: '64 clients, pointer moves', spec: { ...onThreads, threads: 64 }, pointer_over: middleChart },
  { name: '64 virtual clients', spec: { ...onTheVirtualServer, threads: 64 } },
  {
    name: '64 virtual clients, pointer moves',
    spec: { ...onTheVirtualServer, threads: 64 },
    pointer_over: middleChart,
  },
  {
    name: '64 virtual clients, pointer moves over the lanes',
    spec: { ...onTheVirtualServer, threads: 64 },
    pointer_over: lanes,
  },
];

function mainThreadOf(events) {
  const mains = events.filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain');
  const tasksOf = (main) =>
    events.filter((e) => e.pid === main.pid && e.tid === main.tid && isTask(e)).length;
  return mains.map((main) => ({ main, tasks: tasksOf(main) })).sort((a, b) => b.tasks - a.tasks)[0].main;
}

// The few tasks that Chromium could not time by the CPU clock have no `tdur`.
const isTask = (event) =>
  event.ph === 'X' && event.name === 'ThreadControllerImpl::RunTask' && event.tdur !== undefined;

function timePerFrameMs(events) {
  const main = mainThreadOf(events);
  const tasks = events.filter((e) => e.pid === main.pid && e.tid === main.tid && isTask(e));
  const firstUs = Math.min(...tasks.map((task) => task.ts));
  const lastUs = Math.max(...tasks.map((task) => task.ts));
  const frames = new Array(Math.floor((lastUs - firstUs) / FRAME_US) + 1).fill(0);
  for (const task of tasks) frames[Math.floor((task.ts - firstUs) / FRAME_US)] += task.tdur / 1000;
  return frames;
}

/**
 * Moves the pointer over a chart from edge to edge and back, until `isOver`. The chart's position
 * is determined before tracing, because Playwright computes it on the main thread.
 */
async function movePointerOver(page, { x, y, width, height }, isOver) {
  for (let step = 0; !isOver(); step += 1) {
    const part = Math.abs(((step * 0.01) % 2) - 1);
    await page.mouse.move(x + width * part, y + height / 2);
  }
}

async function placeOf(chart) {
  await chart.scrollIntoViewIfNeeded();
  return chart.boundingBox();
}

/** Starts recording the time of each frame of the page. */
function noteFrames() {
  window.frame_times_ms = [];
  const note = (nowMs) => {
    window.frame_times_ms.push(nowMs);
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}

const differences = (times) => times.slice(1).map((time, i) => time - times[i]);

/** Waits until the page's clock has advanced this much. */
const pass = (page, seconds) =>
  page.evaluate(async (ms) => {
    const endMs = performance.now() + ms;
    while (performance.now() < endMs) await new Promise(requestAnimationFrame);
  }, seconds * 1000);

async function traceLoad(bench, { spec, pointer_over }, seconds) {
  const page = await openPage(bench);
  const run = page.evaluate((given) => window.latchscope.run(given).then(() => true), {
    version: 1,
    ...spec,
  });
  await page.waitForFunction(() => (window.latchscope.snapshot().live?.run_s ?? 0) > 0);
  await pass(page, 2);
  const place = pointer_over && (await placeOf(pointer_over(page)));
  await page.evaluate(noteFrames);
  // Traces only the categories that are needed: tracing other events takes time in the measured
  // tasks.
  await bench.browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  let isOver = false;
  const meanwhile = place && movePointerOver(page, place, () => isOver);
  await pass(page, seconds);
  isOver = true;
  await meanwhile;
  const trace = JSON.parse((await bench.browser.stopTracing()).toString('utf8'));
  const frameTimesMs = await page.evaluate(() => window.frame_times_ms);
  await page.evaluate(() => window.latchscope.stop());
  await run;
  await page.context().close();
  return { work_ms: timePerFrameMs(trace.traceEvents), apart_ms: differences(frameTimesMs) };
}

const percentilesOf = (values) => ({
  p50: percentile(values, 50),
  p95: percentile(values, 95),
  p99: percentile(values, 99),
});

/** @param {number[][]} rounds the values of each frame, by round */
function rowOf(measure, rounds, aim) {
  const percentiles = rounds.map(percentilesOf);
  const of = (name) => spread(percentiles.map((round) => round[name]));
  return {
    measure,
    p50: of('p50'),
    p95: of('p95'),
    p99: of('p99'),
    frames: spread(rounds.map(({ length }) => length)),
    aim,
  };
}

const rowsOf = (name, rounds) => [
  rowOf(
    `main-thread time per frame, ${name}, ms`,
    rounds.map(({ work_ms }) => work_ms),
    `p95 <= ${AIM_P95_MS_MAX}`,
  ),
  rowOf(
    `time between frames, ${name}, ms`,
    rounds.map(({ apart_ms }) => apart_ms),
    `p50 <= ${(FRAME_US / 1000).toFixed(1)}`,
  ),
];

export async function measure({ rounds, seconds }) {
  await buildPage();
  return withBrowser(async (bench) => {
    const measured = loads.map(() => []);
    for (let round = 0; round < rounds; ++round)
      for (const [i, load] of loads.entries()) measured[i].push(await traceLoad(bench, load, seconds));
    return loads.flatMap(({ name }, i) => rowsOf(name, measured[i]));
  });
}
