// Draws what surrounds the data of a chart in a picture: title, legend, axes and marks.
import type { ScaleContinuousNumeric, ScaleLinear } from 'd3-scale';

import { timeLabel, timeUnit } from '../../charts/axes';
import type { LineSeries } from '../../charts/line-chart';
import { dashesPx, placeLabels } from '../../charts/marks';
import type { ShareBand } from '../../charts/share-chart';
import type { Manifest } from '../../contract/manifest';
import type { ChartPicture } from '../../session/chart-picture';
import { markLabel } from '../../session/log';
import type { RunDescription } from '../../session/run-description';
import { svgElement, svgPaint, svgText } from './svg';

/** The data for a picture of the charts. */
export interface PictureContent {
  picture: ChartPicture;
  description: RunDescription;
  manifest: Manifest;
  /**
   * Latencies below it cannot be distinguished, in nanoseconds; null if unknown, or if latencies
   * are exact.
   */
  clockStepNs: number | null;
}

/** Resolves a custom property of the style sheet to a color that SVG supports. */
export type Palette = (property: string) => string;

/** The common data of all parts of a picture. */
export interface Drawing {
  content: PictureContent;
  x: ScaleLinear<number, number>;
  color: Palette;
}

export interface Chart {
  svg: string;
  height: number;
}

export const PLOT_WIDTH = 1086;
const HEADING_HEIGHT = 34;
const AXIS_HEIGHT = 34;
const MARK_LANE_HEIGHT = 15;
const MARK_LANES = 3;
export const FONT_PX = 13;
const TICK_SPACING_PX = 90;
/**
 * Average width of a character relative to the font size, because there is no canvas to measure
 * text.
 */
const SANS_CHARACTER = 0.55;
const BOLD_CHARACTER = 0.62;

export interface Axis {
  y: ScaleContinuousNumeric<number, number>;
  ticks: number[];
  format: (value: number) => string;
}

interface ChartParts {
  title: string;
  legend: LegendEntry[];
  height: number;
  axis: Axis;
  data: string;
  hasMarkLabels: boolean;
}

export function chart(
  drawing: Drawing,
  { title, legend, height, axis, data, hasMarkLabels }: ChartParts,
): Chart {
  const { color } = drawing;
  const above = HEADING_HEIGHT + (hasMarkLabels ? MARK_LANES * MARK_LANE_HEIGHT : 0);
  const clipId = `plot-${Math.round(height)}`;
  const svg = [
    svgElement(
      'text',
      { y: 14, ...svgPaint('fill', color('--ink')), 'font-weight': 650, 'font-size': 15 },
      svgText(title),
    ),
    legendAtRight(drawing, legend),
    svgElement(
      'g',
      { transform: `translate(0 ${above})` },
      svgElement('clipPath', { id: clipId }, svgElement('rect', { width: PLOT_WIDTH, height })),
      valueAxis(drawing, axis),
      svgElement('g', { 'clip-path': `url(#${clipId})` }, data),
      timeAxis(drawing, height),
      marks(drawing, height, hasMarkLabels),
    ),
  ].join('');
  return { svg, height: above + height + AXIS_HEIGHT + 10 };
}

function valueAxis({ color }: Drawing, { y, ticks, format }: Axis): string {
  return ticks
    .map((value) => {
      const top = y(value);
      const grid = { x2: PLOT_WIDTH, y1: top, y2: top, ...svgPaint('stroke', color('--grid')) };
      const label = {
        x: -9,
        y: top + FONT_PX * 0.35,
        ...svgPaint('fill', color('--muted')),
        'text-anchor': 'end',
      };
      return svgElement('line', grid) + svgElement('text', label, svgText(format(value)));
    })
    .join('');
}

function timeAxis({ content, x, color }: Drawing, height: number): string {
  const { isVirtual, range } = content.picture;
  const { unit, perS } = timeUnit(range.toS, isVirtual);
  const name = isVirtual ? `virtual ${unit}` : unit;
  const namePx = name.length * FONT_PX * SANS_CHARACTER;
  const labelY = height + 22;
  const ticks = x.ticks(PLOT_WIDTH / TICK_SPACING_PX).map((tS) => {
    const left = x(tS);
    const tick = { x1: left, x2: left, y1: height, y2: height + 5, ...svgPaint('stroke', color('--muted')) };
    const label = timeLabel(tS, perS);
    const fits = left + (label.length * FONT_PX * SANS_CHARACTER) / 2 < PLOT_WIDTH - namePx - 10;
    const place = { x: left, y: labelY, ...svgPaint('fill', color('--muted')), 'text-anchor': 'middle' };
    return svgElement('line', tick) + (fits ? svgElement('text', place, svgText(label)) : '');
  });
  const unitPlace = {
    x: PLOT_WIDTH,
    y: labelY,
    ...svgPaint('fill', color('--muted')),
    'text-anchor': 'end',
  };
  return [
    svgElement('line', { x2: PLOT_WIDTH, y1: height, y2: height, ...svgPaint('stroke', color('--muted')) }),
    ...ticks,
    svgElement('text', unitPlace, svgText(name)),
  ].join('');
}

