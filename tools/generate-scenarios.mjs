// Compiles scenarios/*/manifest.json, scenarios/latches.json and scenarios/servers.json into C++
// tables for the engine (wasm-engine/workload/gen).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { digestOfFiles, filesBelow } from './file-digests.mjs';
import { writeIfChanged, writeWhole } from './files.mjs';
import { repository } from './processes.mjs';
import { ScenarioError } from './scenario-files.mjs';
import { readLatches, readManifests, readServers, SCENARIOS } from './scenario-manifests.mjs';

const text = (value) => JSON.stringify(value);
// Some compilers limit a raw literal to 64 KiB. A manifest is far smaller.
const rawText = (value) => `R"json(${JSON.stringify(value)})json"`;
/** Fields that only the page shows. The engine omits them, so new wording does not rebuild it. */
const FIELDS_OF_THE_PAGE = ['in_a_sentence', 'first_run', 'comparison', 'design_titles'];
const forTheEngine = (manifest) =>
  Object.fromEntries(Object.entries(manifest).filter(([field]) => !FIELDS_OF_THE_PAGE.includes(field)));
const latchKind = ({ needs = 'none' }) => `LatchNeeded::${needs}`;
const table = (type, name, rows) =>
  rows.length === 0
    ? `constexpr std::span<const ${type}> ${name};\n`
    : `constexpr ${type} ${name}[] = {\n${rows.map((row) => `    ${row},\n`).join('')}};\n`;

function generateScenario(manifest, index, latches) {
  const prefix = `kScenario${index}`;
  const parts = [];
  manifest.knobs.forEach((knob, knobIndex) => {
    const rows = knob.variants.map(
      (v) => `{${[v.id, v.title, v.origin, v.explanation].map(text).join(', ')}, ${latchKind(v)}}`,
    );
    parts.push(table('VariantManifest', `${prefix}Knob${knobIndex}Variants`, rows));
  });
  const knobs = manifest.knobs.map(
    (knob, i) => `{${[knob.id, knob.title, knob.question].map(text).join(', ')}, ${prefix}Knob${i}Variants}`,
  );
  parts.push(table('KnobManifest', `${prefix}Knobs`, knobs));
  const designs = Object.entries(manifest.designs);
  designs.forEach(([, choices], i) => {
    const variants = manifest.knobs.map((knob) => knob.variants.findIndex((v) => v.id === choices[knob.id]));
    parts.push(`constexpr uint32_t ${prefix}Design${i}[] = {${variants.join(', ')}};\n`);
  });
  parts.push(
    table(
      'DesignManifest',
      `${prefix}Designs`,
      designs.map(([id], i) => `{${text(id)}, ${prefix}Design${i}}`),
    ),
  );
  const parameters = manifest.parameters.map(
    (p) =>
      `{${[p.id, p.title, p.unit, p.explanation].map(text).join(', ')}, ` +
      `${p.min}, ${p.max}, ${p.default}, ${p.virtual_default ?? p.default}}`,
  );
  parts.push(table('ParameterManifest', `${prefix}Parameters`, parameters));
  const actions = manifest.actions.map((a) => `{${[a.id, a.title, a.explanation].map(text).join(', ')}}`);
  parts.push(table('ActionManifest', `${prefix}Actions`, actions));
  parts.push(table('std::string_view', `${prefix}Latches`, latches.map(text)));
  return parts.join('');
}

function scenarioRow(manifest, index) {
  const prefix = `kScenario${index}`;
  const { transaction, operation, operation_counter } = manifest.unit_of_work;
  const fields = [
    text(manifest.id),
    manifest.bug,
    ...[manifest.title, manifest.report.url, manifest.what_is_wrong, manifest.server_version].map(text),
    ...[transaction, operation, operation_counter].map(text),
    manifest.threads.min,
    manifest.threads.max,
    manifest.threads.default,
    manifest.threads.virtual_default,
    text(manifest.virtual_server),
    manifest.sysbench_percentile,
    ...['Knobs', 'Designs', 'Parameters', 'Actions', 'Latches'].map((part) => prefix + part),
    rawText(forTheEngine(manifest)),
  ];
  return `{${fields.join(', ')}}`;
}

/** Returns the name of the C++ file of a scenario: fil-mutex-69276 -> fil_mutex_69276. */
export const workloadFile = (id) => id.replaceAll('-', '_');

/** Returns the name of the factory in that file: fil-mutex-69276 -> kFilMutex69276. */
const factoryName = (id) =>
  `k${id
    .split('-')
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('')}`;

/**
 * @param {object[]} manifests
 * @param {Record<string, string[]>} latches latches of each scenario's server; a scenario that is
 *   being added has no entry yet
 * @returns {string} C++ source
 */
export function generateCpp(manifests, latches = {}) {
  return [
    '// Generated from scenarios/*/manifest.json by tools/generate-scenarios.mjs. Do not edit.\n',
    '#include "workload/registry.h"\n#include "workload/scenario_manifest.h"\n\n',
    'namespace latchscope::workload {\n\n',
    ...manifests.map(({ id }) => `extern const WorkloadFactory ${factoryName(id)};\n`),
    '\nnamespace {\n\n',
    ...manifests.map((manifest, index) => generateScenario(manifest, index, latches[manifest.id] ?? [])),
    table('ScenarioManifest', 'kScenarios', manifests.map(scenarioRow)),
    table(
      'WorkloadFactory* const',
      'kFactories',
      manifests.map(({ id }) => `&${factoryName(id)}`),
    ).replace('constexpr', 'const'),
    '\n}  // namespace\n\n',
    'std::span<const WorkloadFactory* const> workload_factories() { return kFactories; }\n',
    'std::span<const ScenarioManifest> scenario_manifests() { return kScenarios; }\n\n',
    '}  // namespace latchscope::workload\n',
  ].join('');
}

