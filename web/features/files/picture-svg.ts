// Draws the three charts of a run as one SVG, with lines and areas of the same data as the charts
// on the page.
import { scaleLinear, scaleLog } from 'd3-scale';
import { area, curveStepBefore, line } from 'd3-shape';

import { formatCompact, formatDurationNs } from '../../analysis/format';
import type { HistoryRows } from '../../recording/history';
import { knownStates } from '../../contract/time-shares';
import { previousRunInWords } from '../../session/previous-run';
import { stateName } from '../../widgets/state-names';
import {
  medianToP99,
  latencyDecades,
  latencyNames,
  latencySeries,
  operationsSeries,
  RATE_TOP_MIN,
  stateBands,
  transactionsSeries,
} from '../../charts/chart-series';
import { DecadeDomain, LinearDomain } from '../../charts/domains';
import { logRateAxis, type LineSeries } from '../../charts/line-chart';
import { stackedOn } from '../../charts/share-chart';
import { extentOf, highestRows, lonelyRows, VisibleRows } from '../../charts/visible-rows';
import {
  bandLegend,
  chart,
  FONT_PX,
  lineLegend,
  PLOT_WIDTH,
  textureId,
  textures,
  type Axis,
  type Chart,
  type Drawing,
  type Palette,
  type PictureContent,
} from './picture-frame';
import { svgElement, svgPaint, svgText, type SvgAttributes } from './svg';

const margin = { left: 86, right: 28, top: 96, bottom: 30 };
const PICTURE_WIDTH = margin.left + PLOT_WIDTH + margin.right;
const heights = { rates: 260, latency: 190, states: 150 };

const SANS = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";
const DOT_SPACING_PX = 4;

export interface PictureSvg {
  svg: string;
  width: number;
  height: number;
}

export function pictureSvg(content: PictureContent, color: Palette): PictureSvg {
  const { fromS, toS } = content.picture.range;
  const x = scaleLinear().domain([fromS, toS]).range([0, PLOT_WIDTH]);
  const drawing: Drawing = { content, x, color };
  let top = margin.top;
  const place = (chart: Chart) => {
    const placed = svgElement('g', { transform: `translate(${margin.left} ${top})` }, chart.svg);
    top += chart.height;
    return placed;
  };
  const charts = [rateChart(drawing), latencyChart(drawing), stateChart(drawing)].map(place);
  const height = top + margin.bottom;
  const { title, conditions, source } = content.description;
  const svg = svgElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: PICTURE_WIDTH,
      height,
      viewBox: `0 0 ${PICTURE_WIDTH} ${height}`,
      role: 'img',
      'font-family': SANS,
      'font-size': FONT_PX,
    },
    svgElement('title', {}, svgText(title)),
    svgElement('desc', {}, svgText(`${conditions}. ${source}.`)),
    textures(color),
    svgElement('rect', { width: PICTURE_WIDTH, height, ...svgPaint('fill', color('--panel')) }),
    heading(drawing),
    ...charts,
  );
  return { svg: `<?xml version="1.0" encoding="UTF-8"?>\n${svg}\n`, width: PICTURE_WIDTH, height };
}

function heading({ content, color }: Drawing): string {
  const { title, conditions, source } = content.description;
  const { previousRun } = content.picture;
  const pale =
    previousRun === null
      ? ''
      : ` · pale: ${previousRunInWords(previousRun)} (${previousRun.threads} clients)`;
  const lineOf = (text: string, y: number, style: SvgAttributes) =>
    svgElement('text', { x: margin.left, y, ...style }, svgText(text));
  return [
    lineOf(title, 38, { ...svgPaint('fill', color('--ink')), 'font-size': 19, 'font-weight': 650 }),
    lineOf(conditions, 62, { ...svgPaint('fill', color('--ink')) }),
    lineOf(source + pale, 82, { ...svgPaint('fill', color('--muted')) }),
  ].join('');
}

function rateChart(drawing: Drawing): Chart {
  const { picture, manifest } = drawing.content;
  const { operation, operations_are_drawn } = manifest.unit_of_work;
  const series = operations_are_drawn ? [transactionsSeries, operationsSeries] : [transactionsSeries];
  const names = ['transactions/s', `${operation}s/s`];
  const isLog = picture.rateScale === 'log';
  const y = (isLog ? logRates : linearRates)(columnsWithin(drawing, series)).range([heights.rates, 0]);
  const unit = picture.isVirtual ? 'per virtual second' : 'per second';
  return chart(drawing, {
    title: `Throughput, ${unit}${isLog ? ', log scale' : ''}`,
    legend: series.map((one, i) => lineLegend(one, names[i]!)),
    height: heights.rates,
    axis: {
      y,
      ticks: isLog ? decadesOf(y.domain() as [number, number]) : y.ticks(7),
      format: formatCompact,
    },
    data: lines(drawing, series, y, isLog ? logRateAxis.floor : undefined),
    hasMarkLabels: true,
  });
}

function linearRates(columns: readonly Float64Array[]) {
  const [, largest] = extentOf(columns);
  return scaleLinear().domain(new LinearDomain(RATE_TOP_MIN).update(Math.max(0, largest)));
}

function logRates(columns: readonly Float64Array[]) {
  const [smallest, largest] = extentOf(columns, 0);
  const { floor, empty } = logRateAxis;
  const domain = new DecadeDomain(empty).update(Math.max(smallest, floor), Math.max(largest, floor));
  return scaleLog().domain(domain).clamp(true);
}

