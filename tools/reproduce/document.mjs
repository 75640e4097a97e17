// docs/fidelity.md: prose by hand, tables by npm run reproduce -- --update.
import { declaredWorkCosts } from '../engine-counters.mjs';
import { sweepsAsMarkdown } from './sweeps.mjs';
import { asMarkdown, workCostsAsMarkdown } from './table.mjs';

/** `text` with a table put between the comments that say where it belongs. */
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
 * @param {{ id: string, sample: string, not_held: NotHeld[] }[]} reproductions
 * @param {{ figures: import('./table.mjs').Row[], sweeps: import('./sweeps.mjs').Sweep[] }} results
 */
export function documentWith(text, reproductions, { figures, sweeps }) {
  const withCosts = withTable(text, 'work costs', workCostsAsMarkdown(declaredWorkCosts()));
  return reproductions.reduce((soFar, { id, sample, not_held }) => {
    const own = figures.filter(({ scenario }) => scenario === id);
    if (own.length === 0) return soFar;
    const swept = sweepsAsMarkdown(sweeps.filter(({ scenario }) => scenario === id));
    const parts = [sample, asMarkdown(own), swept, notHeldAsMarkdown(not_held)].filter((part) => part !== '');
    return withTable(soFar, `reproduction of ${id}`, parts.join('\n\n'));
  }, withCosts);
}

/** @typedef {{ figure: string, source: string, why: string }} NotHeld published, but the engine cannot be held to it */

/** @param {NotHeld[]} list */
function notHeldAsMarkdown(list) {
  if (list.length === 0) return '';
  const lines = list.map(({ figure, source, why }) => `- ${figure} (${source}). ${why}`);
  return ['Published, but nothing here can be held to it:', '', ...lines].join('\n');
}

/** For comparing: how wide a table's columns are does not count. */
export function withoutSpacing(markdown) {
  return markdown.replace(/[ \t]+/g, ' ').replace(/\| *-+ */g, '| - ');
}
