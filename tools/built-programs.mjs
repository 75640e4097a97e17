// Records what a build made, so that a later call can skip the build. The record contains the
// digest of the inputs and the size, mode and digest of each program. A build that is intact and
// current is used as it is; a damaged one is built again.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { writeWhole } from './files.mjs';

const RECORD = 'latchscope-built.json';
const OTHERS_RUN = 0o111;
const IS_PROGRAM = /\.(wasm|mjs|cjs)$/;

/** @typedef {{ bytes: number, runs: boolean, sha256: string }} Program */
/**
 * @typedef {{ inputs: Record<string, string>, programs: Record<string, Program> }} Built `inputs`:
 *   the digest of the inputs of each target
 */

/** @returns {Built | null} null if the record is missing or damaged */
function readRecord(folder) {
  try {
    const { inputs, programs } = JSON.parse(readFileSync(join(folder, RECORD), 'utf8'));
    return { inputs: { ...inputs }, programs: { ...programs } };
  } catch {
    return null;
  }
}

/** @returns {Program} */
function programAt(path) {
  const { size, mode } = statSync(path);
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  return { bytes: size, runs: (mode & OTHERS_RUN) !== 0, sha256 };
}

function isAsRecorded(folder, [name, recorded]) {
  const path = join(folder, name);
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status?.isFile() || status.size !== recorded.bytes) return false;
  const { runs, sha256 } = programAt(path);
  return runs === recorded.runs && sha256 === recorded.sha256;
}

/** Returns whether all programs that earlier builds of this folder made are unchanged. */
const isIntact = (folder, record) =>
  record !== null && Object.entries(record.programs).every((program) => isAsRecorded(folder, program));

const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

/**
 * @param {string} folder
 * @param {string} target
 * @param {string} inputs the digest of what a build depends on now
 * @returns {boolean} whether the target is up to date
 */
export function isBuilt(folder, target, inputs) {
  const record = readRecord(folder);
  return record?.inputs[target] === inputs && isIntact(folder, record);
}

/**
 * Removes all programs of a build if one of them is damaged, for instance by a power loss, so that
 * they are linked again. Also removes empty object files and archives.
 * @param {string} folder
 * @returns {boolean} whether a program was damaged
 */
export function removeDamaged(folder) {
  const record = readRecord(folder);
  if (isIntact(folder, record)) return false;
  const mayBeProgram = (name) => !name.includes('.') || IS_PROGRAM.test(name);
  const programs = filesIn(folder).filter(mayBeProgram);
  for (const name of [RECORD, ...programs]) rmSync(join(folder, name), { force: true });
  const compiled = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of compiled.filter((path) => /\.(o|a)$/.test(path)))
    if (statSync(join(folder, name)).size === 0) rmSync(join(folder, name));
  return programs.length > 0;
}

/**
 * Records what a build made.
 * @param {string} folder
 * @param {string} target
 * @param {string} inputs the digest of what the build was made from
 */
export function recordBuilt(folder, target, inputs) {
  const made = filesIn(folder)
    .map((name) => [name, programAt(join(folder, name))])
    .filter(([name, { runs }]) => runs || IS_PROGRAM.test(name));
  const record = {
    inputs: { ...readRecord(folder)?.inputs, [target]: inputs },
    programs: Object.fromEntries(made),
  };
  writeWhole(join(folder, RECORD), `${JSON.stringify(record, null, 2)}\n`);
}
