// Collects the errors of a source: position, sentence, and a suggested replacement.
import type { Place } from './syntax-tree.ts';

export interface LabError extends Place {
  /** Counts from 1. */
  line: number;
  column: number;
  endLine: number;
  /** Column after the last character. */
  endColumn: number;
  sentence: string;
  /** Replacement for the text at this position: probably the intended text. */
  suggestion?: string;
}

/** More errors would take time and help no one. */
const ERRORS_MAX = 100;

const QUOTED_MAX = 40; // maximum length of a name
const SENTENCE_MAX = 300;

/** Shortens a sentence, because it may quote a name or an expression of any length. */
function shortened(sentence: string): string {
  const quoted = sentence.replace(/\S{80,}/gu, (text) => cutTo(QUOTED_MAX, text));
  return quoted.length <= SENTENCE_MAX ? quoted : cutTo(SENTENCE_MAX, quoted);
}

const cutTo = (length: number, text: string) => `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** Collects the first errors of a source. */
export class Errors {
  readonly found: LabError[] = [];
  private readonly lineStarts: number[];
  private note = '';

  constructor(readonly source: string) {
    this.lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  get isFull(): boolean {
    return this.found.length >= ERRORS_MAX;
  }

  add({ from, to }: Place, sentence: string, suggestion?: string): void {
    if (this.isFull) return;
    const noted = `${shortened(sentence)}${this.note}`;
    const isKnown = (error: LabError) => error.from === from && error.to === to && error.sentence === noted;
    if (this.note !== '' && this.found.some(isKnown)) return;
    const [begin, end] = [this.position(from), this.position(to)];
    this.found.push({
      ...{ from, to, line: begin.line, column: begin.column, endLine: end.line, endColumn: end.column },
      sentence: noted,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }

  /** Adds the note to all errors that `write` adds, each of them once. */
  noting(note: string, write: () => void): void {
    const before = this.note;
    this.note = note;
    write();
    this.note = before;
  }

  text({ from, to }: Place): string {
    return this.source.slice(from, to);
  }

  lineOf(offset: number): number {
    let [low, high] = [0, this.lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.lineStarts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  inOrder(): LabError[] {
    return this.found.toSorted((a, b) => a.from - b.from || a.to - b.to);
  }

  private position(offset: number) {
    const line = this.lineOf(offset);
    return { line, column: offset - this.lineStarts[line - 1]! + 1 };
  }
}

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

const lettersOf = (name: string) => Array.from(name).toSorted().join('');

/** Returns the distance. Names with the same letters in another order have the distance 1. */
function awayFrom(name: string, candidate: string, most: number): number {
  const hasSameLetters = name.length >= 3 && lettersOf(name) === lettersOf(candidate);
  return hasSameLetters ? Math.min(1, distance(name, candidate, 1)) : distance(name, candidate, most);
}

/** Returns the name that was probably meant, if one is near enough. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const most = name.length < 3 ? 0 : Math.min(EDITS_MAX, Math.ceil(name.length / 4));
  const near = known
    .map((candidate) => ({ candidate, away: awayFrom(name.toLowerCase(), candidate.toLowerCase(), most) }))
    .filter(({ away }) => away <= most)
    .sort((a, b) => a.away - b.away);
  return near[0]?.candidate;
}
