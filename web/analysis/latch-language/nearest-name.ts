// Finds the declared name that a misspelled name probably means.
const EDITS_MAX = 3;

/**
 * Returns the edit distance of two names, or a number above `most` if it is larger than `most`.
 * Computes only the table cells that this needs, so that time grows linearly with the length of a
 * name.
 */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const beyond = most + 1;
  let row = new Map(Array.from({ length: Math.min(b.length, most) + 1 }, (_, i) => [i, i]));
  for (let i = 1; i <= a.length; ++i) {
    const next = new Map<number, number>();
    let least = beyond;
    for (let j = Math.max(0, i - most); j <= Math.min(b.length, i + most); ++j) {
      const at = (table: Map<number, number>, column: number) => table.get(column) ?? beyond;
      const replaced = j === 0 ? beyond : at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const value = Math.min(beyond, replaced, at(row, j) + 1, at(next, j - 1) + 1);
      next.set(j, value);
      least = Math.min(least, value);
    }
    if (least > most) return beyond;
    row = next;
  }
  return row.get(b.length) ?? beyond;
}

/** Returns the name that was probably meant, if one is near enough. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const most = name.length < 3 ? 0 : Math.min(EDITS_MAX, Math.ceil(name.length / 4));
  const near = known
    .map((candidate) => ({ candidate, away: distance(name.toLowerCase(), candidate.toLowerCase(), most) }))
    .filter(({ away }) => away <= most)
    .sort((a, b) => a.away - b.away);
  return near[0]?.candidate;
}
