// @ts-check
// Reads the exercises of the latch lab from lab/exercises and checks them
// (docs/guide/writing-exercises.md).
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { duplicates, fault, oneOf } from './field-faults.mjs';
import { labLanguage } from './lab-language.mjs';
import { readLatches } from './lab-latches.mjs';
import { contract } from './page-contract.mjs';
import { repository, UsageError } from './processes.mjs';
import { faultsOfSchema } from './scenario-files.mjs';
import { readManifests, readServers } from './scenario-manifests.mjs';

/** @typedef {import('../web/contract/lab-exercise').LabExercise} LabExercise */

export const EXERCISES = join(repository, 'lab/exercises');
const FOLDER_NAME = /^\d\d-[a-z0-9]+(-[a-z0-9]+)*$/;
const FILES = ['exercise.json', 'text.md', 'start.latch', 'model.latch'];
const BYTES_MAX = 2 ** 20;

/**
 * Reads all exercises, in their order. Throws a UsageError that lists every error in them.
 * @param {string} [folder] the folder that contains a folder for each exercise
 * @returns {Promise<LabExercise[]>}
 */
export async function readExercises(folder = EXERCISES) {
  const ids = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  /** @type {string[]} */
  const faults = duplicates(ids.map((id) => id.slice(0, 2))).map((number) =>
    fault('lab/exercises', number, 'each number once'),
  );
  const exercises = [];
  for (const id of ids) {
    const read = await readExercise(folder, id);
    faults.push(...read.faults.map((line) => `lab/exercises/${id}${line}`));
    if (read.exercise !== undefined) exercises.push(read.exercise);
  }
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return exercises;
}

/**
 * @param {string} folder
 * @param {string} id
 * @returns {Promise<{ exercise?: LabExercise, faults: string[] }>} each fault starts with the name
 *   of the file
 */
async function readExercise(folder, id) {
  if (!FOLDER_NAME.test(id))
    return { faults: [`: ${fault('folder', id, 'two digits and words, such as 05-ticket')}`] };
  const missing = FILES.filter((file) => !existsSync(join(folder, id, file)));
  if (missing.length > 0) return { faults: missing.map((file) => `/${file}: missing`) };
  const unreadable = FILES.filter((file) => !isTextFile(join(folder, id, file)));
  if (unreadable.length > 0)
    return { faults: unreadable.map((file) => `/${file}: is not a regular file of at most 1 MiB`) };
  const [json, markdown, start, model] = FILES.map((file) => readFileSync(join(folder, id, file), 'utf8'));
  const { document, faults } = await readDocument(/** @type {string} */ (json));
  const { text, faults: textFaults } = readText(/** @type {string} */ (markdown));
  const all = [
    ...faults.map((line) => `/exercise.json: ${line}`),
    ...textFaults.map((line) => `/text.md: ${line}`),
    ...(await faultsOfSource('start.latch', start)),
    ...(await faultsOfSource('model.latch', model)),
  ];
  if (all.length > 0) return { faults: all };
  const { title, checks } = document;
  return { exercise: /** @type {LabExercise} */ ({ id, title, checks, text, start, model }), faults: [] };
}

/** @param {string} path */
function isTextFile(path) {
  const status = statSync(path);
  return status.isFile() && status.size <= BYTES_MAX;
}

/** @param {string} file @param {string | undefined} source */
async function faultsOfSource(file, source = '') {
  const { compile } = await labLanguage();
  return (compile(source).errors ?? []).map(
    ({ line, column, sentence }) => `/${file}:${line}:${column}: ${sentence}`,
  );
}

/** @param {string} json */
async function readDocument(json) {
  let document;
  try {
    document = JSON.parse(json);
  } catch (error) {
    return { document, faults: [`is not JSON: ${error instanceof Error ? error.message : error}`] };
  }
  const { lab_exercise_schema } = await contract();
  const faults = await faultsOfSchema(lab_exercise_schema, document);
  return { document, faults: faults.length > 0 ? faults : await faultsOfNames(document) };
}

/**
 * Finds the faults that a schema cannot find: names of latches and servers that do not exist.
 * @param {Pick<LabExercise, 'checks'>} document
 */
