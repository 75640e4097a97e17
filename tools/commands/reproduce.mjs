// Runs what scenarios/*/reproduction.json say, on the virtual server, and prints each report's figures beside those that
// come out here. The server is deterministic: the figures are the same wherever this is run.
//   npm run -s reproduce -- [--only scenario[,...]] [--json FILE|-] [--check | --update | --servers]
//   --check    ends with 1 if the figures are not those in scenarios/reproduction-results.json and docs/fidelity.md, or where
//              the README and lessons quote them
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
import { bandOf } from '../reproduce/bands.mjs';
import { documentWith, withoutSpacing } from '../reproduce/document.mjs';
import { withQuotes } from '../reproduce/quotes.mjs';
import { readReproduction } from '../reproduce/read.mjs';
import { readFamilies, regionAsText, tryServers } from '../reproduce/server-search.mjs';
import { carryOut, sweepsAsText } from '../reproduce/sweeps.mjs';
import { asText, bandFaults, evidenceOf, reportedBy, rowOf } from '../reproduce/table.mjs';
import { readManifests, readServers, scenarioIds } from '../scenario-manifests.mjs';
import { ensureNodeModules } from '../setup/index.mjs';

const SCENARIOS = join(repository, 'scenarios');
const RESULTS = join(SCENARIOS, 'reproduction-results.json');
const DOCUMENT = 'docs/fidelity.md';

async function runSpec(engine, manifest, run) {
  const result = await runNatively(engine, { scenario: manifest.id, platform: 'virtual', ...run });
  const broken = brokenInvariants(result);
  if (broken.length > 0)
    throw new Error(`${manifest.id}, ${JSON.stringify(run)}: invariants broken: ${broken.join('; ')}`);
  return result;
}

/** Carries out runs of a scenario, a run with each of its seeds. Rows and sweeps may want the same run: it is done once. */
function runnerOf(engine, manifest) {
  const done = new Map();
  return async ({ seeds = [1], threads = manifest.threads.virtual_default, ...run }) => {
    const results = [];
    for (const seed of seeds) {
      const spec = { seed, threads, ...run };
      const key = JSON.stringify(Object.entries(spec).sort());
      if (!done.has(key)) done.set(key, await runSpec(engine, manifest, spec));
      results.push(done.get(key));
    }
    return results;
  };
}

/** @returns {Promise<import('../reproduce/table.mjs').Row[]>} */
async function reproduce(manifest, { runs, figures }, carryOutRun) {
  const results = {};
  for (const [name, run] of Object.entries(runs)) results[name] = await carryOutRun(run);
  return figures.map((figure) => rowOf(manifest, figure, results[figure.run]));
}

/** @returns {Promise<import('../reproduce/sweeps.mjs').Sweep[]>} */
async function sweep(manifest, reproduction, carryOutRun) {
  const carriedOut = [];
  for (const each of reproduction.sweeps ?? [])
    carriedOut.push(await carryOut(manifest, reproduction, each, carryOutRun));
  return carriedOut;
}

/** Files that say something else. */
function differences(reproductions, results) {
  const run = reproductions.map(({ id }) => id);
  const notRun = scenarioIds(SCENARIOS).filter((id) => !run.includes(id));
  const known = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
  const knownOfThese = Object.fromEntries(
    Object.entries(known).map(([name, rows]) => [
      name,
      rows.filter(({ scenario }) => !notRun.includes(scenario)),
    ]),
  );
  const found =
    JSON.stringify(knownOfThese) === JSON.stringify(results) ? [] : ['scenarios/reproduction-results.json'];
  for (const [file, text] of documentsWith(reproductions, results))
    if (withoutSpacing(text) !== withoutSpacing(readFileSync(join(repository, file), 'utf8')))
      found.push(file);
  return found;
}

/** The documents that show figures, by their paths from the root of the repository. */
function documentsWith(reproductions, results) {
  const texts = new Map();
  const textOf = (file) => texts.get(file) ?? readFileSync(join(repository, file), 'utf8');
  texts.set(DOCUMENT, documentWith(textOf(DOCUMENT), reproductions, results));
  for (const { id, quoted } of reproductions) {
    const rows = results.figures.filter(({ scenario }) => scenario === id);
    for (const file of new Set(quoted.map((quote) => quote.in)))
      texts.set(
        file,
        withQuotes(
          textOf(file),
          quoted.filter((quote) => quote.in === file),
          rows,
        ),
      );
  }
  return texts;
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
function searchOf(manifest, { search, figures }) {
  const bandFor = ({ figure, run }) => {
    const row = figures.find((one) => one.figure === figure && one.run === run && one.band !== undefined);
    return bandOf(row.band, reportedBy(manifest, row));
  };
  return { ...search, figures: search.figures.map((wanted) => ({ ...wanted, band: bandFor(wanted) })) };
}

/** Prints which servers give the figures; with --json every server that was tried. */
async function searchServers(engine, manifests, wishes) {
  const known = await readFamilies(SCENARIOS, await readServers(SCENARIOS));
  const found = {};
  for (const manifest of manifests) {
    const reproduction = await readReproduction(SCENARIOS, manifest, known);
    if (reproduction.search === undefined) continue;
    const search = searchOf(manifest, reproduction);
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
    const { sample, not_held, quoted } = reproduction;
    reproductions.push({ id: manifest.id, sample, not_held, quoted });
    const carryOutRun = runnerOf(engine, manifest);
    const figures = await reproduce(manifest, reproduction, carryOutRun);
    const sweeps = await sweep(manifest, reproduction, carryOutRun);
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
    for (const [file, text] of documentsWith(reproductions, results))
      await writeFormatted(join(repository, file), text);
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
