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
 * @param {{ id: string, sample: string }[]} reproductions
 * @param {{ figures: import('./table.mjs').Row[], sweeps: import('./sweeps.mjs').Sweep[] }} results
 */
export function documentWith(text, reproductions, { figures, sweeps }) {
  const withCosts = withTable(text, 'work costs', workCostsAsMarkdown(declaredWorkCosts()));
  return reproductions.reduce((soFar, { id, sample }) => {
    const own = figures.filter(({ scenario }) => scenario === id);
    if (own.length === 0) return soFar;
    const swept = sweepsAsMarkdown(sweeps.filter(({ scenario }) => scenario === id));
    const parts = [sample, asMarkdown(own), ...(swept === '' ? [] : [swept])];
    return withTable(soFar, `reproduction of ${id}`, parts.join('\n\n'));
  }, withCosts);
}

/** For comparing: how wide a table's columns are does not count. */
export function withoutSpacing(markdown) {
  return markdown.replace(/[ \t]+/g, ' ').replace(/\| *-+ */g, '| - ');
}
