import { expect, test } from 'vitest';

import { History, historyColumns, type HistoryRow } from '../recording/history';
import { transactionsSeries } from './chart-series';
import type { RateScale } from './domains';
import { LineChart } from './line-chart';

const nothing = Object.fromEntries(historyColumns.map((name) => [name, null])) as HistoryRow;
const PLOT_WIDTH_PX = 800 - (4.2 + 0.9) * 16;

/** As vitest-canvas-mock records it. */
interface Drawn {
  type: string;
  props: { path: { type: string; props: { x: number; y: number } }[] };
}

/** Draws one rate per second. Returns the points of its line, and the ticks. */
function drawnRates(rates: number[], { rateScale, heightPx }: { rateScale: RateScale; heightPx?: number }) {
  const history = new History();
  for (const [i, rate] of rates.entries())
    history.append({ ...nothing, t_s: i + 1, transactions_per_s: rate });
  const host = document.body.appendChild(document.createElement('div'));
  if (heightPx !== undefined) Object.defineProperty(host, 'clientHeight', { value: heightPx });
  const ticks = new Set<number>();
  const chart = new LineChart(host, {
    series: [transactionsSeries],
    y: { kind: 'rate', topMin: 100 },
    format: (value) => {
      ticks.add(value);
      return String(value);
    },
    hasMarkLabels: false,
  });
  const range = { fromS: 0, toS: rates.length };
  chart.draw({ history, range, isVirtual: false, marks: [], rateScale });
  const context = host.querySelector('canvas')!.getContext('2d') as unknown as Record<string, () => Drawn[]>;
  const { path } = context.__getDrawCalls!().findLast(({ type }) => type === 'stroke')!.props;
  const points = path.filter(({ type }) => type === 'lineTo').map(({ props }) => props);
  chart.destroy();
  return { points, ticks: [...ticks] };
}

test('a rate of zero has a place on a logarithmic axis, below all others, and does not draw the axis out', () => {
  const { points, ticks } = drawnRates([1000, 20, 0], { rateScale: 'log' });
  const [of20, of0] = [points.at(-3)!, points.at(-1)!];
  expect(of0.x).toBeCloseTo(PLOT_WIDTH_PX);
  expect(of0.y).toBeGreaterThan(of20.y);
  expect(Math.min(...ticks)).toBe(10);
});

test('a chart as high as on a projector has no more ticks than others', () => {
  const { ticks } = drawnRates([100], { rateScale: 'linear', heightPx: 700 });
  expect(ticks.length).toBeGreaterThan(4);
  expect(ticks.length).toBeLessThanOrEqual(12);
});

test('what is pointed at is shown on a canvas as narrow as that, and nothing more is on the screen than what is drawn on', () => {
  const history = new History();
  for (let tS = 1; tS <= 4; tS += 1) history.append({ ...nothing, t_s: tS, transactions_per_s: 100 * tS });
  const host = document.body.appendChild(document.createElement('div'));
  const chart = new LineChart(host, {
    series: [transactionsSeries],
    y: { kind: 'rate', topMin: 100 },
    format: String,
    hasMarkLabels: false,
    readings: [{ name: 'TPS', format: String }],
  });
  chart.draw({ history, range: { fromS: 0, toS: 4 }, isVirtual: false, marks: [] });
  const [data, brush, moment] = host.querySelectorAll('canvas');
  const readout = host.querySelector<HTMLElement>('.readout')!;
  const hidden = () => [data, brush, moment, readout].map((part) => part!.hidden);
  expect(hidden()).toEqual([false, true, true, true]);

  chart.point({ tS: 2, brush: null });
  expect(hidden()).toEqual([false, true, false, false]);
  expect(readout).toHaveTextContent('TPS200');
  expect(moment!.width).toBeLessThan(12);
  expect(moment!.style.transform).toBe(`translateX(${4.2 * 16 + Math.round(PLOT_WIDTH_PX / 2) - 5}px)`);

  chart.point({ tS: null, brush: { fromS: 1, toS: 2 } });
  expect(hidden()).toEqual([false, false, true, true]);
  chart.point({ tS: null, brush: null });
  expect(hidden()).toEqual([false, true, true, true]);
  chart.destroy();
});
