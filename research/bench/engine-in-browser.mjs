// Compares engine throughput in Chromium with a native build of the same sources.
import { buildCommandLine, buildPage } from '../../tools/builds.mjs';
import { runNatively } from '../../tools/native-engine.mjs';
import { openPage, runInPage, withBrowser } from './browser.mjs';
import { scenarioLoads, specOf, tpsFrom } from './scenario-loads.mjs';
import { spread } from './statistics.mjs';

const AIM_RATIO_MIN = 0.8;
const THREADS = [1, 2];
const DESIGN = 'fixed'; // Measures the engine's cost, not the effect of a lock.
const DESIGNS_OF = { 'fil-mutex-69276': ['original', 'fixed'] };

export async function measure({ rounds, seconds }) {
  await buildPage();
  const engine = await buildCommandLine();
  const rows = [];
  await withBrowser(async (bench) => {
    const page = await openPage(bench);
    for (const scenario of await scenarioLoads()) {
      for (const design of DESIGNS_OF[scenario.manifest.id] ?? [DESIGN]) {
        for (const threads of THREADS) {
          const spec = specOf(scenario, { design, seconds, threads });
          const pairs = [];
          for (let round = 0; round < rounds; ++round)
            pairs.push(await measurePair(engine, page, scenario, spec));
          rows.push(rowOf(spec, design, pairs));
        }
      }
    }
  });
  return rows;
}

async function measurePair(engine, page, { load }, spec) {
  const native = tpsFrom(await runNatively(engine, spec), load.measured_from_s);
  const chromium = tpsFrom(await runInPage(page, spec), load.measured_from_s);
  return { native, chromium, ratio: chromium / native };
}

function rowOf({ scenario, threads }, design, pairs) {
  return {
    measure: `transactions/s, ${scenario}, ${design}, ${threads} thread${threads > 1 ? 's' : ''}`,
    native: spread(pairs.map((pair) => pair.native)),
    chromium: spread(pairs.map((pair) => pair.chromium)),
    ratio: spread(pairs.map((pair) => pair.ratio)),
    aim: `ratio >= ${AIM_RATIO_MIN}`,
  };
}
