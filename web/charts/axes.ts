import type { Plot } from './plot';

const TIME_TICK_SPACING_PX = 90;
const TICK_PX = 5;
const LABEL_GAP_PX = 8;

export interface ValueAxis {
  position: (value: number) => number;
  ticks: readonly number[];
  format: (value: number) => string;
}

/** Seconds of run time below the plot. */
export function drawTimeAxis({ context, width, height, style, x }: Plot): void {
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
  for (const t_s of x.ticks(Math.max(2, width / TIME_TICK_SPACING_PX))) {
    const left = Math.round(x(t_s)) + 0.5;
    context.moveTo(left, height);
    context.lineTo(left, height + TICK_PX);
    context.fillText(`${t_s} s`, left, height + LABEL_GAP_PX);
  }
  context.stroke();
}

/** Values left of the plot, with grid lines across it. */
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
