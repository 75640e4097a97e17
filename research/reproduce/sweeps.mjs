// Sweeps over threads: what the virtual server does between and beyond the reported figures, beside
// published ones where they exist.
import { markdownTable, rowOf, shown, shownRange, unitOf } from './table.mjs';

/**
 * @typedef {object} Sweep
 * @property {string} scenario
 * @property {string} id
 * @property {string} title
 * @property {string} unit
 * @property {{ run: string, points: { threads: number, here: number, published: Published | null
 *   }[] }[]} curves
 * @property {string} note
 * @typedef {{ value: number | [number, number], source: string }} Published
 */

/**
 * Repeats rows of the table with other numbers of threads. At the row's own number the figure is
 * the same.
 * @param {object} manifest
 * @param {object} reproduction the scenario's
 * @param {object} sweep one of its sweeps
 * @param {(name: string, run: object) => Promise<object[]>} carryOutRun a run with each of its
 *   seeds
 * @returns {Promise<Sweep>}
 */
export async function carryOut(manifest, { runs, figures }, sweep, carryOutRun) {
  const { id, title, threads, rows, published = [], note } = sweep;
  const rowFor = ({ figure, run }) => figures.find((one) => one.figure === figure && one.run === run);
  const pointAt = async (wanted, count) => {
    const { run } = wanted;
    const results = await carryOutRun(`${run}, ${count} threads`, { ...runs[run], threads: count });
    const { here } = rowOf(manifest, rowFor(wanted), results);
    return { threads: count, here, published: publishedAt(published, run, count) };
  };
  const curves = rows.map(async (wanted) => ({
    run: wanted.run,
    points: await Promise.all(threads.map((count) => pointAt(wanted, count))),
  }));
  const unit = unitOf(manifest, rowFor(rows.at(-1)));
  return { scenario: manifest.id, id, title, unit, curves: await Promise.all(curves), note };
}

function publishedAt(published, run, threads) {
  const point = published.find((one) => one.run === run && one.threads === threads);
  return point === undefined ? null : { value: point.value, source: point.source };
}

/**
 * The same sweep without a run: its figures come from the stored results.
 * @param {object | undefined} sweep of the scenario's reproduction.json; undefined if it was
 *   removed since
 * @param {Sweep} stored
 * @returns {Sweep}
 */
export function sweepFromStored(sweep, stored) {
  if (sweep === undefined) return stored;
  const { title, note, published = [] } = sweep;
  const curves = stored.curves.map(({ run, points }) => ({
    run,
    points: points.map((point) => ({ ...point, published: publishedAt(published, run, point.threads) })),
  }));
  return { ...stored, title, note, curves };
}

/**
 * @param {Sweep} sweep @returns {{ threads: number, cells: string[] }[]} a row for each number of
 * threads
 */
function rowsOf({ curves }) {
  return curves[0].points.map(({ threads }, i) => ({
    threads,
    cells: curves.map(({ points }) => {
      const { here, published } = points[i];
      return published === null ? shown(here) : `${shown(here)} (published: ${shownRange(published.value)})`;
    }),
  }));
}

/** @param {Sweep[]} sweeps */
export function sweepsAsText(sweeps) {
  return sweeps
    .map((sweep) => {
      const names = sweep.curves.map(({ run }) => run).join(', ');
      const lines = rowsOf(sweep).map(
        ({ threads, cells }) => `  ${String(threads).padStart(5)}  ${cells.join(', ')}`,
      );
      return [`  ${sweep.title}, ${sweep.unit}: ${names}`, ...lines].join('\n');
    })
    .join('\n');
}

/** @param {Sweep[]} sweeps */
export function sweepsAsMarkdown(sweeps) {
  return sweeps
    .map((sweep) => {
      const sources = sweep.curves.flatMap(({ points }) =>
        points.flatMap(({ published }) => published?.source ?? []),
      );
      const heads = ['threads', ...sweep.curves.map(({ run }) => `\`${run}\``)];
      const table = markdownTable(
        heads,
        rowsOf(sweep).map(({ threads, cells }) => [String(threads), ...cells]),
      );
      const published = sources.length > 0 ? ` Published: ${[...new Set(sources)].join('; ')}.` : '';
      return `${sweep.title}, ${sweep.unit}. ${sweep.note}${published}\n\n${table}`;
    })
    .join('\n\n');
}
