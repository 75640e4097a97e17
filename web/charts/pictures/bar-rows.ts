// Draws rows of a picture: a name, a bar, and its value in words. Texture and words also show the
// kind of a bar.
import { scaleLinear, scaleLog } from 'd3-scale';

import { addSvg, type Plot } from '../svg-plot';

/**
 * `now`: measured in the current part of the run; `before`: in an earlier part; `limit`: computed;
 * `none`: unknown.
 */
export type BarKind = 'now' | 'before' | 'limit' | 'none';

export interface BarRow {
  name: string;
  /** null: unknown, without a bar. */
  value: number | null;
  value_text: string;
  kind: BarKind;
}

export interface BarRowsView {
  title: string;
  rows: readonly BarRow[];
  scale: 'linear' | 'log';
}

const TITLE_REM = 1.5;
const ROW_REM = 3.2;
/** Average width of a letter of a name. */
const NAME_LETTER_REM = 0.43;
/** Width of a digit of a value, which is bold. */
const VALUE_LETTER_REM = 0.55;
const DECADES_MAX = 6;

/** Draws into the whole plot, each row's name above its bar. */
export function drawBarRows(
  { group, width, height, rem_px }: Plot,
  { title, rows, scale }: BarRowsView,
): void {
  addSvg(group, 'text', { class: 'picture-title', x: 0, y: 0.9 * rem_px }, title);
  const top = TITLE_REM * rem_px;
  const row_px = Math.min(ROW_REM * rem_px, (height - top) / Math.max(1, rows.length));
  const position = positionOf(rows, scale, width);
  for (const [i, row] of rows.entries()) {
    const y = top + i * row_px;
    const text_y = y + 0.95 * rem_px;
    const bar_y = y + 1.3 * rem_px;
    const bar_px = Math.max(3, Math.min(1.3 * rem_px, row_px - 1.7 * rem_px));
    const name_px = width - (row.value_text.length + 1) * VALUE_LETTER_REM * rem_px;
    addSvg(
      group,
      'text',
      { class: 'picture-label', x: 0, y: text_y },
      fitted(row.name, name_px, rem_px, NAME_LETTER_REM),
    );
    addSvg(
      group,
      'text',
      { class: `picture-value picture-value-${row.kind}`, x: width, y: text_y },
      row.value_text,
    );
    if (row.value === null) {
      addSvg(group, 'line', {
        class: 'picture-none',
        x1: 0,
        x2: width,
        y1: bar_y + bar_px / 2,
        y2: bar_y + bar_px / 2,
      });
      continue;
    }
    const bar = { y: bar_y, height: bar_px, x: 0, rx: 2 };
    addSvg(group, 'rect', {
      class: `picture-bar picture-bar-${row.kind}`,
      width: position(row.value),
      ...bar,
    });
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
  { group, rem_px }: Plot,
  { x = 0, y = 0, width, height }: { x?: number; y?: number; width: number; height: number },
): Plot {
  return { group: addSvg(group, 'g', { transform: `translate(${x} ${y})` }), width, height, rem_px };
}

const WIDE_REM = 44;
const LARGER = 1.2;

/**
 * Splits a plot in two: side by side and enlarged in a wide picture, otherwise one below the other.
 */
export function halvesOf(plot: Plot, bars: number): { left: Plot; right: Plot } {
  const { width, height } = plot;
  const is_wide = width > WIDE_REM * plot.rem_px;
  const rem_px = is_wide ? LARGER * plot.rem_px : plot.rem_px;
  const gap = 1.2 * rem_px;
  const bars_px = is_wide ? 0.36 * width : width;
  const bars_height = is_wide ? height : (TITLE_REM + 2.8 * bars) * rem_px;
  const whole = { ...plot, rem_px };
  return {
    left: partOf(whole, {
      width: is_wide ? width - bars_px - 2 * gap : width,
      height: is_wide ? height : height - bars_height - gap,
    }),
    right: partOf(whole, {
      x: width - bars_px,
      y: height - bars_height,
      width: bars_px,
      height: bars_height,
    }),
  };
}

const LETTER_REM = 0.47;

/** Cuts a name to the width; monospaced by default. */
export function fitted(name: string, width: number, rem_px: number, letter_rem = LETTER_REM): string {
  const letters = Math.floor(width / (letter_rem * rem_px));
  return name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
}
