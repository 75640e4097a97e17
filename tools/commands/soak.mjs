// npm run soak: runs one bug after another in the page for minutes, with knob changes and on both
// platforms. After each round it collects garbage and reads the memory. Exits with 1 if memory
// still grows after the first third, or if a run broke an invariant.
//   npm run soak [-- --minutes N]
//   --minutes  sets how long to run; default: 10
import { openPage, runInPage, withBrowser } from '../../research/bench/browser.mjs';
import { buildPage } from '../builds.mjs';
import { readArguments, usageError } from '../command-line.mjs';

const MINUTES_MAX = 600;
/** The first rounds fill ring buffers and caches. */
const WARM_UP_PART = 1 / 3;
/** Allowed growth from the lowest reading after the warm-up to the last one. */
const GROWTH_MAX = 0.1;

const SPECS = [
  {
    scenario: 'undo-read-117533',
    platform: 'virtual',
    duration_s: 0.02,
    interval_s: 0.005,
    parameters: { rows: 1000 },
    actions: [
      { at_s: 0.004, action: 'update_k' },
      { at_s: 0.01, knob: 'undo_page_size_lookup', variant: 'cached' },
    ],
  },
  { scenario: 'xa-gtid-99638', platform: 'virtual', duration_s: 0.05, interval_s: 0.01 },
  { scenario: 'fil-mutex-69276', platform: 'virtual', duration_s: 0.005, interval_s: 0.001 },
  {
    scenario: 'undo-read-117533',
    platform: 'threads',
    duration_s: 5,
    actions: [
      { at_s: 1, action: 'update_k' },
      { at_s: 3, knob: 'undo_page_size_lookup', variant: 'cached' },
    ],
  },
  { scenario: 'binlog-purge-104615', platform: 'threads', duration_s: 4 },
];

function minutesFrom(args) {
  const { values } = readArguments(args, { minutes: { type: 'string', default: '10' } });
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= MINUTES_MAX))
    throw usageError('--minutes', values.minutes, `more than 0, up to ${MINUTES_MAX}`);
  return minutes;
}

/** Collects garbage, then returns the bytes of JavaScript objects and the number of DOM nodes. */
async function memoryOf(devtools) {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const value = (name) => metrics.find((metric) => metric.name === name).value;
  return { heap_bytes: value('JSHeapUsedSize'), nodes: value('Nodes') };
}

async function soak(bench, minutes) {
  const page = await openPage(bench);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const readings = [];
  const endsMs = Date.now() + minutes * 60_000;
  do {
    for (const spec of SPECS) await soundRun(page, spec);
    const memory = await memoryOf(devtools);
    readings.push(memory);
    console.log(
      `round ${readings.length}: ${(memory.heap_bytes / 2 ** 20).toFixed(1)} MiB of JavaScript objects, ${memory.nodes} DOM nodes`,
    );
  } while (Date.now() < endsMs);
  return readings;
}

async function soundRun(page, spec) {
  const { scenario, platform, invariants } = { ...spec, ...(await runInPage(page, { version: 1, ...spec })) };
  const broken = invariants.filter(({ ok }) => !ok);
  if (broken.length > 0) {
    throw new Error(
      `${scenario} on ${platform}: ${broken.map(({ name, detail }) => `${name}: ${detail}`).join('; ')}`,
    );
  }
}

/** Describes the growth after the warm-up; empty if memory did not grow. */
function growth(readings) {
  const warm = readings.slice(Math.floor(readings.length * WARM_UP_PART));
  return ['heap_bytes', 'nodes'].flatMap((name) => {
    const values = warm.map((reading) => reading[name]);
    const lowest = Math.min(...values);
    const grown = values.at(-1) / lowest - 1;
    return grown > GROWTH_MAX
      ? [`${name}: ${lowest} to ${values.at(-1)}, ${(grown * 100).toFixed(1)} % more`]
      : [];
  });
}

export async function main(args) {
  const minutes = minutesFrom(args);
  await buildPage();
  const readings = await withBrowser((bench) => soak(bench, minutes));
  const grown = growth(readings);
  console.log(
    grown.length === 0
      ? `memory does not grow over ${readings.length} rounds`
      : `memory grows: ${grown.join('; ')}`,
  );
  process.exitCode = grown.length === 0 ? 0 : 1;
}
