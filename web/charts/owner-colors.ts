/**
 * Custom properties of the style sheet. Successive holders of a latch usually have different
 * colors.
 */
export const ownerColors = Array.from({ length: 12 }, (_, i) => `--owner-${i}`);

export const ownerColor = (slot: number): string => ownerColors[slot % ownerColors.length]!;
