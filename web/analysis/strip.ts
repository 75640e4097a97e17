/** A part of a strip, in parts of its width. */
export interface StripPart {
  left: number;
  width: number;
}

/**
 * Parts that lie one after the other, each wide enough for its figure: one that is narrower than `width_min` takes what it lacks
 * from the others, from each in proportion to what it can spare. All others stay as near to their places as can be.
 */
export function partsWithRoom(parts: readonly StripPart[], width_min: number): StripPart[] {
  const needed = Math.min(width_min, 1 / Math.max(1, parts.length));
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

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