const enumOf = (name, ids) => (ids.length === 0 ? '' : `enum ${name} : uint32_t { ${ids.join(', ')} };\n`);

/** Returns the conversion of a variant's index to the server's enumeration of the same names. */
const conversionOf = ({ id, variants }) =>
  [
    'template <class Variant>',
    `constexpr Variant ${id}_of(uint32_t variant) {`,
    ...variants.map((v, i) => `  static_assert(Variant::${v.id} == Variant{${i}});`),
    '  return static_cast<Variant>(variant);',
    '}\n',
  ].join('\n');

/**
 * @param {object[]} manifests
 * @returns {string} C++ header: the knobs, variants and actions of each scenario
 */
function generateEnums(manifests) {
  const ids = (items) => items.map(({ id }) => id);
  return [
    '// Generated from scenarios/*/manifest.json by tools/generate-scenarios.mjs. Do not edit.\n',
    '#pragma once\n\n#include <cstdint>\n',
    ...manifests.map(({ id, knobs, actions }) =>
      [
        `\nnamespace latchscope::workload::${workloadFile(id)} {\n\n`,
        enumOf('Knob', ids(knobs)),
        enumOf('Action', ids(actions)),
        ...knobs.map(conversionOf),
        `\n}  // namespace latchscope::workload::${workloadFile(id)}\n`,
      ].join(''),
    ),
  ].join('');
}

/**
 * @param {{ fields: object[], servers: object[] }} servers
 * @returns {string} C++ source
 */
function generateServersCpp({ fields, servers }) {
  const fieldRows = fields.map(
    ({ id, min, max }) => `{${text(id)}, &platform::ServerProfile::${id}, ${min}u, ${max}u}`,
  );
  const serverRows = servers.map(({ id, title, values }) => {
    const members = fields.map((field) => `.${field.id} = ${values[field.id] ?? field.default}u`);
    return `{${text(id)}, ${text(title)}, {${members.join(', ')}}}`;
  });
  return [
    '// Generated from scenarios/servers.json by tools/generate-scenarios.mjs. Do not edit.\n',
    '#include "workload/servers.h"\n\n',
    'namespace latchscope::workload {\n\nnamespace {\n\n',
    table('platform::ServerField', 'kFields', fieldRows),
    table('platform::NamedServer', 'kServers', serverRows),
    '\n}  // namespace\n\n',
    'std::span<const platform::ServerField> server_fields() { return kFields; }\n',
    'std::span<const platform::NamedServer> named_servers() { return kServers; }\n\n',
    '}  // namespace latchscope::workload\n',
  ].join('');
}

function requireWorkloads(manifests) {
  const files = manifests.map(({ id }) => `wasm-engine/workload/${workloadFile(id)}.cc`);
  const missing = files.filter((file) => !existsSync(join(repository, file)));
  if (missing.length > 0) {
    throw new ScenarioError(
      missing.map((file) => `${file}: is missing; each scenario needs a workload with its name`),
    );
  }
}

/**
 * Inputs of the tables. web/contract declares what a manifest may contain, and each manifest needs
 * a workload.
 */
export const MADE_FROM = [
  'scenarios',
  'web/contract',
  'wasm-engine/telemetry/counters.h',
  'wasm-engine/workload',
  'tools/engine-counters.mjs',
  'tools/field-faults.mjs',
  'tools/generate-scenarios.mjs',
  'tools/scenario-files.mjs',
  'tools/scenario-manifests.mjs',
  'package-lock.json',
];
const GENERATED = 'wasm-engine/workload/gen';
const TABLES = ['scenario_enums.h', 'scenario_manifests.cc', 'servers.cc'];

/**
 * Returns a digest of all inputs of the tables.
 * @param {string} [root] root of a repository
 * @returns {string}
 */
export function digestOfScenarios(root = repository) {
  const files = MADE_FROM.flatMap((path) => filesBelow(root, path));
  return digestOfFiles(
    root,
    files.filter((file) => !file.startsWith(`${GENERATED}/`)),
  );
}

/** Returns a stamp of the existing tables and their inputs, or null if a table is missing. */
function stampOf(digest) {
  const folder = join(repository, GENERATED);
  if (!TABLES.every((file) => existsSync(join(folder, file)))) return null;
  return `${digest} ${digestOfFiles(folder, TABLES)}\n`;
}

/**
 * Generates the tables if their inputs changed. Every command that needs an engine calls this. The
 * digest takes milliseconds; reading and checking the manifests takes a second.
 */
export async function generateScenarios() {
  const folder = join(repository, GENERATED);
  const stamp = join(folder, 'made-from');
  const digest = digestOfScenarios();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(digest)) return;
  const manifests = await readManifests();
  requireWorkloads(manifests);
  const servers = await readServers();
  writeIfChanged(join(folder, 'scenario_manifests.cc'), generateCpp(manifests, readLatches(SCENARIOS)));
  writeIfChanged(join(folder, 'scenario_enums.h'), generateEnums(manifests));
  writeIfChanged(join(folder, 'servers.cc'), generateServersCpp(servers));
  writeWhole(stamp, stampOf(digest));
}
