// Reads and checks a scenario's census.json.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { duplicates, fault, oneOf } from '../../tools/field-faults.mjs';
import { MEASURABLES } from '../../web/contract/real-servers/experiments.mjs';
import { readChecked } from '../../tools/scenario-files.mjs';
import { labelFaults } from './labels.mjs';

/**
 * @typedef {import('../../web/contract/scenario-files/census').Census} Census
 * @typedef {import('../../web/contract/scenario-files/census').CensusException} Exception
 */

export const censusFile = (id) => `scenarios/${id}/census.json`;

/**
 * @param {string} scenarios path of the folder scenarios/
 * @param {{ id: string, knobs: { id: string, variants: { id: string, origin: string }[] }[],
 *   reported: { id: string }[] }} manifest
 * @returns {Promise<Census | null>} null if the scenario has no census
 */
export async function readCensus(scenarios, manifest) {
  const { id } = manifest;
  const path = join(scenarios, id, 'census.json');
  if (!existsSync(path)) return null;
  return readChecked('census', path, censusFile(id), (census) => faultsBeyondSchema(census, manifest));
}

function faultsBeyondSchema(
  { variants, not_compared, exceptions, reported = [] },
  { id, knobs, reported: figures },
) {
  const experiments = MEASURABLES.filter(({ scenario }) => scenario === id).map((one) => one.experiment);
  const both = Object.keys(variants).filter((server) => server in not_compared);
  return [
    ...Object.entries(variants).flatMap(([server, design]) =>
      designFaults(`variants.${server}`, design, knobs),
    ),
    ...Object.entries(variants).flatMap(([server, design]) => labelFaults(server, design, knobs)),
    ...both.map((server) => fault('not_compared', server, 'only servers without a variant')),
    ...duplicates(
      exceptions.flatMap(({ experiment, figure, servers }) =>
        servers.map((server) => `${experiment}, ${figure}, ${server}`),
      ),
    ).map((name) => fault('exceptions', name, 'each figure only once per server')),
    ...exceptions.flatMap((exception, i) =>
      exceptionFaults(`exceptions[${i}]`, exception, variants, experiments),
    ),
    ...reported.flatMap((one, i) => reportedFaults(`reported[${i}]`, one, experiments, figures)),
  ];
}

function designFaults(field, design, knobs) {
  const missing = knobs
    .filter((knob) => !(knob.id in design))
    .map((knob) =>
      fault(`${field}.${knob.id}`, undefined, oneOf(knob.variants.map((variant) => variant.id))),
    );
  const wrong = Object.entries(design).flatMap(([name, value]) => {
    const knob = knobs.find((one) => one.id === name);
    const allowed = knob?.variants.map((variant) => variant.id) ?? [];
    return allowed.includes(value) ? [] : [fault(`${field}.${name}`, value, oneOf(allowed))];
  });
  return [...missing, ...wrong];
}

function exceptionFaults(field, { experiment, servers, engine, server }, variants, experiments) {
  const faults = experiments.includes(experiment)
    ? []
    : [fault(`${field}.experiment`, experiment, oneOf(experiments))];
  for (const name of servers)
    if (!(name in variants)) faults.push(fault(`${field}.servers`, name, oneOf(Object.keys(variants))));
  for (const [name, [least, most]] of Object.entries({ engine, server }))
    if (least > most) faults.push(fault(`${field}.${name}`, [least, most], 'the smaller number first'));
  return faults;
}

function reportedFaults(field, { experiment, reported }, experiments, figures) {
  const ids = figures.map(({ id }) => id);
  return [
    ...(experiments.includes(experiment)
      ? []
      : [fault(`${field}.experiment`, experiment, oneOf(experiments))]),
    ...(ids.includes(reported) ? [] : [fault(`${field}.reported`, reported, oneOf(ids))]),
  ];
}
