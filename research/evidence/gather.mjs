// Gathers evidence of several kinds for the scenarios. All runs share one pool.
import { join } from 'node:path';

import { buildCommandLine, buildWasm } from '../../tools/builds.mjs';
import { EngineRuns } from '../../tools/engine-runs.mjs';
import { writeFormatted, writeJson } from '../../tools/files.mjs';
import { repository } from '../../tools/processes.mjs';
import { readManifests, SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { NoResult, ScenarioRuns } from './scenario-runs.mjs';
import { differences, storedFile, storedWith, textOf } from './stored-results.mjs';

/**
 * @typedef {object} Kind the exports of a module in this folder
 * @property {import('../../tools/engine-runs.mjs').Engine[]} engines
 * @property {() => Promise<object[]>} [subjects] what takes the place of the scenarios' manifests;
 *   each has an `id`
 * @property {(manifest: object) => string} fileOf the file that declares the runs of a scenario
 * @property {(manifest: object) => Promise<any>} read the checked content of that file; null if it
 *   does not exist
 * @property {(manifest: object, stated: any, runs: ScenarioRuns, wishes: object) => Promise<Found>}
 *   find
 * @property {(all: Found[]) => string} closing the line that sums up the kind
 * @property {(all: Found[], textOf: (file: string) => string) => Map<string, string>} [documents]
 *   documents that show the figures, with the text that they should have
 * @typedef {object} Found the findings for one scenario
 * @property {string[]} lines to print
 * @property {string[]} faults statements that do not hold
 * @property {string[]} [mended_by_update] faults that --update removes
 * @property {any} [figures] to store
 */

const build = {
  threads: () => buildCommandLine(),
  virtual: () => buildCommandLine('virtual'),
  wasm: () => buildWasm('virtual'),
};

/**
 * @param {{ kinds: string[], scenarios: string[], update: boolean, json?: string }} wishes
 * @returns {Promise<{ holds: boolean, closings: string[] }>} holds: whether every
 *   statement holds; closings: the closing line of each kind
 */
export async function gatherEvidence(wishes) {
  const isWished = ({ id }) => wishes.scenarios.includes(id);
  const manifests = (await readManifests()).filter(isWished);
  const stated = [];
  for (const name of wishes.kinds) {
    const kind = await import(`./${name}.mjs`);
    const subjects = (await kind.subjects?.())?.filter(isWished) ?? manifests;
    for (const manifest of subjects) {
      const content = await kind.read(manifest);
      if (content !== null) stated.push({ name, kind, manifest, content });
    }
  }
  const engineRuns = EngineRuns.on(await buildEngines(stated));
  const underWay = stated.map((one) => ({ ...one, found: findOn(one, engineRuns, wishes) }));
  const print = wishes.json === '-' ? () => {} : (line) => console.log(line);
  const outcomes = [];
  for (const name of wishes.kinds)
    outcomes.push(
      await conclude(
        name,
        underWay.filter((one) => one.name === name),
        print,
        wishes,
      ),
    );
  const closings = outcomes.map(({ closing }) => closing);
  if (closings.length > 1) for (const closing of closings) print(closing);
  return { holds: outcomes.every(({ holds }) => holds), closings };
}

async function buildEngines(stated) {
  const folders = {};
  for (const engine of stated.flatMap(({ kind }) => kind.engines)) folders[engine] ??= await build[engine]();
  return folders;
}

async function findOn({ kind, manifest, content }, engineRuns, wishes) {
  const runs = new ScenarioRuns(engineRuns, manifest, kind.fileOf(manifest));
  const scenario = manifest.id;
  try {
    const found = await kind.find(manifest, content, runs, wishes);
    return { scenario, isWhole: true, runs: runs.recorded, ...found };
  } catch (error) {
    if (!(error instanceof NoResult)) throw error;
    return { scenario, isWhole: false, lines: [], faults: [`FAIL Every run ends. [${error.message}]`] };
  }
}

/**
 * Prints the findings of one kind in the order of the scenarios. Writes the stored files, or
 * compares the findings with them.
 */
async function conclude(name, underWay, print, wishes) {
  if (underWay.length === 0) return { holds: true, closing: `${name}: nothing to run` };
  const [{ kind }] = underWay;
  const all = [];
  const faults = [];
  print(`\n${name}`);
  for (const { found } of underWay) {
    const one = await found;
    const mended = one.mended_by_update ?? [];
    const left = wishes.update ? one.faults : [...one.faults, ...mended];
    print(
      [one.scenario, ...one.lines, ...(wishes.update ? mended : [])].join('\n').replaceAll('\n', '\n    '),
    );
    for (const line of left) console.error(`    ${line}`);
    faults.push(...left);
    all.push(one);
  }
  if (wishes.json !== undefined) writeJson(wishes.json, kind.asJson(all));
  const differing = [];
  for (const [file, text] of filesOf(
    name,
    kind,
    all.filter(({ isWhole }) => isWhole),
  ))
    if (wishes.update) await writeFormatted(join(repository, file), text);
    else differing.push(...differences(file, textOf(file), text));
  if (differing.length > 0)
    differing.push(`If the engine was meant to change: npm run evidence -- ${name} --update`);
  for (const line of differing) console.error(line);
  const closing = kind.closing(all);
  print(closing);
  return { closing, holds: faults.length + differing.length === 0 };
}

/**
 * Returns the texts of the stored files and of the documents that repeat them, by path from the
 * root of the repository.
 */
function filesOf(name, kind, all) {
  const files = kind.documents?.(all, textOf) ?? new Map();
  const results = all.filter(({ figures }) => figures !== undefined);
  if (results.length > 0) files.set(storedFile(name), JSON.stringify(storedWith(SCENARIOS, name, results)));
  return files;
}
