// Compares the original and the fixed design of each scenario, natively and in Chromium.
import { buildCommandLine, buildPage } from '../../tools/builds.mjs';
import { runNatively } from '../../tools/native-engine.mjs';
import { openPage, runInPage, withBrowser } from './browser.mjs';
import { scenarioLoads, specOf, tpsFrom } from './scenario-loads.mjs';
import { spread } from './statistics.mjs';

const DESIGNS = ['original', 'fixed'];

/** Runs both designs once. Which one runs first alternates from round to round. */
async function measureRound(run, scenario, { round, seconds }) {
  const tps = {};
  for (const design of round % 2 === 0 ? DESIGNS : DESIGNS.toReversed()) {
    const result = await run(specOf(scenario, { design, seconds }));
    tps[design] = tpsFrom(result, scenario.load.measured_from_s);
  }
  return { ...tps, ratio: tps.fixed / tps.original };
}

function rowOf({ manifest, load }, host, rounds) {
  const spreadOf = (name) => spread(rounds.map((round) => round[name]));
  return {
    measure: `transactions/s, ${manifest.id}, ${load.threads} threads, ${host}`,
    original: spreadOf('original'),
    fixed: spreadOf('fixed'),
    ratio: spreadOf('ratio'),
  };
}

export async function measure({ rounds, seconds }) {
  await buildPage();
  const engine = await buildCommandLine();
  const rows = [];
  await withBrowser(async (bench) => {
    const page = await openPage(bench);
    const hosts = { native: (spec) => runNatively(engine, spec), Chromium: (spec) => runInPage(page, spec) };
    for (const scenario of await scenarioLoads()) {
      const measured = { native: [], Chromium: [] };
      for (let round = 0; round < rounds; ++round) {
        for (const [host, run] of Object.entries(hosts)) {
          measured[host].push(await measureRound(run, scenario, { round, seconds }));
        }
      }
      for (const [host, roundsOfHost] of Object.entries(measured))
        rows.push(rowOf(scenario, host, roundsOfHost));
    }
  });
  return rows;
}
