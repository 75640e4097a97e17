// Engine throughput in Chromium against the native build from the same sources.
import { buildCommandLine, buildPage } from '../build.mjs';
import { openPage, runInPage, withBrowser } from './browser.mjs';
import { runNatively } from '../native-engine.mjs';
import { spread } from './statistics.mjs';

const AIM_RATIO_MIN = 0.8;
const DESIGNS = ['global_mutex', 'atomic_word'];

function specOf(variant, threads, duration_s) {
  return {
    version: 1,
    scenario: 'fil-mutex-69276',
    threads,
    duration_s,
    design: { tablespace_lookup: variant },
  };
}

export async function measure({ rounds, seconds }) {
  await buildPage();
  const folder = await buildCommandLine();
  const rows = [];
  await withBrowser(async (bench) => {
    const page = await openPage(bench);
    for (const variant of DESIGNS) {
      for (const threads of [1, 2]) {
        const pairs = [];
        const spec = specOf(variant, threads, seconds);
        for (let round = 0; round < rounds; ++round) {
          const native = (await runNatively(folder, spec)).totals.tps;
          const browser = (await runInPage(page, spec)).totals.tps;
          pairs.push({ native, browser, ratio: browser / native });
        }
        rows.push({
          measure: `look-ups/s, ${variant}, ${threads} thread${threads > 1 ? 's' : ''}`,
          native: spread(pairs.map((pair) => pair.native)),
          chromium: spread(pairs.map((pair) => pair.browser)),
          ratio: spread(pairs.map((pair) => pair.ratio)),
          aim: `ratio >= ${AIM_RATIO_MIN}`,
        });
      }
    }
  });
  return rows;
}
