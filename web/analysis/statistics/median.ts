/** The middle one of the values, or between the two middle ones; null if there are none. */
export function medianOf<Item>(
  items: readonly Item[],
  valueOf: (item: Item) => number | null,
): number | null {
  const sorted = items
    .map(valueOf)
    .filter((value) => value !== null)
    .sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}
