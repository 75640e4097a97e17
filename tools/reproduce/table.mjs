// The reproduction table, as rows, as text and as Markdown.
import { measuredCost, twoDigits } from '../work-costs.mjs';
import { MEASURES } from './measures.mjs';

/**
 * @typedef {object} Row
 * @property {string} scenario
 * @property {string} figure id of the manifest's reported figure
 * @property {string} label in words
 * @property {string} unit
 * @property {number | [number, number] | null} reported null if nobody has published such a figure
 * @property {number} here
 * @property {number | null} ratio here / reported; to the nearer end of a range, 1 inside it; null if not comparable
 * @property {'predicted' | 'fitted' | 'counted' | 'follows'} basis what the figure rests on; only `predicted` is evidence
 * @property {[number, number] | null} band within which `here` must be, in `unit`, stated beforehand; null if not comparable
 * @property {string | null} misses why it is not within its band; null where it is
 * @property {string} note
 */

/**
 * @param {object} manifest
 * @param {object} figure of the scenario's reproduction.json
 * @param {object[]} results of its run, one for each seed: the mean counts
 * @returns {Row}
 */
export function rowOf(manifest, figure, results) {
  const reported = manifest.reported.find(({ id }) => id === figure.figure);
  const values = results.map((result) => MEASURES[figure.measure.kind](result, figure.measure));
  const here = rounded(values.reduce((sum, value) => sum + value, 0) / values.length);
  const value = figure.unreported ? null : (figure.reported ?? reported.value);
  return {
    scenario: manifest.id,
    figure: figure.figure,
    label: figure.label ?? reported.figure,
    unit: figure.unit ?? reported.unit,
    reported: value,
    here,
    ratio: figure.not_comparable || value === null ? null : rounded(ratio(here, value)),
    basis: figure.basis,
    band: figure.band ?? null,
    misses: figure.misses ?? null,
    note: figure.note,
  };
}

function ratio(here, reported) {
  if (!Array.isArray(reported)) return here / reported;
  const [low, high] = reported;
  if (here < low) return here / low;
  return here > high ? here / high : 1;
}

/** Four significant digits and more where there are thousands: what the table shows. */
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

/** What the engine's work is said to cost, and what real servers took, as Markdown. */
export function workCostsAsMarkdown(costs) {
  const declared = Object.fromEntries(costs.map(({ name, value }) => [name, value]));
  return markdownTable(
    ['cost', 'ns', '', '', 'measured'],
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
const isWithinBand = ({ band, here }) => band === null || (band[0] <= here && here <= band[1]);

/** @param {Row} row */
const shownBasis = (row) => (isWithinBand(row) ? row.basis : `${row.basis}, **missed**`);

/**
 * Rows whose figure is not where the band says, and does not own up to it; or owns up to what is not so.
 * @param {Row[]} rows
 * @returns {string[]} one line each
 */
export function bandFaults(rows) {
  return rows.flatMap((row) => {
    const name = `${row.scenario}: ${row.label}: here ${shown(row.here)} ${row.unit}, band ${shownBand(row)}`;
    const isWithin = isWithinBand(row);
    if (!isWithin && row.misses === null) return [`${name}; it is outside, and no "misses" says why`];
    if (isWithin && row.misses !== null) return [`${name}; it is inside, but "misses" says that it is not`];
    return [];
  });
}

/** What the predictions show: how many there are, and how many came out within their bands. */
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
        `reported ${shownRange(row.reported)}, here ${shown(row.here)} ${row.unit}` +
        (isWithinBand(row) ? '' : `, outside ${shownBand(row)}`),
    )
    .join('\n');
}

/** @param {Row[]} rows */
export function asMarkdown(rows) {
  return markdownTable(
    ['figure', 'unit', 'reported', 'here', 'ratio', 'band', 'basis', ''],
    rows.map((row) => [
      row.label,
      row.unit,
      shownRange(row.reported),
      shown(row.here),
      shownRatio(row),
      shownBand(row),
      shownBasis(row),
      row.misses === null ? row.note : `Missed: ${row.misses} ${row.note}`,
    ]),
  );
}
