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
import { declaredWorkCosts } from '../engine-counters.mjs';
import { fault, faultsOfSchema, oneOf } from '../field-faults.mjs';
import { requireWritable, writeFormatted, writeWhole } from '../files.mjs';
import { brokenInvariants, runNatively } from '../native-engine.mjs';
import { repository, UsageError } from '../processes.mjs';
import { readFamilies, regionAsText, tryServers } from '../reproduce/server-search.mjs';
import {
  asMarkdown,
  asText,
  bandFaults,
  evidenceOf,
  rowOf,
  workCostsAsMarkdown,
} from '../reproduce/table.mjs';
import { readJson, readManifests, readServers, ScenarioError, scenarioIds } from '../scenario-manifests.mjs';
import { ensureNodeModules } from '../setup/index.mjs';

const SCENARIOS = join(repository, 'scenarios');
const RESULTS = join(SCENARIOS, 'reproduction-results.json');
const DOCUMENT = join(repository, 'docs/fidelity.md');

/** Of a scenario that says nothing about how its figures are reproduced. */
const NOTHING = { sample: '', runs: {}, figures: [] };

async function readReproduction(manifest, families = []) {
  const file = `scenarios/${manifest.id}/reproduction.json`;
  if (!existsSync(join(repository, file))) return NOTHING;
  const schema = readJson(join(SCENARIOS, 'reproduction.schema.json'), 'scenarios/reproduction.schema.json');
  const reproduction = readJson(join(repository, file), file);
  const figures = manifest.reported.map(({ id }) => id);
  const runs = Object.keys(reproduction.runs ?? {});
  const faults = (await faultsOfSchema(schema))(reproduction);
  for (const [i, { figure, run, band }] of (faults.length > 0 ? [] : reproduction.figures).entries()) {
    if (!figures.includes(figure)) faults.push(fault(`figures[${i}].figure`, figure, oneOf(figures)));
    if (!runs.includes(run)) faults.push(fault(`figures[${i}].run`, run, oneOf(runs)));
    if (band !== undefined && band[0] > band[1])
      faults.push(fault(`figures[${i}].band`, band, 'the lower end first'));
  }
  if (faults.length === 0) faults.push(...searchFaults(reproduction, families));
  if (faults.length > 0) throw new ScenarioError(faults.map((line) => `${file}: ${line}`));
  return reproduction;
}

/** @param {import('../reproduce/server-search.mjs').Family[]} families none: they are not asked for */
function searchFaults({ search, figures }, families) {
  if (search === undefined) return [];
  const held = figures.filter(({ band }) => band !== undefined).map(({ figure, run }) => `${figure}, ${run}`);
  const wanted = search.figures.map(({ figure, run }) => `${figure}, ${run}`);
  const ids = families.map(({ id }) => id);
  return [
    ...wanted.filter((row) => !held.includes(row)).map((row) => fault('search.figures', row, oneOf(held))),
    ...search.figures
      .filter(({ run }) => !(run in search.runs))
      .map(({ run }) => fault('search.figures', run, oneOf(Object.keys(search.runs)))),
    ...search.families
      .filter((id) => ids.length > 0 && !ids.includes(id))
      .map((id) => fault('search.families', id, oneOf(ids))),
  ];
}

/** @returns {Promise<import('../reproduce/table.mjs').Row[]>} */
async function reproduce(engine, manifest, { runs, figures }) {
  const results = {};
  for (const [name, { seeds = [1], ...run }] of Object.entries(runs)) {
    results[name] = [];
    for (const seed of seeds) {
      const spec = { scenario: manifest.id, platform: 'virtual', seed, ...run };
      const result = await runNatively(engine, spec);
      const broken = brokenInvariants(result);
      if (broken.length > 0)
        throw new Error(`${manifest.id}, run ${name}, seed ${seed}: ${broken.join('; ')}`);
      results[name].push(result);
    }
  }
  return figures.map((figure) => rowOf(manifest, figure, results[figure.run]));
}

/** `text` with a table put between the comments that say where it belongs. */
function withTable(text, name, table) {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const begin = text.indexOf(opening);
  const end = text.indexOf(closing);
  if (begin < 0 || end < begin) throw new Error(`docs/fidelity.md: has no place for a table: ${opening}`);
  return `${text.slice(0, begin)}${opening}\n\n${table}\n\n${text.slice(end)}`;
}

/** docs/fidelity.md with these tables. */
function documentWith(reproductions, rows) {
  const text = withTable(
    readFileSync(DOCUMENT, 'utf8'),
    'work costs',
    workCostsAsMarkdown(declaredWorkCosts()),
  );
  return reproductions.reduce((soFar, { id, sample }) => {
    const own = rows.filter(({ scenario }) => scenario === id);
    if (own.length === 0) return soFar;
    return withTable(soFar, `reproduction of ${id}`, `${sample}\n\n${asMarkdown(own)}`);
  }, text);
}

function withoutSpacing(markdown) {
  return markdown.replace(/[ \t]+/g, ' ').replace(/\| *-+ */g, '| - ');
}

function differences(reproductions, rows) {
  const known = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : [];
  const ids = reproductions.map(({ id }) => id);
  const same =
    JSON.stringify(known.filter(({ scenario }) => ids.includes(scenario))) === JSON.stringify(rows);
  const found = same ? [] : ['scenarios/reproduction-results.json'];
  const document = withoutSpacing(readFileSync(DOCUMENT, 'utf8'));
  if (withoutSpacing(documentWith(reproductions, rows)) !== document) found.push('docs/fidelity.md');
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
  const bandOf = ({ figure, run }) => figures.find((row) => row.figure === figure && row.run === run).band;
  return { ...search, figures: search.figures.map((wanted) => ({ ...wanted, band: bandOf(wanted) })) };
}

/** Prints which servers give the figures; with --json every server that was tried. */
async function searchServers(engine, manifests, wishes) {
  const known = await readFamilies(SCENARIOS, await readServers(SCENARIOS));
  const found = {};
  for (const manifest of manifests) {
    const reproduction = await readReproduction(manifest, known);
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
  const rows = [];
  for (const manifest of manifests) {
    const reproduction = await readReproduction(manifest);
    reproductions.push({ id: manifest.id, sample: reproduction.sample });
    const own = await reproduce(engine, manifest, reproduction);
    rows.push(...own);
    if (wishes.json !== '-') console.log(`${manifest.id}: ${reproduction.sample}\n${asText(own)}`);
  }
  writeJson(wishes.json, rows);
  if (wishes.update) {
    await writeFormatted(RESULTS, JSON.stringify(rows));
    await writeFormatted(DOCUMENT, documentWith(reproductions, rows));
  }
  if (wishes.json !== '-') {
    const { predictions, within } = evidenceOf(rows);
    console.log(`predictions: ${within} of ${predictions} within their bands`);
  }
  const outside = bandFaults(rows);
  for (const line of outside) console.error(line);
  if (outside.length > 0) process.exitCode = 1;
  const differing = wishes.check ? differences(reproductions, rows) : [];
  if (differing.length > 0) {
    console.log(
      `Not what these say: ${differing.join(', ')}. If the engine was meant to change: npm run reproduce -- --update`,
    );
    process.exitCode = 1;
  }
}
