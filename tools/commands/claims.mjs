// Runs what scenarios/*/claims.json claim, on the native engines, and prints a line for each claim. Ends with 1 if one does not
// hold.
//   node tools/claims.mjs [--only scenario[,scenario ...]]
import { join } from 'node:path';

import { buildCommandLine } from '../builds.mjs';
import { judge, judgeVirtual } from '../claims/judge.mjs';
import { claimsFile, readClaims } from '../claims/read.mjs';
import { namesOf, readArguments } from '../command-line.mjs';
import { runNatively } from '../native-engine.mjs';
import { CommandFailed, repository } from '../processes.mjs';
import { ScenarioError } from '../scenario-files.mjs';
import { readManifests, scenarioIds } from '../scenario-manifests.mjs';

const SPEC_REFUSED = 2; // wasm-engine/api/latchscope_main.cc

/**
 * @param {string} engine build folder of the native engine
 * @param {string} scenario id
 * @param {import('../claims/read.mjs').Claims} claims
 * @returns {Promise<Record<string, object>>} run results by the names of the runs
 */
async function runAll(engine, scenario, { runs }) {
  const results = {};
  for (const [name, run] of Object.entries(runs)) {
    try {
      results[name] = await runNatively(engine, { scenario, ...run });
    } catch (error) {
      if (error.outcome !== SPEC_REFUSED) throw error;
      throw new ScenarioError([`${claimsFile(scenario)}: runs.${name}: refused by the engine, see above`]);
    }
  }
  return results;
}

/** @returns {Promise<import('../claims/judge.mjs').Verdict[]>} */
async function verdictsOn(engines, id, claims) {
  try {
    const verdicts = judge(claims, await runAll(engines.threads, id, claims));
    if (claims.virtual !== undefined)
      verdicts.push(...(await virtualVerdicts(engines.virtual, id, claims.virtual)));
    return verdicts;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return [{ ok: false, sentence: 'Every run ends.', detail: error.message }];
  }
}

async function virtualVerdicts(engine, id, virtual) {
  const resultsBySeed = [];
  for (const seed of virtual.seeds) {
    const runs = Object.entries(virtual.runs).map(([name, run]) => [
      name,
      { platform: 'virtual', seed, ...run },
    ]);
    resultsBySeed.push(await runAll(engine, id, { runs: Object.fromEntries(runs) }));
  }
  return judgeVirtual(virtual, resultsBySeed);
}

function print({ ok, sentence, detail }) {
  console.log(`    ${ok ? 'ok  ' : 'FAIL'} ${sentence}${detail ? ` [${detail}]` : ''}`);
}

/**
 * Checks the claims about some scenarios.
 * @param {{ engines: { threads: string, virtual: string }, scenarios: string, ids: string[] }} options `engines`: build folders
 *   by platform; `scenarios`: folder scenarios/
 * @returns {Promise<{ held: number, failed: number }>}
 */
export async function checkClaims({ engines, scenarios, ids }) {
  const counts = { held: 0, failed: 0 };
  const claimed = [];
  for (const id of ids) claimed.push([id, await readClaims(scenarios, id)]);
  for (const [id, claims] of claimed) {
    console.log(id);
    const verdicts = await verdictsOn(engines, id, claims);
    verdicts.forEach(print);
    counts.held += verdicts.filter(({ ok }) => ok).length;
    counts.failed += verdicts.filter(({ ok }) => !ok).length;
  }
  return counts;
}

export async function main(args) {
  const { values } = readArguments(args, { only: { type: 'string' } });
  const scenarios = join(repository, 'scenarios');
  const wanted = namesOf('--only', values.only, scenarioIds(scenarios));
  const engines = { threads: await buildCommandLine(), virtual: await buildCommandLine('virtual') };
  const ids = (await readManifests(scenarios)).map(({ id }) => id).filter((id) => wanted.includes(id));
  const { held, failed } = await checkClaims({ engines, scenarios, ids });
  console.log(`claims: ${held} hold, ${failed} do not`);
  if (failed > 0) process.exitCode = 1;
}