function latencyChart(drawing: Drawing): Chart {
  const { clockStepNs } = drawing.content;
  const floor = clockStepNs ?? 1;
  const [smallest, largest] = extentOf(columnsWithin(drawing, latencySeries));
  const domain = new DecadeDomain(latencyDecades).update(Math.max(smallest, floor), Math.max(largest, floor));
  const y = scaleLog().domain(domain).range([heights.latency, 0]).clamp(true);
  const clock = clockStepNs === null ? '' : `, clock step ${formatDurationNs(clockStepNs)}`;
  return chart(drawing, {
    title: `Transaction latency, log scale${clock}`,
    legend: latencySeries.flatMap((one, i) =>
      one.drawn === 'not' ? [] : [lineLegend(one, latencyNames[i]!)],
    ),
    height: heights.latency,
    axis: { y, ticks: decadesOf(domain), format: formatDurationNs },
    data: latencyBand(drawing, y, floor) + lines(drawing, latencySeries, y, floor),
    hasMarkLabels: false,
  });
}

function stateChart(drawing: Drawing): Chart {
  const { isVirtual } = drawing.content.picture;
  const y = scaleLinear().domain([0, 1]).range([heights.states, 0]);
  return chart(drawing, {
    title: 'Client time',
    legend: knownStates(isVirtual).map((state, i) =>
      bandLegend(stateBands(isVirtual)[i]!, stateName(state, isVirtual)),
    ),
    height: heights.states,
    axis: { y, ticks: [0, 0.25, 0.5, 0.75, 1], format: (share) => `${Math.round(share * 100)} %` },
    data: bands(drawing),
    hasMarkLabels: false,
  });
}

function decadesOf([low, high]: [number, number]): number[] {
  return Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_, i) => low * 10 ** i);
}

const columnsWithin = ({ content }: Drawing, series: LineSeries[]) => {
  const rows = new VisibleRows(content.picture.history, content.picture.range);
  return series.map(({ column }) => rows.within(column));
};

function lines(
  drawing: Drawing,
  series: LineSeries[],
  y: Axis['y'],
  floor = Number.NEGATIVE_INFINITY,
): string {
  const { picture } = drawing.content;
  const before = picture.previousRun?.history;
  return [
    before === undefined ? '' : svgElement('g', { opacity: 0.4 }, linesOf(drawing, before, series, y, floor)),
    linesOf(drawing, picture.history, series, y, floor),
  ].join('');
}

function linesOf(
  { content, x, color }: Drawing,
  history: HistoryRows,
  series: LineSeries[],
  y: Axis['y'],
  floor: number,
): string {
  const rows = new VisibleRows(history, content.picture.range);
  const times = rows.column('t_s');
  const paths = series.map(({ column, color: property, drawn, widthPx, dashPx }) => {
    if (drawn === 'not') return '';
    const values = rows.column(column);
    const left = (row: number) => x(times[row]!);
    const dots = (drawn === 'dots' ? highestRows(values, left, DOT_SPACING_PX) : lonelyRows(values)).map(
      (row) => {
        const [cx, cy] = [left(row), y(Math.max(values[row]!, floor))];
        return svgElement('circle', { cx, cy, r: widthPx, ...svgPaint('fill', color(property)) });
      },
    );
    if (drawn === 'dots') return dots.join('');
    const d = line<number>()
      .defined((value) => !Number.isNaN(value))
      .x((_, i) => x(times[i]!))
      .y((value) => y(Math.max(value, floor)))
      .curve(curveStepBefore)
      .digits(2)(values);
    if (d === null) return '';
    const path = svgElement('path', {
      d,
      fill: 'none',
      ...svgPaint('stroke', color(property)),
      'stroke-width': widthPx,
      'stroke-dasharray': dashPx.length === 0 ? undefined : dashPx.join(' '),
      'stroke-linejoin': 'round',
    });
    return path + dots.join('');
  });
  return paths.join('');
}

function latencyBand({ content, x, color }: Drawing, y: Axis['y'], floor: number): string {
  const rows = new VisibleRows(content.picture.history, content.picture.range);
  const times = rows.column('t_s');
  const low = rows.column(medianToP99.from);
  const d = area<number>()
    .defined((value, row) => !Number.isNaN(value) && !Number.isNaN(low[row]!))
    .x((_, row) => x(times[row]!))
    .y0((_, row) => y(Math.max(low[row]!, floor)))
    .y1((value) => y(Math.max(value, floor)))
    .curve(curveStepBefore)
    .digits(2)(rows.column(medianToP99.to));
  if (d === null) return '';
  return svgElement('path', { d, ...svgPaint('fill', color(medianToP99.color)), opacity: 0.3 });
}

function bands({ content, x, color }: Drawing): string {
  const rows = new VisibleRows(content.picture.history, content.picture.range);
  const times = rows.column('t_s');
  let floor = new Float64Array(times.length);
  const paths = stateBands(content.picture.isVirtual).map((band) => {
    const ceiling = stackedOn(floor, rows.column(band.column), rows.column('running'));
    const bottom = floor;
    floor = ceiling;
    const d = area<number>()
      .defined((value) => !Number.isNaN(value))
      .x((_, i) => x(times[i]!))
      .y0((_, i) => heights.states * (1 - bottom[i]!))
      .y1((value) => heights.states * (1 - value))
      .curve(curveStepBefore)
      .digits(2)(ceiling);
    if (d === null) return '';
    const texture =
      band.texture === 'plain' ? '' : svgElement('path', { d, fill: `url(#${textureId(band)})` });
    return svgElement('path', { d, ...svgPaint('fill', color(band.color)) }) + texture;
  });
  if (paths.every((path) => path === '')) return nothingKnown(color);
  return paths.join('');
}

const nothingKnown = (color: Palette) =>
  svgElement(
    'text',
    {
      x: PLOT_WIDTH / 2,
      y: heights.states / 2,
      ...svgPaint('fill', color('--muted')),
      'text-anchor': 'middle',
    },
    svgText('unknown for this run'),
  );
