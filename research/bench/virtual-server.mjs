// Measures how fast this machine simulates the virtual server:
// - events per second of one contended mutex, by thread count
// - events per second of each scenario as reported, without loading
// - host seconds that one second of the slowest scenario takes in Chromium
// - memory per thread
//
// Native runs and runs in Chromium alternate, and the ratio is reported.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildNative, buildWasm } from '../../tools/builds.mjs';
import { commandOutput } from '../../tools/processes.mjs';
import { withChromium } from './browser.mjs';
import { spread } from './statistics.mjs';

const EVENTS = { native: 20_000_000, chromium: 4_000_000 };
const THREADS = [8, 32, 128, 512, 1024];
const AIMS_32 = { native: 'at least 30 million/s', chromium: 'at least 4 million/s' };
const RATIO_AIM = 'ratio >= 0.6';
const UNDO_READS = {
  scenario: 'undo-read-117533',
  threads: 32,
  parameters: { rows: 10_000 },
  actions: [{ at_s: 0.001, action: 'update_k' }],
};
/** Durations that take about a second natively. */
const SCENARIOS = [
  { ...UNDO_READS, duration_s: 0.1 },
  { scenario: 'fil-mutex-69276', threads: 54, duration_s: 0.1 },
  { scenario: 'aio-wakeup-95491', threads: 256, duration_s: 0.1 },
  { scenario: 'xa-gtid-99638', threads: 400, duration_s: 0.5 },
  { scenario: 'binlog-purge-104615', threads: 200, duration_s: 0.5 },
].map((spec) => ({ version: 1, platform: 'virtual', interval_s: 0.05, ...spec }));
const ONE_SECOND = { ...SCENARIOS[0], duration_s: 1 };
const ONE_SECOND_AIM_S = 10;
const ORIGIN = 'http://bench.latchscope.test/';
const DRIVER = new URL('../../tools/engine-driver.mjs', import.meta.url);

/** Opens a page whose files come from a folder, without cross-origin isolation. */
async function openFolder(context, folder) {
  const types = { mjs: 'text/javascript', wasm: 'application/wasm' };
  await context.route(`${ORIGIN}**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === '') return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' });
    if (!/^[\w-]+\.(mjs|wasm)$/.test(name)) return route.fulfill({ status: 404 });
    const body = readFileSync(name === 'engine-driver.mjs' ? DRIVER : join(folder, name));
    return route.fulfill({ contentType: types[name.split('.')[1]], body });
  });
  const page = await context.newPage();
  await page.goto(ORIGIN);
  return page;
}

async function contestNatively(folder, threads) {
  const args = [String(EVENTS.native), String(threads)];
  return JSON.parse(await commandOutput(join(folder, 'machine_bench'), args));
}

const contestInPage = (page, threads) =>
  page.evaluate(
    async ([events, number]) => {
      const { default: run } = await import('/machine_bench.mjs');
      const lines = [];
      await run({ arguments: [String(events), String(number)], print: (line) => lines.push(line) });
      return JSON.parse(lines[0]);
    },
    [EVENTS.chromium, threads],
  );

const withRate = (run) => ({ ...run, events_per_s: run.events / run.host_s });

const scenarioNatively = async (folder, spec) =>
  withRate(JSON.parse(await commandOutput(join(folder, 'scenario_bench'), [JSON.stringify(spec)])));

const scenarioInPage = async (page, spec) =>
  withRate(
    await page.evaluate(async (runSpec) => {
      const { default: createEngine } = await import('/engine-virtual.mjs');
      const { driverOf } = await import('/engine-driver.mjs');
      const driver = driverOf(await createEngine());
      driver.create(runSpec);
      const eventsBefore = driver.events();
      const beganMs = performance.now();
      driver.run();
      const hostS = (performance.now() - beganMs) / 1000;
      return { events: driver.events() - eventsBefore, host_s: hostS };
    }, spec),
  );

/** Alternates between native runs and runs in the page. */
async function inTurns(rounds, natively, inPage) {
  const pairs = [];
  for (let round = 0; round < rounds; ++round)
    pairs.push({ native: await natively(), chromium: await inPage() });
  return {
    first: pairs[0],
    rates: {
      native: spread(pairs.map(({ native }) => native.events_per_s)),
      chromium: spread(pairs.map(({ chromium }) => chromium.events_per_s)),
      ratio: spread(pairs.map(({ native, chromium }) => chromium.events_per_s / native.events_per_s)),
    },
  };
}

export async function measure({ rounds }) {
  const { folder: native } = await buildNative('virtual');
  const wasm = await buildWasm('virtual');
  await buildWasm('virtual', { target: 'machine_bench' });
  const rows = [];
  await withChromium(async (browser) => {
    const page = await openFolder(await browser.newContext(), wasm);
    for (const threads of THREADS) {
      const { first, rates } = await inTurns(
        rounds,
        () => contestNatively(native, threads),
        () => contestInPage(page, threads),
      );
      rows.push({
        measure: `events/s on one contended mutex, ${threads} threads`,
        ...rates,
        ...(threads === 32
          ? { aim: `natively ${AIMS_32.native}, in Chromium ${AIMS_32.chromium}, ${RATIO_AIM}` }
          : {}),
      });
      if (threads === THREADS.at(-1)) rows.push(await memoryRow(native, first.native, first.chromium));
    }
    for (const spec of SCENARIOS) {
      const { rates } = await inTurns(
        rounds,
        () => scenarioNatively(native, spec),
        () => scenarioInPage(page, spec),
      );
      rows.push({
        measure: `events/s of ${spec.scenario}, ${spec.threads} threads`,
        ...rates,
        aim: RATIO_AIM,
      });
    }
    rows.push({
      measure: `host seconds per virtual second of ${ONE_SECOND.scenario} in Chromium, measured once`,
      chromium: (await scenarioInPage(page, ONE_SECOND)).host_s,
      aim: `at most ${ONE_SECOND_AIM_S}`,
    });
  });
  return rows;
}

async function memoryRow(native, most, inPage) {
  const few = await contestNatively(native, THREADS[0]);
  const kib = (most.memory_kib - few.memory_kib) / (most.threads - few.threads);
  return {
    measure: 'memory per thread, KiB: used natively, reserved in WebAssembly',
    native: kib,
    chromium: inPage.stack_bytes / 1024,
  };
}
