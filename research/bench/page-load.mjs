// Measures the time until the page is usable and the bytes transferred until then, compressed as a
// web server would.
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { buildPage } from '../../tools/builds.mjs';
import { openPage, withBrowser } from './browser.mjs';
import { spread } from './statistics.mjs';

const AIM_KB_MAX = { js: 200, wasm: 300 };

function kindOf(url) {
  return /\.(\w+)(\?.*)?$/.exec(new URL(url).pathname)?.[1] ?? 'html';
}

async function loadOnce(bench) {
  const bodies = new Map();
  const pending = [];
  const page = await openPage(bench, {
    beforeOpening: (opened) =>
      opened.on('response', (response) => {
        pending.push(
          response.body().then(
            (body) => bodies.set(response.url(), body),
            () => {},
          ),
        );
      }),
  });
  const times = await page.evaluate(() => ({
    ready_ms: performance.now(),
    paint_ms: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  }));
  await Promise.all(pending);
  await page.context().close();
  return { ...times, bodies };
}

function transferRow(kind, bodies) {
  const matching = [...bodies].filter(
    ([url]) => kindOf(url) === kind || (kind === 'js' && kindOf(url) === 'mjs'),
  );
  const kB = (compress) => matching.reduce((sum, [, body]) => sum + compress(body).length, 0) / 1000;
  return {
    measure: `transfer of ${kind}, kB`,
    files: matching.length,
    brotli: kB(brotliCompressSync),
    gzip: kB(gzipSync),
    plain: kB((body) => body),
    ...(AIM_KB_MAX[kind] ? { aim: `brotli <= ${AIM_KB_MAX[kind]}` } : {}),
  };
}

export async function measure({ rounds }) {
  await buildPage();
  return withBrowser(async (bench) => {
    const loads = [];
    for (let round = 0; round < rounds; ++round) loads.push(await loadOnce(bench));
    return [
      { measure: 'first contentful paint, ms', time: spread(loads.map((load) => load.paint_ms)) },
      { measure: 'engine ready (all threads started), ms', time: spread(loads.map((load) => load.ready_ms)) },
      ...['js', 'wasm', 'css', 'html'].map((kind) => transferRow(kind, loads[0].bodies)),
    ];
  });
}
