// Draws what all pictures of bugs share: their frame, and rows with a name, a bar, and its value in
// words. Texture and words also show the kind of a bar.
import { scaleLinear, scaleLog } from 'd3-scale';

import { addLine, addSvg, addText, type Plot, type SvgChart } from '../svg-plot';

/**
 * `now`: measured in the current part of the run; `before`: in an earlier part; `limit`: computed;
 * `none`: unknown.
 */
export type BarKind = 'now' | 'before' | 'limit' | 'none';

export interface BarRow {
  name: string;
  /** null: unknown, without a bar. */
  value: number | null;
  valueText: string;
  kind: BarKind;
}

/** Returns a row; without a bar if the value is unknown. */
export const barRow = (
  kind: BarKind,
  name: string,
  value: number | null,
  format: (value: number) => string,
  unknown = 'unknown',
): BarRow =>
  value === null
    ? { name, value, valueText: unknown, kind: 'none' }
    : { name, value, valueText: format(value), kind };

export interface BarRowsView {
  title: string;
  rows: readonly BarRow[];
  scale: 'linear' | 'log';
}

const TITLE_REM = 1.5;
const ROW_REM = 3.2;
/** Average width of a letter of a name. */
const NAME_LETTER_REM = 0.47;
/** Width of a digit of a value, which is bold. */
const VALUE_LETTER_REM = 0.55;
const DECADES_MAX = 6;

/** Returns a picture with bars; `drawLeft` draws its other half. */
export const pictureChart = <View extends { bars: BarRowsView }>(
  drawLeft: (plot: Plot, view: View) => void,
): SvgChart<View> => ({
  margins: { top: 0.2, right: 0.2, bottom: 0.2, left: 0.2 },
  drawView: (plot, view) => {
    const { left, right } = halvesOf(plot, view.bars.rows.length);
    drawLeft(left, view);
    drawBarRows(right, view.bars);
  },
});

/** Draws a title at the upper edge. */
export function drawTitle({ group, remPx }: Plot, title: string): void {
  addText(group, 'picture-title', [0, 0.9 * remPx], title);
}

/** Draws into the whole plot, each row's name above its bar. */
function drawBarRows(plot: Plot, { title, rows, scale }: BarRowsView): void {
  const { group, width, height, remPx } = plot;
  drawTitle(plot, title);
  const top = TITLE_REM * remPx;
  const rowPx = Math.min(ROW_REM * remPx, (height - top) / Math.max(1, rows.length));
  const position = positionOf(rows, scale, width);
  for (const [i, { name, value, valueText, kind }] of rows.entries()) {
    const y = top + i * rowPx;
    const textY = y + 0.95 * remPx;
    const barY = y + 1.3 * remPx;
    const barPx = Math.max(3, Math.min(1.3 * remPx, rowPx - 1.7 * remPx));
    const namePx = width - (valueText.length + 1) * VALUE_LETTER_REM * remPx;
    addFitted(group, 'picture-label', [0, textY], { name, width: namePx, remPx, letterRem: NAME_LETTER_REM });
    addText(group, `picture-value picture-value-${kind}`, [width, textY], valueText);
    if (value === null) addLine(group, 'picture-none', [0, barY + barPx / 2], [width, barY + barPx / 2]);
    else {
      const bar = { x: 0, y: barY, width: position(value), height: barPx, rx: 2 };
      addSvg(group, 'rect', { class: `picture-bar picture-bar-${kind}`, ...bar });
    }
  }
}

function positionOf(rows: readonly BarRow[], scale: BarRowsView['scale'], width: number) {
  const values = rows.flatMap(({ value }) => (value !== null && value > 0 ? value : []));
  const most = Math.max(...values, Number.MIN_VALUE);
  if (scale === 'linear') return scaleLinear().domain([0, most]).range([0, width]).clamp(true);
  const least = Math.max(Math.min(...values, most), most / 10 ** DECADES_MAX);
  return scaleLog()
    .domain([10 ** Math.floor(Math.log10(least) - 0.3), most])
    .range([0, width])
    .clamp(true);
}

/** Returns a part of a plot with its own origin. */
export function partOf(
  { group, remPx }: Plot,
  { x = 0, y = 0, width, height }: { x?: number; y?: number; width: number; height: number },
): Plot {
  return { group: addSvg(group, 'g', { transform: `translate(${x} ${y})` }), width, height, remPx };
}

/** Splits a plot at a height. */
export const splitAt = (plot: Plot, topPx: number): [top: Plot, bottom: Plot] => [
  partOf(plot, { width: plot.width, height: topPx }),
  partOf(plot, { y: topPx, width: plot.width, height: plot.height - topPx }),
];

const WIDE_REM = 44;
const LARGER = 1.2;

/**
 * Splits a plot in two: side by side and enlarged in a wide picture, otherwise one below the other.
 */
function halvesOf(plot: Plot, bars: number): { left: Plot; right: Plot } {
  const { width, height } = plot;
  const isWide = width > WIDE_REM * plot.remPx;
  const remPx = isWide ? LARGER * plot.remPx : plot.remPx;
  const gap = 1.2 * remPx;
  const barsPx = isWide ? 0.36 * width : width;
  const barsHeight = isWide ? height : (TITLE_REM + 2.8 * bars) * remPx;
  const whole = { ...plot, remPx };
  return {
    left: partOf(whole, {
      width: isWide ? width - barsPx - 2 * gap : width,
      height: isWide ? height : height - barsHeight - gap,
    }),
    right: partOf(whole, {
      x: width - barsPx,
      y: height - barsHeight,
      width: barsPx,
      height: barsHeight,
    }),
  };
}

const LETTER_REM = 0.5;

interface Fitted {
  name: string;
  width: number;
  remPx: number;
  /** Average width of a letter; default: monospaced. */
  letterRem?: number;
}

/** Adds a name that is cut to the width. */
export function addFitted(
  group: SVGElement,
  className: string,
  at: readonly [number, number],
  { name, width, remPx, letterRem = LETTER_REM }: Fitted,
): void {
  let letters = Math.min(name.length, Math.floor(width / (letterRem * remPx)));
  const cut = () => (letters === name.length ? name : `${name.slice(0, letters - 1)}…`);
  const text = addText(group, className, at, cut());
  // Fonts differ. A document without layout, as in unit tests, keeps the estimate.
  const hasLayout = 'getComputedTextLength' in text;
  while (hasLayout && letters > 1 && text.getComputedTextLength() > width) {
    letters -= 1;
    text.textContent = cut();
  }
}
