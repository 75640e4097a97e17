// The last real version in which a bug was observed, and the evidence. census.json declares both,
// and they are checked against the measured files.
import { agrees, serverTitle } from '../../web/contract/real-servers/measured-server.mjs';
import { fault, oneOf } from '../../tools/field-faults.mjs';
import { ScenarioError } from '../../tools/scenario-files.mjs';
import { readMeasured } from '../real-servers/measured-file.mjs';
import { censusFile, readCensus } from './read.mjs';

/**
 * @typedef {{ experiment: string, figure: string, count: number }} SeenCount
 * @typedef {object} Sighting
 * @property {'alive' | 'in_part' | 'fixed'} bug
 * @property {string} server such as mysql-9
 * @property {string} version
 * @property {string} month month of the measured file, such as 2026-11
 * @property {string} how a sentence in which {name} is replaced by a count in words, and {name:2}
 *   by one with two decimals
 * @property {Record<string, SeenCount>} counts by the names used in the sentence
 * @typedef {{ sightings: Sighting[], remark?: string }} LastSeen the badge shows the first sighting
 * @typedef {{ label: string, is_alive: boolean, sightings: string[], remark: string | null }}
 *   LastSeenInWords
 */

const PLACE = /\{(\w+)(?::(\d))?\}/g;
const WORDS =
  'none one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'.split(
    ' ',
  );

const oneOfEach = (names) => oneOf([...new Set(names)]);

/** @param {Sighting} sighting */
const numbersOf = ({ version }) => /^[\d.]*\d/.exec(version)?.[0];

/**
 * @param {LastSeen} lastSeen
 * @param {import('../real-servers/measured-file.mjs').Measured[]} documents
 * @returns {string[]} claims that the measured files do not support, one line each
 */
export function lastSeenFaults({ sightings }, documents) {
  return sightings.flatMap((sighting, i) => {
    const field = `last_seen.sightings[${i}]`;
    return [...sentenceFaults(field, sighting), ...countedFaults(field, sighting, documents)];
  });
}

function sentenceFaults(field, { how, counts }) {
  const places = [...how.matchAll(PLACE)].map(([, name]) => name);
  const declared = Object.keys(counts);
  return [
    ...places
      .filter((name) => !declared.includes(name))
      .map((name) => fault(`${field}.how`, `{${name}}`, oneOf(declared))),
    ...declared
      .filter((name) => !places.includes(name))
      .map((name) => fault(`${field}.counts`, name, 'only counts that the sentence uses')),
    ...(/\d/.test(how.replaceAll(PLACE, ''))
      ? [fault(`${field}.how`, how, 'no digits; {name} inserts a count')]
      : []),
  ];
}

function countedFaults(field, { server, version, month, counts }, documents) {
  const ofServer = documents.filter((one) => one.server.name === server);
  if (ofServer.length === 0)
    return [fault(`${field}.server`, server, oneOfEach(documents.map((one) => one.server.name)))];
  const ofVersion = ofServer.filter((one) => numbersOf(one.server) === version);
  if (ofVersion.length === 0)
    return [fault(`${field}.version`, version, oneOfEach(ofServer.map((one) => numbersOf(one.server))))];
  const ofMonth = ofVersion.filter(({ measured_at }) => measured_at.startsWith(`${month}-`));
  if (ofMonth.length === 0)
    return [
      fault(`${field}.month`, month, oneOfEach(ofVersion.map(({ measured_at }) => measured_at.slice(0, 7)))),
    ];
  return Object.entries(counts).flatMap(([name, { experiment, figure, count }]) => {
    const counted = ofMonth
      .flatMap(({ experiments }) => experiments)
      .filter((one) => one.experiment === experiment)
      .flatMap(({ runs }) => runs.flatMap((run) => run.counts[figure] ?? []));
    if (counted.length === 0)
      return [fault(`${field}.counts.${name}`, `${experiment}, ${figure}`, 'a figure of that measured file')];
    return counted.every((measured) => agrees({ measured, engine: count }))
      ? []
      : [
          fault(
            `${field}.counts.${name}.count`,
            count,
            `${Math.min(...counted)} to ${Math.max(...counted)}, as counted, within 2 %`,
          ),
        ];
  });
}

/** @param {Sighting} sighting */
function sentenceOf({ server, version, month, how, counts }) {
  const filled = how.replaceAll(PLACE, (_, name, decimals) => {
    const { count } = counts[name];
    return decimals === undefined ? (WORDS[count] ?? String(count)) : count.toFixed(Number(decimals));
  });
  return `${serverTitle({ name: server, version })}, ${month}: ${filled}`;
}

const LABELS = { alive: 'Still in', in_part: 'Partly still in', fixed: 'Fixed' };

/**
 * @param {LastSeen} lastSeen
 * @returns {LastSeenInWords}
 */
export const lastSeenInWords = ({ sightings, remark }) => ({
  label: LABELS[sightings[0].bug],
  is_alive: sightings[0].bug === 'alive',
  sightings: sightings.map(sentenceOf),
  remark: remark ?? null,
});

/**
 * Reads the sightings of a bug. Throws a ScenarioError if the measured files contradict them.
 * @param {string} scenarios path of the folder scenarios/
 * @param {import('../../web/contract/manifest').Manifest} manifest
 * @returns {Promise<LastSeenInWords | null>} null if the census declares none
 */
export async function readLastSeen(scenarios, manifest) {
  const census = await readCensus(scenarios, manifest);
  if (census?.last_seen === undefined) return null;
  const faults = lastSeenFaults(census.last_seen, await readMeasured(scenarios, manifest.id));
  if (faults.length > 0) throw new ScenarioError(faults.map((line) => `${censusFile(manifest.id)}: ${line}`));
  return lastSeenInWords(census.last_seen);
}
