// Compares the claims about a scenario with the results of its runs.
import { brokenInvariants } from '../../tools/native-engine.mjs';
import { MEASURES } from '../reproduce/measures.mjs';
import { COMPARISONS } from './read.mjs';

/**
 * @typedef {{ ok: boolean, sentence: string, detail: string }} Verdict
 */

const HOLDS = {
  equals: (here, value) => here === value,
  at_least: (here, value) => here >= value,
  at_most: (here, value) => here <= value,
};

/**
 * @param {import('./read.mjs').Claims} claims
 * @param {Record<string, object>} results run results by run name
 * @returns {Verdict[]} one for each claim, then one for the invariants of all runs
 */
export function judge({ claims }, results) {
  return [...claims.map((claim) => verdictOn(claim, results)), verdictOnInvariants(results)];
}

/**
 * @param {import('./read.mjs').VirtualClaims} virtual
 * @param {Record<string, object>[]} resultsBySeed for each seed, run results by run name
 * @returns {Verdict[]}
 */
export function judgeVirtual({ claims }, resultsBySeed) {
  return [
    ...claims.map((claim) => verdictOnEverySeed(claim, resultsBySeed)),
    verdictOnInvariants(Object.assign({}, ...resultsBySeed.map(withSeedInNames))),
  ];
}

const withSeedInNames = (results, i) =>
  Object.fromEntries(Object.entries(results).map(([name, result]) => [`${name} (${i + 1})`, result]));

function verdictOnEverySeed(claim, resultsBySeed) {
  const comparison = claim.at_least === undefined ? 'at_most' : 'at_least';
  const measured = ({ run, measure }, results) => MEASURES[measure.kind](results[run], measure);
  const values = resultsBySeed.map(
    (results) => measured(claim.figure, results) / (claim.over ? measured(claim.over, results) : 1),
  );
  return {
    ok: values.every((value) => HOLDS[comparison](value, claim[comparison])),
    sentence: claim.claim,
    detail: `${values.map(shown).join(', ')}; ${comparison.replace('_', ' ')} ${shown(claim[comparison])}`,
  };
}

function verdictOn(claim, results) {
  const comparison = COMPARISONS.find((name) => claim[name] !== undefined);
  try {
    const here = valueOf(claim.figure, results);
    const value = valueOf(claim[comparison], results) * (claim.times ?? 1);
    return {
      ok: HOLDS[comparison](here, value),
      sentence: claim.claim,
      detail: `${shown(here)}, ${comparison.replace('_', ' ')} ${shown(value)}`,
    };
  } catch (error) {
    if (!(error instanceof NoFigure)) throw error;
    return { ok: false, sentence: claim.claim, detail: error.message };
  }
}

function verdictOnInvariants(results) {
  const names = Object.keys(results);
  const broken = names.flatMap((run) => brokenInvariants(results[run]).map((line) => `${run}: ${line}`));
  return {
    ok: broken.length === 0,
    sentence: `Every invariant holds in each of the ${names.length} runs.`,
    detail: broken.join('; '),
  };
}

/** Thrown when a run does not have the figure of a claim. */
class NoFigure extends Error {}

function valueOf(value, results) {
  if (typeof value === 'number') return value;
  const result = results[value.run];
  const count = value.counter === undefined ? latchCount(value, results) : result.counters[value.counter];
  if (value.per === undefined) return count;
  const operations = result.counters[value.per];
  if (operations === 0) throw new NoFigure(`the run ${value.run} has no ${value.per} to divide by`);
  return count / operations;
}

// A latch that a run never acquires is missing from its result. A latch that no run acquires is
// misspelled.
function latchCount({ run, acquisitions_of, waits_for, at }, results) {
  const latch = acquisitions_of ?? waits_for;
  const field = acquisitions_of === undefined ? 'waits' : 'acquisitions';
  for (const site of at ?? [undefined]) {
    const isKnown = Object.values(results).some(
      (result) => sitesOf(result, latch, site && [site]).length > 0,
    );
    if (!isKnown) throw new NoFigure(`no run acquires ${latch}${site ? ` in ${site}` : ''}`);
  }
  return sitesOf(results[run], latch, at).reduce((sum, site) => sum + site[field], 0);
}

function sitesOf(result, latch, functions) {
  return result.latches.filter(
    (row) => row.latch === latch && (functions === undefined || functions.includes(row.site)),
  );
}

const shown = (value) => (Number.isInteger(value) ? String(value) : value.toPrecision(3));
