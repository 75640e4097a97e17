// Draws the axes of canvas charts and formats run times.
import type { TimeRange } from './chart';
import type { Plot } from './plot';

const TIME_TICK_SPACING_PX = 90;
const TICK_PX = 5;
const LABEL_GAP_PX = 8;
const PIXELS_OF_A_CHART = 1000;
const DECIMALS_MAX = 9;

export interface ValueAxis {
  position: (value: number) => number;
  ticks: readonly number[];
  format: (value: number) => string;
}

/** Draws the time axis below the plot, without labels if the chart below has them. */
export function drawTimeAxis(
  { context, width, height, style, x, is_virtual }: Plot,
  has_labels: boolean,
): void {
  context.font = style.axis_font;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.fillStyle = style.muted;
  context.strokeStyle = style.muted;
  context.lineWidth = 1;
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(0, height + 0.5);
  context.lineTo(width, height + 0.5);
  const [, to_s = 0] = x.domain();
  const { unit, per_s } = timeUnit(to_s, is_virtual);
  if (!has_labels) {
    context.stroke();
    return;
  }
  // The unit of virtual time is at the end of the axis, so labels leave space for it.
  const name_px = is_virtual ? context.measureText(unit).width : 0;
  for (const t_s of x.ticks(Math.max(2, width / TIME_TICK_SPACING_PX))) {
    const left = Math.round(x(t_s)) + 0.5;
    context.moveTo(left, height);
    context.lineTo(left, height + TICK_PX);
    const label = timeLabel(t_s, per_s);
    const half_px = context.measureText(label).width / 2;
    if (is_virtual && left + half_px > width - name_px - LABEL_GAP_PX) continue;
    context.fillText(is_virtual ? label : `${label} ${unit}`, left, height + LABEL_GAP_PX);
  }
  context.stroke();
  if (!is_virtual) return;
  context.textAlign = 'right';
  context.fillText(unit, width, height + LABEL_GAP_PX);
}

/** Returns the unit of the axis. Virtual runs are short: up to 2 s, the unit is ms. */
export function timeUnit(to_s: number, is_virtual: boolean): { unit: 's' | 'ms'; per_s: number } {
  return is_virtual && to_s <= 2 ? { unit: 'ms', per_s: 1000 } : { unit: 's', per_s: 1 };
}

export interface MomentFormat {
  unit: string;
  figure: (t_s: number) => string;
}

/**
 * Returns the format of moments in run time: as exact as a chart of this range can show, or in
 * `parts` parts of the range.
 */
export function momentFormat(
  { fromS, toS }: TimeRange,
  is_virtual: boolean,
  parts = PIXELS_OF_A_CHART,
): MomentFormat {
  const { unit, per_s } = timeUnit(toS, is_virtual);
  const part = ((toS - fromS) * per_s) / parts;
  const decimals = Math.min(Math.max(Math.ceil(-Math.log10(part)), 0), DECIMALS_MAX);
  return {
    unit,
    figure: (t_s) => (t_s * per_s).toFixed(decimals),
  };
}

export function momentText(t_s: number, range: TimeRange, is_virtual: boolean): string {
  const { unit, figure } = momentFormat(range, is_virtual);
  return `${figure(t_s)} ${unit}`;
}

/** Rounds off the noise that a change of unit leaves in the last digits. */
export const timeLabel = (t_s: number, per_s: number) => String(Number((t_s * per_s).toPrecision(10)));

/** Draws values left of the plot, and grid lines across it. */
export function drawValueAxis({ context, width, style }: Plot, { position, ticks, format }: ValueAxis): void {
  context.font = style.axis_font;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.fillStyle = style.muted;
  context.strokeStyle = style.grid;
  context.lineWidth = 1;
  context.setLineDash([]);
  context.beginPath();
  for (const value of ticks) {
    const top = Math.round(position(value)) + 0.5;
    context.moveTo(0, top);
    context.lineTo(width, top);
    context.fillText(format(value), -LABEL_GAP_PX, top);
  }
  context.stroke();
}
