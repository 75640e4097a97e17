/**
 * Custom properties of the style sheet. Successive holders of a latch usually have different
 * colors.
 */
export const owner_colors = Array.from({ length: 12 }, (_, i) => `--owner-${i}`);

export const ownerColor = (slot: number): string => owner_colors[slot % owner_colors.length]!;
