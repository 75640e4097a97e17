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
