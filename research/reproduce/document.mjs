// docs/fidelity.md: the prose is written by hand, the tables by npm run evidence -- reproduction
// --update.
import { declaredWorkCosts } from '../../tools/engine-counters.mjs';
import { sweepsAsMarkdown } from './sweeps.mjs';
import { asMarkdown, workCostsAsMarkdown } from './table.mjs';

/** `text` with a table put between the comments that mark its place. */
function withTable(text, name, table) {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const begin = text.indexOf(opening);
  const end = text.indexOf(closing);
  if (begin < 0 || end < begin) throw new Error(`docs/fidelity.md: has no place for a table: ${opening}`);
  return `${text.slice(0, begin)}${opening}\n\n${table}\n\n${text.slice(end)}`;
}

/**
 * The document with these tables.
 * @param {string} text
 * @param {{ scenario: string, reproduction: { sample: string, not_held: NotHeld[] }, figures:
 *   Figures }[]} all
 */
export function documentWith(text, all) {
  const withCosts = withTable(text, 'work costs', workCostsAsMarkdown(declaredWorkCosts()));
  return all.reduce((soFar, { scenario, reproduction: { sample, not_held }, figures: { rows, sweeps } }) => {
    const tables = [asMarkdown(rows), sweepsAsMarkdown(sweeps), notHeldAsMarkdown(not_held)];
    const parts = [sample, ...tables].filter((part) => part !== '');
    return withTable(soFar, `reproduction of ${scenario}`, parts.join('\n\n'));
  }, withCosts);
}

/**
 * @typedef {{ rows: import('./table.mjs').Row[], sweeps: import('./sweeps.mjs').Sweep[] }} Figures
 */

/**
 * @typedef {{ figure: string, source: string, why: string }} NotHeld published, but not
 * comparable with a figure of the engine
 */

/** @param {NotHeld[]} list */
function notHeldAsMarkdown(list) {
  if (list.length === 0) return '';
  const lines = list.map(({ figure, source, why }) => `- ${figure} (${source}). ${why}`);
  return ['Published, but not comparable with anything here:', '', ...lines].join('\n');
}
