// The reproduction table, as rows, as text and as Markdown.
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
 * @property {boolean} fitted
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
    fitted: figure.fitted,
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

/** What the engine's work is said to cost, as Markdown. */
export function workCostsAsMarkdown(costs) {
  const lines = costs.map(
    ({ name, value, basis: of, meaning }) => `| \`${name}\` | ${shown(value)} | ${of} | ${meaning} |`,
  );
  return ['| cost | ns | | |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

const shown = (value) => value.toLocaleString('en-US', { maximumFractionDigits: 6 });
function shownRange(value) {
  if (value === null) return '–';
  return Array.isArray(value) ? value.map(shown).join(' to ') : shown(value);
}
const basis = ({ fitted }) => (fitted ? 'fitted' : 'predicted');
const shownRatio = (row) => (row.ratio === null ? '' : row.ratio.toFixed(2));

/** @param {Row[]} rows */
export function asText(rows) {
  return rows
    .map(
      (row) =>
        `  ${shownRatio(row).padStart(5)}  ${basis(row).padEnd(9)}  ${row.label}: ` +
        `reported ${shownRange(row.reported)}, here ${shown(row.here)} ${row.unit}`,
    )
    .join('\n');
}

/** @param {Row[]} rows */
export function asMarkdown(rows) {
  const lines = rows.map(
    (row) =>
      `| ${row.label} | ${row.unit} | ${shownRange(row.reported)} | ${shown(row.here)} | ${shownRatio(row)} | ` +
      `${basis(row)} | ${row.note} |`,
  );
  return [
    '| figure | unit | reported | here | ratio | | |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}
