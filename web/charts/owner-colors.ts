/** Custom properties of the style sheet: threads that hold a latch one after the other mostly differ in them. */
export const owner_colors = Array.from({ length: 12 }, (_, i) => `--owner-${i}`);

export const ownerColor = (slot: number): string => owner_colors[slot % owner_colors.length]!;
