// Compares each count in scenarios/*/measured/*.json with the engine's for the variant that stands for that server: within 2 %, or
// listed in scenarios/<bug>/census.json with a reason and bounds. Needs no server. Ends with 1 if a count is neither.
//   npm run census -- [--only scenario[,...]] [--all] [--update]
//   --all      prints the counts that agree, too
//   --update   writes the bounds of the exceptions anew, keeps their reasons, and removes those whose counts agree now
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
  const { experimentNamed } = await import('../real-servers/experiments.mjs');
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
    if (!known.has(key)) known.set(key, engineCounts(engine, experimentNamed(experiment), run));
    return known.get(key);
  };
  const how = {
    toleranceOf: (name) => experimentNamed(name).tolerance,
    isCompared: ({ experiment }) => !experimentNamed(experiment).isCost,
  };
  return { census, ...(await compareAll(documents, census, counts, how)) };
}

/** @returns {string[]} what is wrong, a line each */
function faultsOf({ differing, outside, idle }, unknown) {
  return [
    ...unknown.map((server) => `${server}: neither under "variants" nor under "not_compared"`),
    ...differing.map((row) => `differs, and is not listed: ${lineOf(row)}`),
    ...outside.map(
      ({ row, exception }) =>
        `beyond its bounds, engine ${exception.engine.join(' to ')} and server ${exception.server.join(' to ')}: ${lineOf(row)}`,
    ),
    ...idle.map((exception) => `listed, and agrees now: ${nameOf(exception)}`),
  ];
}

async function update(id, { census, rows }, judged) {
  const { renewed } = await import('../census/compare.mjs');
  for (const exception of judged.idle) console.log(`    agrees now, removed: ${nameOf(exception)}`);
  const exceptions = renewed(rows, census.exceptions);
  for (const exception of exceptions.filter(({ because }) => because === ''))
    console.log(`    added, and wants a reason ("because"): ${nameOf(exception)}`);
  writeWhole(join(SCENARIOS, id, 'census.json'), `${JSON.stringify({ ...census, exceptions }, null, 2)}\n`);
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
    const faults = values.update ? [] : faultsOf(judged, compared.unknown);
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
