// The runs of scenarios/determinism.json give the same bytes natively, natively again, and in
// WebAssembly. Runs are added to that file by hand; their digests are computed. The sysbench output
// of one run is stored in full in scenarios/sysbench-output.json. Tests compare it with what the
// command line prints and the page exports.
import { join } from 'node:path';

import { readJson } from '../../tools/scenario-files.mjs';
import { SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { readStored, storedFile } from './stored-results.mjs';

const SYSBENCH_FILE = 'scenarios/sysbench-output.json';
const sysbenchFile = () => readJson(join(SCENARIOS, 'sysbench-output.json'), SYSBENCH_FILE);

export const engines = ['virtual', 'wasm'];
export const fileOf = () => storedFile('determinism');
export const read = ({ id }) => readStored(SCENARIOS, 'determinism')[id]?.runs ?? null;

export async function find({ id }, named, runs) {
  const compared = await Promise.all(
    Object.entries(named).map(([name, { spec }]) => compare(name, spec, runs)),
  );
  runs.recorded = named;
  return {
    lines: compared.filter(({ isSame }) => isSame).map(({ line }) => `ok   ${line}`),
    faults: compared.filter(({ isSame }) => !isSame).map(({ line }) => `FAIL ${line}`),
    figures: Object.fromEntries(compared.map(({ name, sha256 }) => [name, sha256])),
    sysbench_output: await sysbenchOutput(id, runs),
  };
}

/**
 * @returns {Promise<string[] | null>} the lines of that run; null if the run is of another scenario
 */
async function sysbenchOutput(scenario, runs) {
  const { spec } = sysbenchFile();
  if (spec.scenario !== scenario) return null;
  const { result } = await runs.outcome(SYSBENCH_FILE, 'virtual', spec);
  const { header, report } = result.sysbench;
  const intervals = result.intervals.flatMap(({ sysbench_line }) => sysbench_line ?? []);
  return [...header, ...intervals, ...report, ''];
}

/** The file with the sysbench output. */
export function documents(all) {
  const output = all.map(({ sysbench_output }) => sysbench_output).find((lines) => lines);
  if (!output) return new Map();
  return new Map([[SYSBENCH_FILE, `${JSON.stringify({ ...sysbenchFile(), output }, null, 2)}\n`]]);
}

async function compare(name, spec, runs) {
  const outcomes = await Promise.all([
    runs.outcome(name, 'virtual', spec),
    runs.outcome(name, 'virtual', spec, { again: true }),
    runs.outcome(name, 'wasm', spec),
  ]);
  const [natively, again, inWasm] = outcomes.map(({ sha256 }) => sha256);
  const isSame = natively === again && natively === inWasm;
  const [first, ...others] = [natively, again, inWasm].map((sha256) => sha256.slice(0, 16));
  const line = isSame
    ? `${name}: ${first}`
    : `${name}: natively ${first}, again ${others[0]}, in WebAssembly ${others[1]}`;
  return { name, isSame, sha256: natively, line };
}

export const closing = (all) =>
  `determinism: ${all.reduce((sum, { lines }) => sum + lines.length, 0)} runs give the same bytes natively, again and in WebAssembly`;
