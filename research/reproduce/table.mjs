// The reproduction table, as rows, as text and as Markdown.
import { median } from 'd3-array';

import { measuredCost, twoDigits } from './work-costs.mjs';
import { bandInWords, bandOf } from './bands.mjs';
import { MEASURES, SAMPLES } from './measures.mjs';

/**
 * @typedef {object} Row
 * @property {string} scenario
 * @property {string} figure id of the manifest's reported figure
 * @property {string} run
 * @property {string} label in words; each once in a scenario
 * @property {string} unit
 * @property {number | [number, number] | null} reported null if no such figure was published
 * @property {number} here
 * @property {Samples | null} samples the samples of a run of which `here` is the median; null if it
 *   is not a median
 * @property {number | null} ratio here / reported; to the nearer end of a range, 1 inside it; null
 *   if not comparable
 * @property {'predicted' | 'selected' | 'fitted' | 'counted' | 'follows'} basis what the figure
 *   rests on; only `predicted` is evidence
 * @property {[number, number] | null} band within which `here` must be, in `unit`, stated before
 *   the run; null if not comparable
 * @property {string | null} band_from where the band comes from, in words
 * @property {string | null} misses why the figure is not within its band; null if it is
 * @property {[number, number] | null} misses_by the ratios within which the miss is known; null if
 *   there is no miss
 * @property {string} note
 * @typedef {{ count: number, least: number, most: number, within_band: number | null }} Samples
 */

/**
 * @param {object} manifest
 * @param {object} figure of the scenario's reproduction.json
 * @param {object[]} results of its run, one for each seed; the row shows their mean
 * @returns {Row}
 */
export function rowOf(manifest, figure, results) {
  const value = reportedBy(manifest, figure);
  const band = bandOf(figure.band, value);
  return rowWith(manifest, figure, { value, band, ...measured(figure, results, band) });
}

/**
 * The same row without a run: the measured figure comes from the stored results.
 * @param {object} manifest
 * @param {object} figure
 * @param {Pick<Row, 'here' | 'samples'>} stored
 * @returns {Row}
 */
export function rowFromStored(manifest, figure, { here, samples }) {
  const value = reportedBy(manifest, figure);
  return rowWith(manifest, figure, { value, band: bandOf(figure.band, value), here, samples });
}

function rowWith(manifest, figure, { value, band, here, samples }) {
  const reported = manifest.reported.find(({ id }) => id === figure.figure);
  return {
    scenario: manifest.id,
    figure: figure.figure,
    run: figure.run,
    label: figure.label ?? reported.figure,
    unit: unitOf(manifest, figure),
    reported: value,
    here,
    samples,
    ratio: figure.not_comparable || value === null ? null : rounded(ratio(here, value)),
    basis: figure.basis,
    band,
    band_from: bandInWords(figure.band),
    misses: figure.misses?.why ?? null,
    misses_by: figure.misses?.ratio ?? null,
    note: figure.note,
  };
}

/** @returns {string} */
export const unitOf = ({ reported }, { figure, unit }) =>
  unit ?? reported.find(({ id }) => id === figure).unit;

/** The reported value beside a row; null if there is none. */
export function reportedBy({ reported }, { figure, reported: value, unreported }) {
  return unreported ? null : (value ?? reported.find(({ id }) => id === figure).value);
}

function measured({ figure, run, measure }, results, band) {
  const looks = SAMPLES[measure.kind]
    ? results.flatMap((result) => SAMPLES[measure.kind](result, measure))
    : null;
  const values = results.map((result) => MEASURES[measure.kind](result, measure));
  const here = looks ? median(looks) : rounded(values.reduce((sum, one) => sum + one, 0) / values.length);
  if (!Number.isFinite(here))
    throw new Error(`${figure}, ${run}: got ${here} from ${JSON.stringify(measure)}; allowed: a number`);
  return { here, samples: looks && distribution(looks, band) };
}

function distribution(looks, band) {
  return {
    count: looks.length,
    least: Math.min(...looks),
    most: Math.max(...looks),
    within_band: band && looks.filter((look) => band[0] <= look && look <= band[1]).length,
  };
}

function ratio(here, reported) {
  if (!Array.isArray(reported)) return here / reported;
  const [low, high] = reported;
  if (here < low) return here / low;
  return here > high ? here / high : 1;
}

/** Four significant digits, more for thousands: the form in the table. */
export function rounded(value) {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4));
}

/**
 * @param {string[]} heads
 * @param {string[][]} rows
 */
