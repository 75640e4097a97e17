// Measures how much faster the runs of a comparison on the virtual server are on all workers of the
// page than on one. The ratio is measured in interleaved rounds, with one page for each. Both must
// give the same results.
import assert from 'node:assert/strict';

import { buildPage } from '../../tools/builds.mjs';
import { openPage, withBrowser } from './browser.mjs';
import { spread } from './statistics.mjs';

const COMPARISON = {
  version: 1,
  scenario: 'undo-read-117533',
  platform: 'virtual',
  threads: 32,
  parameters: { rows: 1000 },
  repeats: 4,
};

const openWith = (bench, cores) =>
  openPage(bench, {
    beforeOpening: (page) =>
      page.addInitScript((number) => {
        if (number !== null)
          Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => number, configurable: true });
      }, cores),
  });

const compareIn = (page, comparison) =>
  page.evaluate(async (given) => {
    const beganMs = performance.now();
    const { runs } = await window.latchscope.compare(given);
    const tookMs = performance.now() - beganMs;
    // Excludes only how long each run took on this machine.
    return { took_ms: tookMs, results: JSON.stringify(runs.map((run) => ({ ...run, took_s: 0 }))) };
  }, comparison);

export async function measure({ rounds, seconds }) {
  await buildPage();
  return withBrowser(async (bench) => {
    const oneWorker = await openWith(bench, 1);
    const allWorkers = await openWith(bench, null);
    const cores = await allWorkers.evaluate(() => navigator.hardwareConcurrency);
    const comparison = { ...COMPARISON, duration_s: 0.02 * seconds };
    const ratios = [];
    // Round -1 is not counted: it loads the engines.
    for (let round = -1; round < rounds; ++round) {
      const alone = await compareIn(oneWorker, comparison);
      const together = await compareIn(allWorkers, comparison);
      assert.equal(together.results, alone.results, 'the number of workers must not change the results');
      if (round >= 0) ratios.push(alone.took_ms / together.took_ms);
    }
    return [
      {
        measure: `${2 * COMPARISON.repeats} runs of a comparison on ${cores} cores, time on one worker / on all`,
        speedup: spread(ratios),
        aim: 'near the number of cores',
      },
    ];
  });
}
