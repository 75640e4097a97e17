/** How many letters have to be added, left out or replaced. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; ++i) {
    const next = [i];
    for (let j = 1; j <= b.length; ++j) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** The name that was probably meant, if one is near enough. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const allowed = name.length < 3 ? 0 : Math.min(3, Math.ceil(name.length / 4));
  const near = known
    .map((candidate) => ({ candidate, away: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ away }) => away <= allowed)
    .sort((a, b) => a.away - b.away);
  return near[0]?.candidate;
}
