// Checks scenarios/*/manifest.json against the schema and compiles them into a C++ table for the engine
// (wasm-engine/workload/gen/scenario_manifests.cc).
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..');

/** A manifest that does not fit. `problems` are lines that name file, field, value and what is allowed. */
export class ManifestError extends Error {
  constructor(problems) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

const allowedBy = {
  enum: (error) => `one of ${error.params.allowedValues.join(', ')}`,
  const: (error) => `${JSON.stringify(error.params.allowedValue)}`,
  type: (error) => `of type ${error.params.type}`,
  additionalProperties: () => 'only the fields of scenarios/manifest.schema.json',
  required: (error) => `the field ${error.params.missingProperty} is required`,
};

function describeSchemaError(file, error) {
  const extra = error.keyword === 'additionalProperties' ? `/${error.params.additionalProperty}` : '';
  const field = `${error.instancePath}${extra}`.slice(1).replaceAll('/', '.') || '(top level)';
  const allowed = allowedBy[error.keyword]?.(error) ?? error.message;
  const value = extra ? 'unknown field' : JSON.stringify(error.data);
  const shown = value && value.length > 60 ? `${value.slice(0, 57)}...` : value;
  return `${file}: ${field}: got ${shown}; allowed: ${allowed}`;
}

function duplicates(ids) {
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

// What a JSON schema cannot say: references between fields, and unique ids.
function crossChecks(file, folder, manifest) {
  const problems = [];
  const report = (field, value, allowed) =>
    problems.push(`${file}: ${field}: got ${JSON.stringify(value)}; allowed: ${allowed}`);
  if (manifest.id !== folder) report('id', manifest.id, `the folder's name, "${folder}"`);
  for (const list of ['knobs', 'parameters', 'actions', 'reported']) {
    for (const id of duplicates(manifest[list].map((entry) => entry.id)))
      report(`${list}.id`, id, 'unique ids');
  }
  for (const [design, choices] of Object.entries(manifest.designs)) {
    for (const knob of manifest.knobs) {
      const variants = knob.variants.map((variant) => variant.id);
      const chosen = choices[knob.id];
      if (!variants.includes(chosen)) report(`designs.${design}.${knob.id}`, chosen, variants.join(', '));
    }
    for (const knob of Object.keys(choices)) {
      if (!manifest.knobs.some((known) => known.id === knob)) {
        report(`designs.${design}`, knob, `knobs ${manifest.knobs.map((known) => known.id).join(', ')}`);
      }
    }
  }
  for (const knob of manifest.knobs) {
    if (manifest.designs.original?.[knob.id] !== knob.variants[0].id) {
      report(
        `designs.original.${knob.id}`,
        manifest.designs.original?.[knob.id],
        `the first variant, ${knob.variants[0].id}`,
      );
    }
  }
  for (const parameter of manifest.parameters) {
    if (!(parameter.min <= parameter.default && parameter.default <= parameter.max)) {
      report(`parameters.${parameter.id}.default`, parameter.default, `${parameter.min} to ${parameter.max}`);
    }
  }
  const { min, max, default: threads } = manifest.threads;
  if (!(min <= threads && threads <= max)) report('threads.default', threads, `${min} to ${max}`);
  return problems;
}

function parse(path, file) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ManifestError([`${file}: is not JSON: ${error.message}`]);
  }
}

/**
 * Reads and checks all manifests of a scenarios folder, in order of their bug numbers.
 * @param {string} scenarios path of the folder
 * @returns {Promise<object[]>}
 */