async function faultsOfNames({ checks }) {
  const { servers } = await readServers();
  const knownServers = servers.map(({ id }) => id);
  const declared = await readLatches();
  const latches = declared.filter(({ verdict }) => verdict === 'right').map(({ latch }) => latch);
  const manifests = await readManifests();
  return checks.flatMap((check, i) => {
    if (check.kind === 'workload') return faultsOfWorkload(check, `checks[${i}]`, manifests);
    if (check.kind !== 'contest') return [];
    const { server } = check.contest;
    const [name, bound] =
      check.at_least === undefined ? ['at_most', check.at_most] : ['at_least', check.at_least];
    const faults = [];
    if (server !== undefined && !knownServers.includes(server))
      faults.push(fault(`checks[${i}].contest.server`, server, oneOf(knownServers)));
    if (typeof bound === 'object' && bound.of !== 'start' && !latches.includes(bound.of))
      faults.push(fault(`checks[${i}].${name}.of`, bound.of, `start, or ${oneOf(latches)}`));
    return faults;
  });
}

/**
 * @param {import('../web/contract/lab-exercise').WorkloadCheck} check
 * @param {string} field
 * @param {import('../web/contract/manifest').Manifest[]} manifests
 */
function faultsOfWorkload({ workload, at_least, at_most }, field, manifests) {
  const manifest = manifests.find(({ id }) => id === workload.scenario);
  if (manifest === undefined)
    return [fault(`${field}.workload.scenario`, workload.scenario, oneOf(manifests.map(({ id }) => id)))];
  const faults = [];
  for (const [knob, variant] of Object.entries(workload.design)) {
    const known = manifest.knobs.find(({ id }) => id === knob);
    const allowed = (known?.variants.filter(({ needs }) => needs !== undefined) ?? manifest.knobs).map(
      ({ id }) => id,
    );
    if (known === undefined || !allowed.includes(variant))
      faults.push(fault(`${field}.workload.design.${knob}`, variant, oneOf(allowed)));
  }
  const [name, bound] = at_least === undefined ? ['at_most', at_most] : ['at_least', at_least];
  const turned = manifest.knobs.flatMap(({ id, variants }) =>
    variants.filter(({ needs }) => needs === undefined).map((variant) => `${id}.${variant.id}`),
  );
  const designs = ['start', ...Object.keys(manifest.designs), ...turned];
  if (typeof bound === 'object' && !designs.includes(bound.of))
    faults.push(fault(`${field}.${name}.of`, bound.of, oneOf(designs)));
  return faults;
}

/**
 * Splits a text into the task, the hints (one section each) and the text shown afterwards.
 * @param {string} markdown
 * @returns {{ text: import('../web/contract/lab-exercise').ExerciseText, faults: string[] }}
 */
export function readText(markdown) {
  const [task = '', ...sections] = markdown.split(/^(?=## )/m);
  const parts = sections.map((section) => {
    const [, heading = '', body = ''] = /^## ?([^\n]*)\n?([^]*)$/.exec(section) ?? [];
    return { heading: heading.trim(), body: body.trim() };
  });
  const faults = parts
    .filter(({ heading }) => heading !== 'Hint' && heading !== 'Afterwards')
    .map(({ heading }) => fault('section', heading, 'Hint, or Afterwards'));
  const hints = parts.filter(({ heading }) => heading === 'Hint').map(({ body }) => body);
  const endings = parts.filter(({ heading }) => heading === 'Afterwards').map(({ body }) => body);
  if (task.trim() === '')
    faults.push('the task is empty; allowed: a few short paragraphs before the sections');
  if (hints.length === 0) faults.push('there is no "## Hint"; allowed: one or more');
  if (endings.length !== 1 || parts.at(-1)?.heading !== 'Afterwards')
    faults.push(`there are ${endings.length} sections "## Afterwards"; allowed: one, the last section`);
  for (const { heading, body } of parts)
    if (body === '') faults.push(`the section "## ${heading}" is empty; allowed: a text`);
  return { text: { task: task.trim(), hints, afterwards: endings[0] ?? '' }, faults };
}
