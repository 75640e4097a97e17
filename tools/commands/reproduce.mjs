// Runs what scenarios/*/reproduction.json say, on the virtual server, and prints each report's figures beside those that
// come out here. The server is deterministic: the figures are the same wherever this is run.
//   npm run -s reproduce -- [--only scenario[,...]] [--json FILE|-] [--check | --update | --servers]
//   --check    ends with 1 if the figures are not those in scenarios/reproduction-results.json and docs/fidelity.md
//   --update   writes them there
//   --servers  nothing of that: tries each server of scenarios/plausible-servers.json, and prints which give the figures
// But for --servers it ends with 1 if a figure lies outside its band and its row does not say so. Bands are written by hand.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildCommandLine } from '../builds.mjs';
import { namesOf, readArguments, usageError } from '../command-line.mjs';
import { requireWritable, writeFormatted, writeWhole } from '../files.mjs';
import { brokenInvariants, runNatively } from '../native-engine.mjs';
import { repository, UsageError } from '../processes.mjs';
import { documentWith, withoutSpacing } from '../reproduce/document.mjs';
import { readReproduction } from '../reproduce/read.mjs';
import { readFamilies, regionAsText, tryServers } from '../reproduce/server-search.mjs';
import { carryOut, sweepsAsText } from '../reproduce/sweeps.mjs';
import { asText, bandFaults, evidenceOf, rowOf } from '../reproduce/table.mjs';
import { readManifests, readServers, scenarioIds } from '../scenario-manifests.mjs';
import { ensureNodeModules } from '../setup/index.mjs';

const SCENARIOS = join(repository, 'scenarios');
const RESULTS = join(SCENARIOS, 'reproduction-results.json');
const DOCUMENT = join(repository, 'docs/fidelity.md');

async function runSpec(engine, manifest, run) {
  const result = await runNatively(engine, { scenario: manifest.id, platform: 'virtual', ...run });
  const broken = brokenInvariants(result);
  if (broken.length > 0)
    throw new Error(`${manifest.id}, ${JSON.stringify(run)}: invariants broken: ${broken.join('; ')}`);
  return result;
}

/** A run with each of its seeds. */
async function carryOutRun(engine, manifest, { seeds = [1], ...run }) {
  const results = [];
  for (const seed of seeds) results.push(await runSpec(engine, manifest, { seed, ...run }));
  return results;
}

/** @returns {Promise<import('../reproduce/table.mjs').Row[]>} */
async function reproduce(engine, manifest, { runs, figures }) {
  const results = {};
  for (const [name, run] of Object.entries(runs)) results[name] = await carryOutRun(engine, manifest, run);
  return figures.map((figure) => rowOf(manifest, figure, results[figure.run]));
}

/** @returns {Promise<import('../reproduce/sweeps.mjs').Sweep[]>} */
async function sweep(engine, manifest, reproduction) {
  const carriedOut = [];
  for (const each of reproduction.sweeps ?? [])
    carriedOut.push(
      await carryOut(manifest, reproduction, each, (run) => carryOutRun(engine, manifest, run)),
    );
  return carriedOut;
}

/** Files that say something else. */
function differences(reproductions, results) {
  const ids = reproductions.map(({ id }) => id);
  const known = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
  const knownOfThese = Object.fromEntries(
    Object.entries(known).map(([name, rows]) => [
      name,
      rows.filter(({ scenario }) => ids.includes(scenario)),
    ]),
  );
  const found =
    JSON.stringify(knownOfThese) === JSON.stringify(results) ? [] : ['scenarios/reproduction-results.json'];
  const document = readFileSync(DOCUMENT, 'utf8');
  if (withoutSpacing(documentWith(document, reproductions, results)) !== withoutSpacing(document))
    found.push('docs/fidelity.md');
  return found;
}

