// Checks that all views of a bug agree: the card's curve, a sweep, a lesson and a document have the
// figures of the reproduction.
import { readFileSync } from 'node:fs';

import { mean } from 'd3-array';
import { describe, expect, test } from 'vitest';

import { withQuotes, type Quote } from '../../research/reproduce/quotes.mjs';
import { all_scenarios } from '../contract/all-scenarios';
import type { FrontRunCurve, MeasuredHere } from '../contract/manifest';
import type { ReproductionRow } from '../contract/reproduced-figures';

interface Sweep {
  curves: { run: string; points: { threads: number; here: number }[] }[];
  unit: string;
}
type Row = ReproductionRow & { run: string };

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const stored = JSON.parse(textOf('scenarios/reproduction-results.json')) as {
  scenarios: Record<string, { figures: { rows: Row[]; sweeps: Sweep[] } }>;
};

/** Spread between runs of one design: this share, or the range of several samples. */
const SPREAD = 0.05;
const intervalOf = ({ here, samples }: Row) =>
  samples === null
    ? ([here * (1 - SPREAD), here * (1 + SPREAD)] as const)
    : ([samples.least, samples.most] as const);

function expectWithin(value: number, row: Row, view: string): void {
  const [low, high] = intervalOf(row);
  const name = `${row.label}: ${view}`;
  expect(value, name).toBeGreaterThanOrEqual(low);
  expect(value, name).toBeLessThanOrEqual(high);
}

/** Returns a curve's throughput while the conditions of a figure hold; null if they never do. */
function throughputUnder({ spec, intervals }: FrontRunCurve, { when }: MeasuredHere): number | null {
  const atS = (spec.actions ?? []).find(({ action }) => action === (when?.before ?? when?.after))?.at_s;
  if (atS === undefined || (when?.after !== undefined && when.design !== designOf(spec))) return null;
  const rates = intervals.filter(({ t_s }) => (when?.before === undefined ? t_s > atS : t_s <= atS));
  // After an action, the first interval still contains transactions from before it.
  return mean(when?.before === undefined ? rates.slice(1) : rates, ({ tps }) => tps) ?? null;
}

const designOf = (spec: object) => (spec as { design?: string }).design ?? 'original';

describe.each(all_scenarios.map((scenario) => [scenario.manifest.bug, scenario] as const))(
  'bug #%i',
  (_, { manifest, front_run }) => {
    const { rows, sweeps } = stored.scenarios[manifest.id]!.figures;
    const { quoted } = JSON.parse(textOf(`scenarios/${manifest.id}/reproduction.json`)) as {
      quoted: Quote[];
    };

    test('lesson and documents quote the figures of the reproduction', () => {
      for (const quote of quoted) {
        const text = textOf(quote.in);
        expect(withQuotes(text, [quote], rows), `${quote.in}: ${quote.before}`).toBe(text);
      }
    });

    test('every number that the lesson’s table has from here is such a quote', () => {
      const file = `scenarios/${manifest.id}/lesson.md`;
      const unknown = rows.map((row) => ({ ...row, here: 9.9e15 }));
      const own = quoted.filter((quote) => quote.in === file);
      expect(
        numbersFromHere(withQuotes(textOf(file), own, unknown)).filter((n) => !n.startsWith('9,9')),
      ).toEqual([]);
    });

    test('the curve on the card has the throughput of the figures', () => {
      for (const { id, here } of manifest.reported) {
        const row = rows.find(({ figure }) => figure === id);
        if (here?.kind !== 'transactions_per_second' || row === undefined) continue;
        for (const curve of front_run!.runs) {
          const tps = throughputUnder(curve, here);
          if (tps !== null) expectWithin(tps, row, `the curve of ${curve.title}`);
        }
      }
    });

    test('a sweep has, at the clients of every other view, the figure of its design', () => {
      const { virtual_default } = manifest.threads;
      for (const { curves, unit } of sweeps)
        for (const { run, points } of curves) {
          const row = rows.find(
            (one) => one.run === run && one.unit === unit && !one.label.includes('before'),
          )!;
          const point = points.find(({ threads }) => threads === virtual_default)!;
          expectWithin(point.here, row, `the sweep of ${run}`);
        }
    });
  },
);

test('the curves of #117533 are held against its figures before and after the UPDATE', () => {
  const { manifest, front_run } = all_scenarios.find((scenario) => scenario.manifest.bug === 117533)!;
  const held = manifest.reported.filter(
    ({ here }) =>
      here?.kind === 'transactions_per_second' && throughputUnder(front_run!.runs[0]!, here) !== null,
  );
  expect(held.map(({ id }) => id)).toEqual(['tps_before_update', 'tps_after_update']);
});

/** Returns the values in table columns whose header ends with "here". */
function numbersFromHere(markdown: string): string[] {
  const tables = markdown
    .split(/\n(?!\|)/)
    .map((part) => part.split('\n').filter((line) => line.startsWith('|')));
  return tables.flatMap(([head = '', , ...lines]) => {
    const column = cellsOf(head).findIndex((cell) => /\bhere$/.test(cell));
    return column < 0 ? [] : lines.flatMap((line) => /\d[\d,.]*/.exec(cellsOf(line)[column]!) ?? []);
  });
}

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());