export function markdownTable(heads, rows) {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The engine's declared work costs and those measured on real servers, as Markdown. */
export function workCostsAsMarkdown(costs) {
  const declared = Object.fromEntries(costs.map(({ name, value }) => [name, value]));
  return markdownTable(
    ['cost', 'ns', 'basis', 'meaning', 'measured'],
    costs.map(({ name, value, basis: of, meaning }) => [
      `\`${name}\``,
      shown(value),
      of,
      meaning,
      of === 'measured' ? shownServers(measuredCost(name, declared).of) : '',
    ]),
  );
}

const shownServers = (of) =>
  Object.entries(of)
    .map(([server, ns]) => `${shown(twoDigits(ns))} (${server})`)
    .join(', ');

export const shown = (value) => value.toLocaleString('en-US', { maximumFractionDigits: 6 });
export function shownRange(value) {
  if (value === null) return '–';
  return Array.isArray(value) ? value.map(shown).join(' to ') : shown(value);
}
const shownRatio = (row) => (row.ratio === null ? '' : row.ratio.toFixed(2));
const shownBand = ({ band }) => (band === null ? 'not comparable' : shownRange(band));

/** @param {Row} row */
function shownHere({ here, samples }) {
  if (samples === null) return shown(here);
  const { count, least, most, within_band } = samples;
  const within = within_band === null ? '' : `, ${within_band} of them within the band`;
  return `${shown(here)} (${shown(least)} to ${shown(most)} in ${count} samples${within})`;
}

/** @param {Row} row */
const isWithinBand = ({ band, here }) => band === null || (band[0] <= here && here <= band[1]);

/** @param {Row} row */
const shownBasis = (row) => (isWithinBand(row) ? row.basis : `${row.basis}, **missed**`);

/**
 * Rows whose figure lies outside its band without a stated miss, or that state a miss that is none.
 * @param {Row[]} rows
 * @returns {string[]} one line each
 */
export function bandFaults(rows) {
  return rows.flatMap((row) => {
    const name = `${row.scenario}: ${row.label}: here ${shown(row.here)} ${row.unit}, band ${shownBand(row)}`;
    const isWithin = isWithinBand(row);
    const isKnownMiss = row.misses_by?.[0] <= row.ratio && row.ratio <= row.misses_by?.[1];
    if (!isWithin && row.misses === null) return [`${name}; it is outside, and no "misses" says why`];
    if (!isWithin && !isKnownMiss)
      return [`${name}; ratio ${row.ratio}: a miss, but not the known one, ${shownRange(row.misses_by)}`];
    if (isWithin && row.misses !== null) return [`${name}; it is inside, but "misses" says that it is not`];
    return [];
  });
}

/** What the predictions show: how many there are, and how many are within their bands. */
export function evidenceOf(rows) {
  const predictions = rows.filter(({ basis, band }) => basis === 'predicted' && band !== null);
  return { predictions: predictions.length, within: predictions.filter(isWithinBand).length };
}

/** @param {Row[]} rows */
export function asText(rows) {
  return rows
    .map(
      (row) =>
        `  ${shownRatio(row).padStart(5)}  ${row.basis.padEnd(9)}  ${row.label}: ` +
        `reported ${shownRange(row.reported)}, here ${shownHere(row)} ${row.unit}` +
        (isWithinBand(row) ? '' : `, outside ${shownBand(row)}`),
    )
    .join('\n');
}

/**
 * Returns the texts for the notes below the table, because cells are short.
 * @param {Row} row
 * @returns {string[]}
 */
function notesOf({ band_from, misses, note }) {
  // The document states the usual bands once. Only a band with its own reason needs a note.
  const isUsual = band_from === null || / to either side$/.test(band_from);
  const band = isUsual ? [] : [`Band: ${band_from.replace(/: (.*)$/, ' ($1)')}.`];
  return [...band, ...(misses === null ? [] : [`Missed: ${misses}`]), ...(note === '' ? [] : [note])];
}

/**
 * Returns a table, and below it numbered notes. Rows with the same note share its number.
 * @param {Row[]} rows
 */
export function asMarkdown(rows) {
  const notes = [...new Set(rows.flatMap(notesOf))];
  const table = markdownTable(
    ['figure', 'unit', 'reported', 'here', 'ratio', 'band', 'basis', 'notes'],
    rows.map((row) => [
      row.label,
      row.unit,
      shownRange(row.reported),
      shownHere(row),
      shownRatio(row),
      shownBand(row),
      shownBasis(row),
      notesOf(row)
        .map((note) => notes.indexOf(note) + 1)
        .join(', '),
    ]),
  );
  const list = notes.map((note, i) => `${i + 1}. ${note}`).join('\n');
  return notes.length === 0 ? table : `${table}\n\n${list}`;
}
