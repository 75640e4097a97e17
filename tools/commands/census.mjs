// Compares each count in scenarios/*/measured/*.json with the engine's for the variant that stands for that server: within 2 %, or
// listed in scenarios/<bug>/census.json with a reason and bounds. Needs no server. Ends with 1 if a count is neither.
//   npm run census -- [--only scenario[,...]] [--all] [--update]
//   --all      prints the counts that agree, too
//   --update   writes the bounds of the exceptions anew, keeps their reasons, and removes those whose counts agree now; and what the
//              engine counts, which the page shows, to scenarios/census-results.json
import { join } from 'node:path';

import { buildCommandLine } from '../builds.mjs';
import { namesOf, readArguments } from '../command-line.mjs';
import { writeWhole } from '../files.mjs';
import { repository } from '../processes.mjs';
import { readManifests, scenarioIds } from '../scenario-manifests.mjs';
import { ensureNodeModules } from '../setup/index.mjs';

const SCENARIOS = join(repository, 'scenarios');

const shown = (value) => value.toFixed(3);
const lineOf = ({ experiment, figure, version, server, clients, measured, engine }) =>
  `${server} ${version}, ${experiment}, ${clients} clients: ${figure} ${shown(measured)}, engine ${shown(engine)}`;
const nameOf = ({ experiment, figure, servers }) => `${experiment}, ${figure}, ${servers.join(' ')}`;

async function compareScenario(engine, manifest) {
  const { readCensus } = await import('../census/read.mjs');
  const { compareAll } = await import('../census/compare.mjs');
  const { engineCounts } = await import('../census/engine-counts.mjs');
  const { measurable } = await import('../../web/analysis/real-servers/experiments.mjs');
  const { lastSeenFaults } = await import('../census/last-seen.mjs');
  const { readMeasured } = await import('../real-servers/measured-file.mjs');
  const documents = await readMeasured(SCENARIOS, manifest.id);
  if (documents.length === 0) return null;
  const census = (await readCensus(SCENARIOS, manifest)) ?? {
    variants: {},
    not_compared: {},
    exceptions: [],
  };
  const known = new Map();
  const counts = (experiment, run) => {
    const key = JSON.stringify([experiment, run]);
    if (!known.has(key)) known.set(key, engineCounts(engine, experiment, run));
    return known.get(key);
  };
  const how = {
    toleranceOf: (name) => measurable(name).tolerance,
    isCompared: ({ experiment }) => !measurable(experiment).isCost,
  };
  return {
    census,
    ...(await compareAll(documents, census, counts, how)),
    results: await resultsOf(documents.map(withoutCosts(how)), census, counts),
    seen_faults: census.last_seen === undefined ? [] : lastSeenFaults(census.last_seen, documents),
  };
}

const withoutCosts =
  ({ isCompared }) =>
  (document) => ({ ...document, experiments: document.experiments.filter(isCompared) });

/** What the engine counts in place of each server, whichever machine it was measured on. */
async function resultsOf(documents, { variants }, counts) {
  const results = new Map();
  for (const { server, experiments } of documents) {
    const design = variants[server.name];
    if (design === undefined) continue;
    for (const { experiment, runs } of experiments)
      for (const { clients } of runs)
        results.set(`${experiment} ${server.name} ${clients}`, {
          experiment,
          server: server.name,
          clients,
          counts: await counts(experiment, { design, clients }),
        });
  }
  return [...results.values()];
}

/** @returns {string[]} what is wrong, a line each */
function faultsOf({ differing, outside, idle }, { unknown, seen_faults, result_faults }) {
  return [
    ...seen_faults,
    ...result_faults,
    ...unknown.map((server) => `${server}: neither under "variants" nor under "not_compared"`),
    ...differing.map((row) => `differs, and is not listed: ${lineOf(row)}`),
    ...outside.map(
      ({ row, exception }) =>
        `beyond its bounds, engine ${exception.engine.join(' to ')} and server ${exception.server.join(' to ')}: ${lineOf(row)}`,
    ),
    ...idle.map((exception) => `listed, and agrees now: ${nameOf(exception)}`),
  ];
}

async function update(id, { census, rows, results }, judged) {
  const { CENSUS_RESULTS, readCensusResults } = await import('../census/results.mjs');
  const { renewed } = await import('../census/compare.mjs');
  for (const exception of judged.idle) console.log(`    agrees now, removed: ${nameOf(exception)}`);
  const exceptions = renewed(rows, census.exceptions);
  for (const exception of exceptions.filter(({ because }) => because === ''))
    console.log(`    added, and wants a reason ("because"): ${nameOf(exception)}`);
  writeWhole(join(SCENARIOS, id, 'census.json'), `${JSON.stringify({ ...census, exceptions }, null, 2)}\n`);
  const all = { ...readCensusResults(SCENARIOS), [id]: results };
  writeWhole(join(SCENARIOS, CENSUS_RESULTS), `${JSON.stringify(all, null, 2)}\n`);
}

export async function main(args) {
  const { values } = readArguments(args, {
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
  });
  const wanted = namesOf('--only', values.only, scenarioIds(SCENARIOS));
  await ensureNodeModules();
  const { judge } = await import('../census/compare.mjs');
  const { readCensusResults, resultFaults } = await import('../census/results.mjs');
  const engine = await buildCommandLine('virtual');
  const totals = { agreeing: 0, listed: 0, faults: 0 };
  for (const manifest of (await readManifests(SCENARIOS)).filter(({ id }) => wanted.includes(id))) {
    const compared = await compareScenario(engine, manifest);
    if (compared === null) continue;
    const judged = judge(compared.rows, compared.census.exceptions);
    console.log(`${manifest.id}: ${judged.agreeing.length} counts agree, ${judged.listed.length} are listed`);
    for (const server of compared.left_out)
      console.log(`    ${server} is not compared: ${compared.census.not_compared[server]}`);
    if (values.all) for (const row of judged.agreeing) console.log(`    agrees: ${lineOf(row)}`);
    if (values.all) for (const row of judged.listed) console.log(`    listed: ${lineOf(row)}`);
    const result_faults = resultFaults(readCensusResults(SCENARIOS)[manifest.id] ?? [], compared.results);
    const faults = values.update ? [] : faultsOf(judged, { ...compared, result_faults });
    for (const line of faults) console.log(`    ${line}`);
    if (values.update) await update(manifest.id, compared, judged);
    totals.agreeing += judged.agreeing.length;
    totals.listed += judged.listed.length;
    totals.faults += faults.length;
  }
  console.log(
    `census: ${totals.agreeing} counts agree, ${totals.listed} are listed with a reason, ${totals.faults} faults`,
  );
  if (totals.faults === 0) return;
  console.log(
    'If the engine was meant to change, or something was measured anew: npm run census -- --update',
  );
  process.exitCode = 1;
}