function marks({ content, x, color }: Drawing, height: number, hasLabels: boolean): string {
  const { picture } = content;
  const { fromS, toS } = picture.range;
  const visible = picture.marks
    .map((mark) => ({
      left: x(mark.run_ns / 1e9),
      tS: mark.run_ns / 1e9,
      kind: mark.kind,
      label: markLabel(mark),
    }))
    .filter(({ tS }) => tS >= fromS && tS <= toS);
  const widths = visible.map(({ label }) => label.length * FONT_PX * BOLD_CHARACTER + 10);
  const labels = hasLabels
    ? placeLabels(
        visible.map(({ left }) => left),
        widths,
        PLOT_WIDTH,
      )
    : visible.map(() => null);
  return visible
    .map(({ left, kind, label }, i) => {
      const placed = labels[i] ?? null;
      const laneTop = placed === null ? 0 : (placed.lane - MARK_LANES) * MARK_LANE_HEIGHT;
      const dash = dashesPx[kind];
      const stroke = {
        ...{
          x1: left,
          x2: left,
          y1: laneTop,
          y2: height,
          ...svgPaint('stroke', color('--mark')),
          'stroke-width': 1.5,
        },
        'stroke-dasharray': dash.length === 0 ? undefined : dash.join(' '),
      };
      const place = {
        x: left + (placed?.isLeft ? -5 : 5),
        y: laneTop + 11,
        ...svgPaint('fill', color('--mark')),
        'font-weight': 600,
        'text-anchor': placed?.isLeft ? 'end' : 'start',
      };
      return svgElement('line', stroke) + (placed === null ? '' : svgElement('text', place, svgText(label)));
    })
    .join('');
}

interface LegendEntry {
  name: string;
  sign: (color: Palette) => string;
}

const SIGN_WIDTH = 28;

export const lineLegend = ({ color: property, widthPx, dashPx }: LineSeries, name: string): LegendEntry => ({
  name,
  sign: (color) =>
    svgElement('line', {
      x2: SIGN_WIDTH,
      y1: 10,
      y2: 10,
      ...svgPaint('stroke', color(property)),
      'stroke-width': widthPx,
      'stroke-dasharray': dashPx.length === 0 ? undefined : dashPx.join(' '),
    }),
});

export const bandLegend = (band: ShareBand, name: string): LegendEntry => ({
  name,
  sign: (color) => {
    const box = { x: SIGN_WIDTH - 15, y: 3, width: 15, height: 13 };
    const texture =
      band.texture === 'plain' ? '' : svgElement('rect', { ...box, fill: `url(#${textureId(band)})` });
    return svgElement('rect', { ...box, ...svgPaint('fill', color(band.color)) }) + texture;
  },
});

function legendAtRight({ color }: Drawing, entries: LegendEntry[]): string {
  const widths = entries.map(({ name }) => SIGN_WIDTH + 6 + name.length * FONT_PX * SANS_CHARACTER + 16);
  let left = PLOT_WIDTH - widths.reduce((sum, width) => sum + width, 0);
  return entries
    .map(({ name, sign }, i) => {
      const at = left;
      left += widths[i]!;
      const place = { x: SIGN_WIDTH + 6, y: 14, ...svgPaint('fill', color('--muted')) };
      const text = svgElement('text', place, svgText(name));
      return svgElement('g', { transform: `translate(${at} 0)` }, sign(color), text);
    })
    .join('');
}

export const textureId = ({ texture }: ShareBand) => `texture-${texture}`;

/** A second channel in addition to color, as on the page. */
export function textures(color: Palette): string {
  const ink = color('--texture-ink');
  const tile = (texture: ShareBand['texture'], ...content: string[]) =>
    svgElement(
      'pattern',
      { id: `texture-${texture}`, width: 8, height: 8, patternUnits: 'userSpaceOnUse' },
      ...content,
    );
  const up = svgElement('path', { d: 'M-2 2L2 -2M0 8L8 0M6 10L10 6', ...svgPaint('stroke', ink) });
  const down = svgElement('path', { d: 'M-2 6L2 10M0 0L8 8M6 -2L10 2', ...svgPaint('stroke', ink) });
  return svgElement(
    'defs',
    {},
    tile('striped', svgElement('rect', { y: 3, width: 8, height: 1, ...svgPaint('fill', ink) })),
    tile('hatched', up),
    tile('crossed', up, down),
    tile('dotted', svgElement('rect', { x: 2, y: 2, width: 2, height: 2, ...svgPaint('fill', ink) })),
  );
}