/** What the arguments ask for. */
function wishesFrom(args) {
  const { values } = readArguments(args, {
    only: { type: 'string' },
    json: { type: 'string' },
    check: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    servers: { type: 'boolean', default: false },
  });
  if (values.servers && (values.check || values.update))
    throw usageError('--servers', 'with --check or --update', 'without: it holds nothing against the table');
  if (values.update && values.only !== undefined)
    throw new UsageError('--update: got --only, too; allowed: all scenarios at once');
  if (values.json !== undefined && values.json !== '-') requireWritable('--json', values.json);
  return { ...values, scenarios: namesOf('--only', values.only, scenarioIds(SCENARIOS)) };
}

/** The search with what it looks for: the bands of the table's rows. */
function searchOf({ search, figures }) {
  const bandOf = ({ figure, run }) =>
    figures.find((row) => row.figure === figure && row.run === run && row.band !== undefined).band;
  return { ...search, figures: search.figures.map((wanted) => ({ ...wanted, band: bandOf(wanted) })) };
}

/** Prints which servers give the figures; with --json every server that was tried. */
async function searchServers(engine, manifests, wishes) {
  const known = await readFamilies(SCENARIOS, await readServers(SCENARIOS));
  const found = {};
  for (const manifest of manifests) {
    const reproduction = await readReproduction(SCENARIOS, manifest, known);
    if (reproduction.search === undefined) continue;
    const search = searchOf(reproduction);
    const families = known.filter(({ id }) => search.families.includes(id));
    const trials = await tryServers(engine, manifest, search, families, (done, of) => {
      if (done % 10 === 0 || done === of) console.error(`${manifest.id}: ${done} of ${of} servers`);
    });
    found[manifest.id] = trials;
    if (wishes.json !== '-') console.log(`${manifest.id}\n${regionAsText(search, trials)}`);
  }
  writeJson(wishes.json, found);
}

function writeJson(target, value) {
  const json = `${JSON.stringify(value, null, 2)}\n`;
  if (target === '-') process.stdout.write(json);
  else if (target !== undefined) writeWhole(target, json);
}

export async function main(args) {
  const wishes = wishesFrom(args);
  await ensureNodeModules();
  const manifests = (await readManifests(SCENARIOS)).filter(({ id }) => wishes.scenarios.includes(id));
  const engine = await buildCommandLine('virtual');
  if (wishes.servers) await searchServers(engine, manifests, wishes);
  else await printTable(engine, manifests, wishes);
}

async function printTable(engine, manifests, wishes) {
  const reproductions = [];
  const results = { figures: [], sweeps: [] };
  for (const manifest of manifests) {
    const reproduction = await readReproduction(SCENARIOS, manifest);
    reproductions.push({ id: manifest.id, sample: reproduction.sample });
    const figures = await reproduce(engine, manifest, reproduction);
    const sweeps = await sweep(engine, manifest, reproduction);
    results.figures.push(...figures);
    results.sweeps.push(...sweeps);
    if (wishes.json !== '-')
      console.log(
        [`${manifest.id}: ${reproduction.sample}`, asText(figures), sweepsAsText(sweeps)].join('\n'),
      );
  }
  writeJson(wishes.json, results);
  if (wishes.update) {
    await writeFormatted(RESULTS, JSON.stringify(results));
    await writeFormatted(DOCUMENT, documentWith(readFileSync(DOCUMENT, 'utf8'), reproductions, results));
  }
  judge(reproductions, results, wishes);
}

function judge(reproductions, results, wishes) {
  if (wishes.json !== '-') {
    const { predictions, within } = evidenceOf(results.figures);
    console.log(`predictions: ${within} of ${predictions} within their bands`);
  }
  const faults = bandFaults(results.figures);
  const differing = wishes.check ? differences(reproductions, results) : [];
  if (differing.length > 0)
    faults.push(
      `Not what these say: ${differing.join(', ')}. If the engine was meant to change: npm run reproduce -- --update`,
    );
  for (const line of faults) console.error(line);
  if (faults.length > 0) process.exitCode = 1;
}
