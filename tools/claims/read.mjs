// Reads and checks a scenario's claims.json.
import { join } from 'node:path';

import { declaredCounters } from '../engine-counters.mjs';
import { fault, faultsOfSchema, oneOf } from '../field-faults.mjs';
import { MEASURES } from '../reproduce/measures.mjs';
import { readJson, ScenarioError } from '../scenario-manifests.mjs';

/**
 * @typedef {{ run: string, counter?: string, acquisitions_of?: string, waits_for?: string, at?: string[], per?: string }} Figure
 * @typedef {'equals' | 'at_least' | 'at_most'} Comparison
 * @typedef {{ claim: string, figure: Figure, times?: number } & Partial<Record<Comparison, number | Figure>>} Claim
 * @typedef {{ run: string, measure: { kind: string } }} Measured
 * @typedef {{ claim: string, figure: Measured, over?: Measured, at_least?: number, at_most?: number }} VirtualClaim
 * @typedef {{ seeds: number[], runs: Record<string, object>, claims: VirtualClaim[] }} VirtualClaims
 * @typedef {{ runs: Record<string, object>, claims: Claim[], virtual?: VirtualClaims }} Claims
 */

export const COMPARISONS = ['equals', 'at_least', 'at_most'];
const COUNTS = ['counter', 'acquisitions_of', 'waits_for'];

/**
 * @param {string} scenarios path of the folder scenarios/
 * @param {string} id of the scenario
 * @returns {Promise<Claims>}
 */
export async function readClaims(scenarios, id) {
  const file = claimsFile(id);
  const schemaFaults = await faultsOfSchema(
    readJson(join(scenarios, 'claims.schema.json'), 'scenarios/claims.schema.json'),
  );
  const document = readJson(join(scenarios, id, 'claims.json'), file);
  const faults = schemaFaults(document);
  if (faults.length === 0) faults.push(...faultsBeyondSchema(document));
  if (faults.length > 0) throw new ScenarioError(faults.map((line) => `${file}: ${line}`));
  return document;
}

export const claimsFile = (id) => `scenarios/${id}/claims.json`;

/** @param {Claims} claims */
function faultsBeyondSchema({ runs, claims, virtual }) {
  const figures = claims.flatMap(figuresOf);
  const used = figures.map(([, figure]) => figure.run);
  return [
    ...claims.flatMap(comparisonFaults),
    ...figures.flatMap(([field, figure]) => figureFaults(field, figure, Object.keys(runs))),
    ...Object.keys(runs)
      .filter((run) => !used.includes(run))
      .map((run) => fault('runs', run, 'only runs that a claim is about')),
    ...(virtual === undefined ? [] : virtualFaults(virtual)),
  ];
}

/** @param {VirtualClaims} virtual */
function virtualFaults({ runs, claims }) {
  const known = Object.keys(runs);
  const measured = claims.flatMap(({ figure, over }, i) => [
    [`virtual.claims[${i}].figure`, figure],
    ...(over === undefined ? [] : [[`virtual.claims[${i}].over`, over]]),
  ]);
  return [
    ...claims.flatMap((claim, i) => exactlyOne(`virtual.claims[${i}]`, claim, ['at_least', 'at_most'])),
    ...measured
      .filter(([, { run }]) => !known.includes(run))
      .map(([field, { run }]) => fault(`${field}.run`, run, oneOf(known))),
    ...measured
      .filter(([, { measure }]) => !(measure.kind in MEASURES))
      .map(([field, { measure }]) =>
        fault(`${field}.measure.kind`, measure.kind, oneOf(Object.keys(MEASURES))),
      ),
    ...known
      .filter((run) => !measured.some(([, figure]) => figure.run === run))
      .map((run) => fault('virtual.runs', run, 'only runs that a claim is about')),
  ];
}

/** @returns {[field: string, figure: Figure][]} */
function figuresOf(claim, index) {
  const field = `claims[${index}]`;
  const compared = COMPARISONS.filter((comparison) => typeof claim[comparison] === 'object');
  return [
    [`${field}.figure`, claim.figure],
    ...compared.map((comparison) => [`${field}.${comparison}`, claim[comparison]]),
  ];
}

function comparisonFaults(claim, index) {
  return exactlyOne(`claims[${index}]`, claim, COMPARISONS);
}

function figureFaults(field, figure, runs) {
  const counters = declaredCounters().map(({ name }) => name);
  const faults = exactlyOne(field, figure, COUNTS);
  if (!runs.includes(figure.run)) faults.push(fault(`${field}.run`, figure.run, oneOf(runs)));
  for (const name of ['counter', 'per']) {
    if (figure[name] !== undefined && !counters.includes(figure[name])) {
      faults.push(fault(`${field}.${name}`, figure[name], 'a counter of docs/telemetry.md'));
    }
  }
  if (figure.counter !== undefined && figure.at !== undefined) {
    faults.push(fault(`${field}.at`, figure.at, 'nothing beside a counter'));
  }
  return faults;
}

function exactlyOne(field, object, names) {
  const present = names.filter((name) => object[name] !== undefined);
  return present.length === 1 ? [] : [fault(field, present, `exactly one of ${names.join(', ')}`)];
}