export async function readManifests(scenarios) {
  const { default: Ajv } = await import('ajv');
  const validate = new Ajv({ allErrors: true, verbose: true, strict: false }).compile(
    parse(join(scenarios, 'manifest.schema.json'), 'scenarios/manifest.schema.json'),
  );
  const folders = readdirSync(scenarios, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  const problems = [];
  const manifests = [];
  for (const folder of folders) {
    const path = join(scenarios, folder, 'manifest.json');
    const file = `scenarios/${folder}/manifest.json`;
    if (!existsSync(path)) {
      problems.push(`${file}: is missing; each folder in scenarios/ has a manifest`);
      continue;
    }
    const manifest = parse(path, file);
    const schemaProblems = validate(manifest)
      ? []
      : validate.errors.map((error) => describeSchemaError(file, error));
    problems.push(...(schemaProblems.length > 0 ? schemaProblems : crossChecks(file, folder, manifest)));
    manifests.push(manifest);
  }
  if (problems.length > 0) throw new ManifestError(problems);
  return manifests.sort((a, b) => a.bug - b.bug);
}

const text = (value) => JSON.stringify(value);
// A raw literal may hold at most 64 KiB in some compilers: far more than a manifest has.
const rawText = (value) => `R"json(${JSON.stringify(value)})json"`;
const table = (type, name, rows) =>
  rows.length === 0
    ? `constexpr std::span<const ${type}> ${name};\n`
    : `constexpr ${type} ${name}[] = {\n${rows.map((row) => `    ${row},\n`).join('')}};\n`;

function generateScenario(manifest, index) {
  const prefix = `kScenario${index}`;
  const parts = [];
  manifest.knobs.forEach((knob, knobIndex) => {
    const rows = knob.variants.map(
      (v) => `{${[v.id, v.title, v.origin, v.explanation].map(text).join(', ')}}`,
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
      `{${[p.id, p.title, p.unit, p.explanation].map(text).join(', ')}, ${p.min}, ${p.max}, ${p.default}}`,
  );
  parts.push(table('ParameterManifest', `${prefix}Parameters`, parameters));
  const actions = manifest.actions.map((a) => `{${[a.id, a.title, a.explanation].map(text).join(', ')}}`);
  parts.push(table('ActionManifest', `${prefix}Actions`, actions));
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
    ...['Knobs', 'Designs', 'Parameters', 'Actions'].map((part) => prefix + part),
    rawText(manifest),
  ];
  return `{${fields.join(', ')}}`;
}

/** Name of the C++ file that runs a scenario: fil-mutex-69276 -> fil_mutex_69276. */
export const workloadFile = (id) => id.replaceAll('-', '_');

/** Name of the factory in that file: fil-mutex-69276 -> kFilMutex69276. */
const factoryName = (id) =>
  `k${id
    .split('-')
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('')}`;

/** @param {object[]} manifests @returns {string} C++ source */
export function generateCpp(manifests) {
  return [
    '// Generated from scenarios/*/manifest.json by tools/generate-scenarios.mjs. Do not edit.\n',
    '#include "workload/registry.h"\n#include "workload/scenario_manifest.h"\n\n',
    'namespace latchscope::workload {\n\n',
    ...manifests.map(({ id }) => `extern const WorkloadFactory ${factoryName(id)};\n`),
    '\nnamespace {\n\n',
    ...manifests.map(generateScenario),
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

/** Writes `content` only if it differs, so that nothing is rebuilt for nothing. */
export function writeIfChanged(path, content) {
  if (existsSync(path) && readFileSync(path, 'utf8') === content) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function requireWorkloads(manifests) {
  const files = manifests.map(({ id }) => `wasm-engine/workload/${workloadFile(id)}.cc`);
  const missing = files.filter((file) => !existsSync(join(repository, file)));
  if (missing.length > 0) {
    throw new ManifestError(
      missing.map((file) => `${file}: is missing; each scenario has a workload of its name`),
    );
  }
}

export async function generateScenarios() {
  const manifests = await readManifests(join(repository, 'scenarios'));
  requireWorkloads(manifests);
  writeIfChanged(join(repository, 'wasm-engine/workload/gen/scenario_manifests.cc'), generateCpp(manifests));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await generateScenarios();
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
