// @ts-check
// Reads and checks scenarios/*/manifest.json. The engine's tables (generate-scenarios.mjs), the
// page (web/build) and the claims all read scenarios here, so they agree on order and rules.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { contract } from './page-contract.mjs';
import { declaredCounters } from './engine-counters.mjs';
import { duplicates, fault, oneOf } from './field-faults.mjs';
import { repository } from './processes.mjs';
import { readChecked, ScenarioError } from './scenario-files.mjs';

/**
 * @typedef {import('../web/contract/manifest').BugManifest} Manifest
 * @typedef {import('../web/contract/platforms').Platform} Platform
 * @typedef {import('../web/contract/servers-file').Servers} Servers
 */

export const SCENARIOS = join(repository, 'scenarios');

/** The folder of reports that workload files model: no scenario of the engine. */
export const MORE_REPORTS = 'more-reports';

/** Files that each folder in scenarios/ must contain. */
const FILES = ['manifest.json', 'story.md', 'fidelity.md', 'claims.json', 'source-view.json'];

/**
 * Returns the ids of all scenarios without reading them.
 * @param {string} [scenarios] path of the folder scenarios/
 * @returns {string[]}
 */
export function scenarioIds(scenarios = SCENARIOS) {
  const folders = readdirSync(scenarios, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map(({ name }) => name)
    .filter((name) => name !== MORE_REPORTS)
    .sort();
}

const WORKLOAD = '.workload';

/**
 * Returns the ids of all reports that workload files model, without reading them.
 * @param {string} [scenarios] path of the folder scenarios/
 * @returns {string[]}
 */
export function reportIds(scenarios = SCENARIOS) {
  const files = readdirSync(join(scenarios, MORE_REPORTS)).filter((name) => name.endsWith(WORKLOAD));
  return files.map((name) => name.slice(0, -WORKLOAD.length)).sort();
}

/**
 * Reads and checks all scenarios, sorted by bug number, then by id.
 * @param {string} [scenarios] path of the folder scenarios/
 * @returns {Promise<Manifest[]>}
 */
export async function readManifests(scenarios = SCENARIOS) {
  const servers = await readServers(scenarios);
  /** @type {string[]} */
  const problems = [];
  /** @type {Manifest[]} */
  const manifests = [];
  for (const folder of scenarioIds(scenarios)) {
    const missing = FILES.filter((file) => !existsSync(join(scenarios, folder, file)));
    problems.push(...missing.map((file) => `scenarios/${folder}/${file}: is missing; allowed: ${rule()}`));
    if (missing.includes('manifest.json')) continue;
    try {
      manifests.push(await readManifest(scenarios, folder, servers));
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new ScenarioError(problems);
  return manifests.sort((a, b) => a.bug - b.bug || a.id.localeCompare(b.id));
}

/**
 * @param {string} scenarios path of the folder scenarios/
 * @param {string} folder the scenario's folder in it
 * @param {Servers} servers
 * @returns {Promise<Manifest>}
 */
const readManifest = (scenarios, folder, servers) =>
  readChecked(
    'manifest',
    join(scenarios, folder, 'manifest.json'),
    `scenarios/${folder}/manifest.json`,
    (manifest) => faultsBeyondSchema(manifest, folder, servers),
  );

/**
 * Returns the latches of each scenario's server, by name. `npm run contract -- --update` generates
 * them.
 * @param {string} scenarios path of the folder scenarios/
 * @returns {Record<string, string[]>} a scenario that is being added has no entry yet
 */
export const readLatches = (scenarios) => JSON.parse(readFileSync(join(scenarios, 'latches.json'), 'utf8'));

/**
 * Reads and checks scenarios/servers.json.
 * @param {string} scenarios path of the folder scenarios/
 * @returns {Promise<Servers>}
 */
export const readServers = (scenarios = SCENARIOS) =>
  readChecked('servers', join(scenarios, 'servers.json'), 'scenarios/servers.json', serverFaults);

/** @param {Servers} servers */
function serverFaults({ fields, servers }) {
  const ids = fields.map(({ id }) => id);
  return [
    ...duplicates(ids).map((id) => fault('fields', id, 'each id once in the list')),
    ...duplicates(servers.map(({ id }) => id)).map((id) => fault('servers', id, 'each id once in the list')),
    ...fields.flatMap((field) => boundFaults(`fields.${field.id}`, field)),
    ...servers.flatMap((server) =>
      Object.entries(server.values).flatMap(([id, value]) => {
        const field = fields.find((known) => known.id === id);
        if (field === undefined) return [fault(`servers.${server.id}.values`, id, oneOf(ids))];
        if (value >= field.min && value <= field.max) return [];
        return [fault(`servers.${server.id}.values.${id}`, value, `${field.min} to ${field.max}`)];
      }),
    ),
  ];
}

const rule = () => `a folder in scenarios/ that contains ${FILES.join(', ')}`;

/**
 * Finds faults that a schema cannot find: unknown names, repeated names, and bounds out of order.
 * Checks the runs only if there are no other faults.
 * @param {Manifest} manifest
 * @param {string} folder
 * @param {Servers} servers
 */
async function faultsBeyondSchema(manifest, folder, servers) {
  const serverIds = servers.servers.map(({ id }) => id);
  const faults = [
    ...(serverIds.includes(manifest.virtual_server)
      ? []
      : [fault('virtual_server', manifest.virtual_server, oneOf(serverIds))]),
    ...(manifest.id === folder ? [] : [fault('id', manifest.id, `${folder}, the name of its folder`)]),
    ...duplicateFaults(manifest),
    ...manifest.parameters.flatMap((parameter, i) => boundFaults(`parameters[${i}]`, parameter)),
    ...boundFaults('threads', manifest.threads),
    ...Object.keys(manifest.designs).flatMap((design) => designFaults(manifest, design)),
    ...originalFaults(manifest),
    ...titleFaults(manifest),
    ...counterFaults(manifest),
    ...whenFaults(manifest),
    ...endsFaults(manifest),
    ...comparisonFaults(manifest),
  ];
  return faults.length > 0 ? faults : runFaults(manifest, servers);
}

/** @param {Manifest} manifest */
function duplicateFaults(manifest) {
  /** @param {{ id: string }[]} entries */
  const ids = (entries) => entries.map(({ id }) => id);
  /** @type {[field: string, names: string[]][]} */
  const lists = [
    ['knobs', ids(manifest.knobs)],
    ['parameters', ids(manifest.parameters)],
    ['actions', ids(manifest.actions)],
    ['reported', ids(manifest.reported)],
    ['shown_counters', manifest.shown_counters],
  ];
  manifest.knobs.forEach((knob, i) => lists.push([`knobs[${i}].variants`, ids(knob.variants)]));
  return lists.flatMap(([field, names]) =>
    duplicates(names).map((name) => fault(field, name, 'each id once in the list')),
  );
}

/**
 * @param {string} field
 * @param {{ min: number, max: number, default: number, virtual_default?: number }} bounds
 */
function boundFaults(field, { min, max, default: start, virtual_default }) {
  if (min > max) return [fault(`${field}.min`, min, `at most max, ${max}`)];
  if (start < min || start > max) return [fault(`${field}.default`, start, `${min} to ${max}`)];
  // The virtual server has the report's number of threads. The bounds of `threads` apply to this
  // machine.
  const virtual = field === 'threads' ? undefined : virtual_default;
  if (virtual === undefined || (virtual >= min && virtual <= max)) return [];
  return [fault(`${field}.virtual_default`, virtual, `${min} to ${max}`)];
}

/**
 * @param {Manifest} manifest
 * @param {string} design
 */
function designFaults({ knobs, designs }, design) {
  const choices = designs[design] ?? {};
  const knobIds = knobs.map((knob) => knob.id);
  const unknown = Object.keys(choices).filter((knob) => !knobIds.includes(knob));
  return [
    ...unknown.map((knob) => fault(`designs.${design}`, knob, `knobs: ${knobIds.join(', ')}`)),
    ...knobs.flatMap(({ id, variants }) => {
      const allowed = variants.map((variant) => variant.id);
      const chosen = choices[id];
      if (chosen !== undefined && allowed.includes(chosen)) return [];
      return [fault(`designs.${design}.${id}`, chosen, oneOf(allowed))];
    }),
  ];
}

// A run spec that names only some knobs takes the others from the first design.
/** @param {Manifest} manifest */
function originalFaults({ knobs, designs }) {
  const firstDesign = Object.keys(designs)[0];
  const faults =
    firstDesign === 'original' ? [] : [fault('designs', firstDesign, 'original as the first design')];
  for (const { id, variants } of knobs) {
    const chosen = designs.original?.[id];
    const place = variants.findIndex((variant) => variant.id === chosen);
    if (place > 0) {
      faults.push(fault(`designs.original.${id}`, chosen, `the first variant, ${variants[0]?.id}`));
    }
  }
  return faults;
}

/** @param {Manifest} manifest */
function titleFaults({ designs, design_titles }) {
  const [named, titled] = [Object.keys(designs), Object.keys(design_titles)];
  return [
    ...named
      .filter((design) => !titled.includes(design))
      .map((design) => fault(`design_titles.${design}`, undefined, 'a title for each design')),
    ...titled
      .filter((design) => !named.includes(design))
      .map((design) => fault('design_titles', design, oneOf(named))),
    ...duplicates(Object.values(design_titles)).map((title) =>
      fault('design_titles', title, 'a different title for each design'),
    ),
  ];
}

/** @param {Manifest} manifest */
function whenFaults({ reported, designs, actions }) {
  const actionIds = actions.map(({ id }) => id);
  /** @type {[name: 'design' | 'before' | 'after', allowed: string[]][]} */
  const names = [
    ['design', Object.keys(designs)],
    ['before', actionIds],
    ['after', actionIds],
  ];
  return reported.flatMap(({ here }, i) =>
    names.flatMap(([name, allowed]) => {
      const value = here?.when?.[name];
      if (value === undefined || allowed.includes(value)) return [];
      return [fault(`reported[${i}].here.when.${name}`, value, oneOf(allowed))];
    }),
  );
}

/** @param {Manifest} manifest */
const endsFaults = ({ reported, designs }) =>
  reported.flatMap(({ ends = [], value }, i) => {
    if (ends.length > 0 && typeof value === 'number')
      return [fault(`reported[${i}].ends`, ends.join(', '), 'only with a range [low, high]')];
    return ends
      .filter((preset) => !(preset in designs))
      .map((preset) => fault(`reported[${i}].ends`, preset, oneOf(Object.keys(designs))));
  });

/** @param {Manifest} manifest */
function comparisonFaults({ comparison }) {
  return platforms.flatMap((platform) => {
    const { from_s = 0, duration_s = Infinity } = comparison?.[platform] ?? {};
    const allowed = `below duration_s, ${duration_s}`;
    return from_s < duration_s ? [] : [fault(`comparison.${platform}.from_s`, from_s, allowed)];
  });
}

const platforms = /** @type {const} */ (['threads', 'virtual']);

/**
 * Checks the manifest's run specs: the run that the page offers, the first run, and the runs that
 * compare designs.
 * @param {Manifest} manifest
 * @param {Servers} servers
 */
async function runFaults(manifest, servers) {
  const { runSpecFaults } = await contract();
  return platforms.flatMap((platform) => {
    const { from_s: _fromS, repeats: _repeats, ...compared } = manifest.comparison?.[platform] ?? {};
    /** @type {[field: string, part: object][]} */
    const parts = [
      ['', {}],
      [`first_run.${platform}.`, manifest.first_run?.[platform] ?? {}],
      [`comparison.${platform}.`, compared],
    ];
    return parts.flatMap(([parent, part]) =>
      runSpecFaults(part, { manifest, servers, platform }).map(({ field, value, allowed }) =>
        fault(`${parent}${field}`, value, allowed),
      ),
    );
  });
}

/** @param {Manifest} manifest */
function counterFaults({ unit_of_work, reported, shown_counters }) {
  const known = declaredCounters().map(({ name }) => name);
  /** @type {[field: string, counter: string][]} */
  const named = [['unit_of_work.operation_counter', unit_of_work.operation_counter]];
  unit_of_work.beside_tps?.counters.forEach((counter, i) =>
    named.push([`unit_of_work.beside_tps.counters[${i}]`, counter]),
  );
  shown_counters.forEach((counter, i) => named.push([`shown_counters[${i}]`, counter]));
  reported.forEach(({ here }, i) => {
    if (here?.kind === 'counter_per_second') named.push([`reported[${i}].here.of`, here.of]);
  });
  return named
    .filter(([, counter]) => !known.includes(counter))
    .map(([field, counter]) => fault(field, counter, 'a counter of docs/reference/telemetry.md'));
}
