import { sum } from 'd3-array';

/** A part of a strip, as fractions of its width. */
export interface StripPart {
  left: number;
  width: number;
}

/**
 * Places parts side by side, each wide enough for its figure. A part narrower than `widthMin`
 * takes the missing width from the others, in proportion to their spare width. All others stay as
 * close to their places as possible.
 */
export function partsWithMinWidth(parts: readonly StripPart[], widthMin: number): StripPart[] {
  const needed = Math.min(widthMin, 1 / Math.max(1, parts.length));
  const lacking = sum(parts.map(({ width }) => Math.max(0, needed - width)));
  const spare = sum(parts.map(({ width }) => Math.max(0, width - needed)));
  const share = spare === 0 ? 0 : Math.min(1, lacking / spare);
  let left = parts[0]?.left ?? 0;
  return parts.map(({ width }) => {
    const placed = { left, width: width < needed ? needed : width - (width - needed) * share };
    left += placed.width;
    return placed;
  });
}
