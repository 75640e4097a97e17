// How fast the virtual server runs on this host: events per second of one contended mutex, natively and in
// Chromium, by number of threads; shared operations of two scenarios; memory per thread.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildNative, buildWasm } from '../builds.mjs';
import { commandOutput } from '../processes.mjs';
import { withChromium } from './browser.mjs';
import { spread } from './statistics.mjs';

const EVENTS = { native: 20_000_000, chromium: 4_000_000 };
const THREADS = [8, 32, 128, 512, 1024];
const AIMS_32 = { native: 'at least 30 million/s', chromium: 'at least 4 million/s' };
const SCENARIOS = {
  '#117533 after the UPDATE': {
    scenario: 'undo-read-117533',
    platform: 'virtual',
    duration_s: 0.05,
    parameters: { rows: 1000 },
    actions: [{ at_s: 0.001, action: 'update_k' }],
  },
  '#69276': { scenario: 'fil-mutex-69276', platform: 'virtual', duration_s: 0.03 },
};
const ORIGIN = 'http://bench.latchscope.test/';
const DRIVER = new URL('../engine-driver.mjs', import.meta.url);

/** A page that gets the files of a folder from the test itself, without isolation. */
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

async function scenarioNatively(folder, spec) {
  const began_ms = performance.now();
  const input = JSON.stringify({ version: 1, ...spec });
  const { model } = JSON.parse(
    await commandOutput(join(folder, 'latchscope'), ['run', '--spec', '-', '--json', '-'], { input }),
  );
  return model.events / ((performance.now() - began_ms) / 1000);
}

const scenarioInPage = (page, spec) =>
  page.evaluate(async (run_spec) => {
    const { default: createEngine } = await import('/engine-virtual.mjs');
    const { driverOf } = await import('/engine-driver.mjs');
    const driver = driverOf(await createEngine());
    driver.create(run_spec);
    const began_ms = performance.now();
    driver.run();
    const { model } = JSON.parse(driver.result());
    return model.events / ((performance.now() - began_ms) / 1000);
  }, spec);

async function times(rounds, work) {
  const values = [];
  for (let round = 0; round < rounds; ++round) values.push(await work());
  return values;
}

export async function measure({ rounds }) {
  const { folder: native } = await buildNative('virtual');
  const wasm = await buildWasm('virtual');
  await buildWasm('virtual', { target: 'machine_bench' });
  const rows = [];
  await withChromium(async (browser) => {
    const page = await openFolder(await browser.newContext(), wasm);
    for (const threads of THREADS) {
      const natively = await times(rounds, () => contestNatively(native, threads));
      const inPage = await times(rounds, () => contestInPage(page, threads));
      rows.push({
        measure: `events/s of one contended mutex, ${threads} threads`,
        native: spread(natively.map(({ events_per_s }) => events_per_s)),
        chromium: spread(inPage.map(({ events_per_s }) => events_per_s)),
        ...(threads === 32 ? { aim: `natively ${AIMS_32.native}, in Chromium ${AIMS_32.chromium}` } : {}),
      });
      if (threads === THREADS.at(-1)) rows.push(await memoryRow(native, natively[0], inPage[0]));
    }
    for (const [name, spec] of Object.entries(SCENARIOS)) {
      rows.push({
        measure: `events/s of ${name}, loading included natively`,
        native: spread(await times(rounds, () => scenarioNatively(native, spec))),
        chromium: spread(await times(rounds, () => scenarioInPage(page, spec))),
      });
    }
  });
  return rows;
}

async function memoryRow(native, most, inPage) {
  const few = await contestNatively(native, THREADS[0]);
  const kib = (most.memory_kib - few.memory_kib) / (most.threads - few.threads);
  return {
    measure: 'memory per thread, KiB: used natively; taken in WebAssembly',
    native: kib,
    chromium: inPage.stack_bytes / 1024,
  };
}
