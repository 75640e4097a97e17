// Reads and checks a scenario's claims.json.
import { join } from 'node:path';

import { declaredCounters } from '../../tools/engine-counters.mjs';
import { fault, oneOf } from '../../tools/field-faults.mjs';
import { readChecked } from '../../tools/scenario-files.mjs';
import { MEASURES } from '../reproduce/measures.mjs';

/**
 * @typedef {import('../../web/contract/scenario-files/claims').Claims} Claims
 * @typedef {import('../../web/contract/scenario-files/claims').Figure} Figure
 * @typedef {import('../../web/contract/scenario-files/claims').VirtualClaims} VirtualClaims
 */

export const COMPARISONS = ['equals', 'at_least', 'at_most'];
const COUNTS = ['counter', 'acquisitions_of', 'waits_for'];

/**
 * @param {string} scenarios path of the folder scenarios/
 * @param {string} id of the scenario
 * @returns {Promise<Claims>}
 */
export const readClaims = (scenarios, id) =>
  readChecked('claims', join(scenarios, id, 'claims.json'), claimsFile(id), faultsBeyondSchema);

const claimsFile = (id) => `scenarios/${id}/claims.json`;

/** @param {Claims} claims */
function faultsBeyondSchema({ runs, claims, virtual }) {
  const figures = claims.flatMap(figuresOf);
  const used = figures.map(([, figure]) => figure.run);
  return [
    ...claims.flatMap(comparisonFaults),
    ...figures.flatMap(([field, figure]) => figureFaults(field, figure, Object.keys(runs))),
    ...Object.keys(runs)
      .filter((run) => !used.includes(run))
      .map((run) => fault('runs', run, 'only runs that a claim uses')),
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
      .map((run) => fault('virtual.runs', run, 'only runs that a claim uses')),
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
      faults.push(fault(`${field}.${name}`, figure[name], 'a counter of docs/reference/telemetry.md'));
    }
  }
  if (figure.counter !== undefined && figure.at !== undefined) {
    faults.push(fault(`${field}.at`, figure.at, 'no value if there is a counter'));
  }
  return faults;
}

function exactlyOne(field, object, names) {
  const present = names.filter((name) => object[name] !== undefined);
  return present.length === 1 ? [] : [fault(field, present, `exactly one of ${names.join(', ')}`)];
}
