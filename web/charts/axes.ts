// Draws the axes of canvas charts and formats run times.
import type { ChartStyle, Plot, TimeRange } from './chart';

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

/** The axis of a chart without values. */
export const noAxis: ValueAxis = { position: () => 0, ticks: [], format: String };

/** Draws the time axis below the plot, without labels if the chart below has them. */
export function drawTimeAxis(
  { context, width, height, style, x, isVirtual }: Plot,
  hasLabels: boolean,
): void {
  beginAxis(context, style, style.muted);
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.moveTo(0, height + 0.5);
  context.lineTo(width, height + 0.5);
  const [, toS = 0] = x.domain();
  const { unit, perS } = timeUnit(toS, isVirtual);
  if (!hasLabels) {
    context.stroke();
    return;
  }
  // The unit of virtual time is at the end of the axis, so labels leave space for it.
  const namePx = isVirtual ? context.measureText(unit).width : 0;
  for (const tS of x.ticks(Math.max(2, width / TIME_TICK_SPACING_PX))) {
    const left = Math.round(x(tS)) + 0.5;
    context.moveTo(left, height);
    context.lineTo(left, height + TICK_PX);
    const label = timeLabel(tS, perS);
    const halfPx = context.measureText(label).width / 2;
    if (isVirtual && left + halfPx > width - namePx - LABEL_GAP_PX) continue;
    context.fillText(isVirtual ? label : `${label} ${unit}`, left, height + LABEL_GAP_PX);
  }
  context.stroke();
  if (!isVirtual) return;
  context.textAlign = 'right';
  context.fillText(unit, width, height + LABEL_GAP_PX);
}

/** Returns the unit of the axis. Virtual runs are short: up to 2 s, the unit is ms. */
export function timeUnit(toS: number, isVirtual: boolean): { unit: 's' | 'ms'; perS: number } {
  return isVirtual && toS <= 2 ? { unit: 'ms', perS: 1000 } : { unit: 's', perS: 1 };
}

export interface MomentFormat {
  unit: string;
  figure: (tS: number) => string;
}

/**
 * Returns the format of moments in run time: as exact as a chart of this range can show, or in
 * `parts` parts of the range.
 */
export function momentFormat(
  { fromS, toS }: TimeRange,
  isVirtual: boolean,
  parts = PIXELS_OF_A_CHART,
): MomentFormat {
  const { unit, perS } = timeUnit(toS, isVirtual);
  const part = ((toS - fromS) * perS) / parts;
  const decimals = Math.min(Math.max(Math.ceil(-Math.log10(part)), 0), DECIMALS_MAX);
  return {
    unit,
    figure: (tS) => (tS * perS).toFixed(decimals),
  };
}

export function momentText(tS: number, range: TimeRange, isVirtual: boolean): string {
  const { unit, figure } = momentFormat(range, isVirtual);
  return `${figure(tS)} ${unit}`;
}

/** Rounds off the noise that a change of unit leaves in the last digits. */
export const timeLabel = (tS: number, perS: number) => String(Number((tS * perS).toPrecision(10)));

/** Draws values left of the plot, and grid lines across it. */
export function drawValueAxis({ context, width, style }: Plot, { position, ticks, format }: ValueAxis): void {
  beginAxis(context, style, style.grid);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const value of ticks) {
    const top = Math.round(position(value)) + 0.5;
    context.moveTo(0, top);
    context.lineTo(width, top);
    context.fillText(format(value), -LABEL_GAP_PX, top);
  }
  context.stroke();
}

function beginAxis(context: CanvasRenderingContext2D, style: ChartStyle, strokeStyle: string): void {
  Object.assign(context, { font: style.axisFont, fillStyle: style.muted, strokeStyle, lineWidth: 1 });
  context.setLineDash([]);
  context.beginPath();
}
