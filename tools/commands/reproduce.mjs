// Runs what scenarios/*/reproduction.json say, on the virtual server, and prints each report's figures beside those that
// come out here. The server is deterministic: the figures are the same wherever this is run.
//   npm run -s reproduce -- [--only scenario[,...]] [--json FILE|-] [--check | --update]
//   --check    ends with 1 if the figures are not those in scenarios/reproduction-results.json and docs/fidelity.md
//   --update   writes them there
// Either way it ends with 1 if a figure lies outside its band and its row does not say so. Bands are written by hand.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildCommandLine } from '../builds.mjs';
import { namesOf, readArguments } from '../command-line.mjs';
import { declaredWorkCosts } from '../engine-counters.mjs';
import { fault, faultsOfSchema, oneOf } from '../field-faults.mjs';
import { requireWritable, writeFormatted, writeWhole } from '../files.mjs';
import { brokenInvariants, runNatively } from '../native-engine.mjs';
import { repository, UsageError } from '../processes.mjs';
import {
  asMarkdown,
  asText,
  bandFaults,
  evidenceOf,
  rowOf,
  workCostsAsMarkdown,
} from '../reproduce/table.mjs';
import { readJson, readManifests, ScenarioError, scenarioIds } from '../scenario-manifests.mjs';
import { ensureNodeModules } from '../setup/index.mjs';

const SCENARIOS = join(repository, 'scenarios');
const RESULTS = join(SCENARIOS, 'reproduction-results.json');
const DOCUMENT = join(repository, 'docs/fidelity.md');

/** Of a scenario that says nothing about how its figures are reproduced. */
const NOTHING = { sample: '', runs: {}, figures: [] };

async function readReproduction(manifest) {
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
  if (faults.length > 0) throw new ScenarioError(faults.map((line) => `${file}: ${line}`));
  return reproduction;
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
  });
  if (values.update && values.only !== undefined)
    throw new UsageError('--update: got --only, too; allowed: all scenarios at once');
  if (values.json !== undefined && values.json !== '-') requireWritable('--json', values.json);
  return { ...values, scenarios: namesOf('--only', values.only, scenarioIds(SCENARIOS)) };
}

export async function main(args) {
  const wishes = wishesFrom(args);
  await ensureNodeModules();
  const manifests = (await readManifests(SCENARIOS)).filter(({ id }) => wishes.scenarios.includes(id));
  const engine = await buildCommandLine('virtual');
  const reproductions = [];
  const rows = [];
  for (const manifest of manifests) {
    const reproduction = await readReproduction(manifest);
    reproductions.push({ id: manifest.id, sample: reproduction.sample });
    const own = await reproduce(engine, manifest, reproduction);
    rows.push(...own);
    if (wishes.json !== '-') console.log(`${manifest.id}: ${reproduction.sample}\n${asText(own)}`);
  }
  const json = `${JSON.stringify(rows, null, 2)}\n`;
  if (wishes.json === '-') process.stdout.write(json);
  else if (wishes.json !== undefined) writeWhole(wishes.json, json);
  if (wishes.update) {
    await writeFormatted(RESULTS, json);
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
