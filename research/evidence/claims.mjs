// Checks what scenarios/*/claims.json claim, on real threads and on the virtual server.
import { SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { judge, judgeVirtual } from '../claims/judge.mjs';
import { readClaims } from '../claims/read.mjs';

export const engines = ['threads', 'virtual'];
export const fileOf = ({ id }) => `scenarios/${id}/claims.json`;
export const read = ({ id }) => readClaims(SCENARIOS, id);

/** @param {import('../claims/read.mjs').Claims} claims */
export async function find(manifest, claims, runs) {
  const { virtual } = claims;
  const verdicts = await Promise.all([
    resultsOf('threads', manifest, 'runs', claims.runs, runs).then((results) => judge(claims, results)),
    ...(virtual === undefined
      ? []
      : [resultsBySeed(manifest, virtual, runs).then((all) => judgeVirtual(virtual, all))]),
  ]);
  const [held, failed] = [true, false].map((ok) => verdicts.flat().filter((verdict) => verdict.ok === ok));
  return {
    lines: held.map((verdict) => `ok   ${inWords(verdict)}`),
    faults: failed.map((verdict) => `FAIL ${inWords(verdict)}`),
    held: held.length,
  };
}

/** @returns {Promise<Record<string, object>>} run results by the names of the runs */
async function resultsOf(engine, { id }, field, named, runs) {
  const outcomes = Object.entries(named).map(async ([name, run]) => {
    const { result } = await runs.outcome(`${field}.${name}`, engine, { scenario: id, ...run });
    return [name, result];
  });
  return Object.fromEntries(await Promise.all(outcomes));
}

function resultsBySeed(manifest, { seeds, runs: named }, runs) {
  const threads = manifest.threads.virtual_default;
  const withSeed = (seed) =>
    Object.fromEntries(
      Object.entries(named).map(([name, run]) => [name, { platform: 'virtual', seed, threads, ...run }]),
    );
  return Promise.all(
    seeds.map((seed) => resultsOf('virtual', manifest, 'virtual.runs', withSeed(seed), runs)),
  );
}

const inWords = ({ sentence, detail }) => `${sentence}${detail ? ` [${detail}]` : ''}`;

export function closing(all) {
  const count = (of) => all.reduce((sum, found) => sum + of(found), 0);
  return `claims: ${count(({ held = 0 }) => held)} hold, ${count(({ faults }) => faults.length)} do not`;
}
