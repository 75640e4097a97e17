// Draws what several canvas charts have: textures, steps over time, cursor lines and veils.
import { curveStepBefore, line } from 'd3-shape';

import type { Plot } from './chart';
import { drawnRows } from './visible-rows';

export type FillTexture = 'plain' | 'striped' | 'hatched' | 'dotted' | 'crossed';

const TILE_PX = 8;

/** Returns a canvas fill of one color with a texture, so that bands differ without colors. */
export function fillPattern(
  context: CanvasRenderingContext2D,
  { color, ink, texture }: { color: string; ink: string; texture: FillTexture },
): string | CanvasPattern {
  if (texture === 'plain') return color;
  const tile = document.createElement('canvas');
  tile.width = TILE_PX;
  tile.height = TILE_PX;
  const brush = tile.getContext('2d')!;
  brush.fillStyle = color;
  brush.fillRect(0, 0, TILE_PX, TILE_PX);
  brush.strokeStyle = ink;
  brush.fillStyle = ink;
  if (texture === 'dotted') brush.fillRect(2, 2, 2, 2);
  else if (texture === 'striped') brush.fillRect(0, 3, TILE_PX, 1);
  else drawDiagonals(brush, texture === 'crossed');
  return context.createPattern(tile, 'repeat') ?? color;
}

function drawDiagonals(brush: CanvasRenderingContext2D, isCrossed: boolean): void {
  brush.beginPath();
  // Three strokes, so that the tiles join without gaps at the corners.
  for (const shift of [-TILE_PX, 0, TILE_PX]) {
    brush.moveTo(shift, TILE_PX);
    brush.lineTo(shift + TILE_PX, 0);
    if (!isCrossed) continue;
    brush.moveTo(shift, 0);
    brush.lineTo(shift + TILE_PX, TILE_PX);
  }
  brush.stroke();
}

/** Strokes a line in steps. Unknown values are gaps. */
export function strokeSteps(
  { context, x, width }: Plot,
  times: Float64Array,
  values: Float64Array,
  topOf: (value: number) => number,
): void {
  const leftOf = (row: number) => x(times[row]!);
  const path = line<number>()
    .defined((row) => !Number.isNaN(values[row]!))
    .x(leftOf)
    .y((row) => topOf(values[row]!))
    .curve(curveStepBefore)
    .context(context);
  context.beginPath();
  path(drawnRows(values, leftOf, width));
  context.stroke();
}

/** Draws a vertical line at a moment. */
export function drawCursorLine(
  context: CanvasRenderingContext2D,
  leftPx: number,
  heightPx: number,
  color: string,
  widthPx = 1.5,
): void {
  const left = Math.round(leftPx) + 0.5;
  context.strokeStyle = color;
  context.lineWidth = widthPx;
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(left, 0);
  context.lineTo(left, heightPx);
  context.stroke();
}

/** Makes the plot pale on both sides of a part of it. */
export function drawVeil(
  { context, height, width, style }: Plot,
  leftPx: number,
  rightPx: number,
  opacity: number,
): void {
  context.fillStyle = style.panel;
  context.globalAlpha = opacity;
  context.fillRect(0, 0, leftPx, height);
  context.fillRect(rightPx, 0, width - rightPx, height);
  context.globalAlpha = 1;
}
