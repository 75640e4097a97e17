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

  constructor(readonly source: string) {
    this.lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  get isFull(): boolean {
    return this.found.length >= ERRORS_MAX;
  }

  add({ from, to }: Place, sentence: string, suggestion?: string): void {
    if (this.isFull) return;
    const [begin, end] = [this.position(from), this.position(to)];
    this.found.push({
      ...{ from, to, line: begin.line, column: begin.column, endLine: end.line, endColumn: end.column },
      sentence: shortened(sentence),
      ...(suggestion === undefined ? {} : { suggestion }),
    });
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
