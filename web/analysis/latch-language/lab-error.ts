// What is wrong with a source: where, in a sentence, and what could stand there instead.
import type { Place } from './syntax-tree.ts';

export interface LabError extends Place {
  /** From 1. */
  line: number;
  column: number;
  end_line: number;
  /** Behind the last character. */
  end_column: number;
  sentence: string;
  /** Put in place of what stands there, this is what was probably meant. */
  suggestion?: string;
}

/** Collects the errors of a source. */
export class Errors {
  readonly found: LabError[] = [];
  private readonly line_starts: number[];

  constructor(readonly source: string) {
    this.line_starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  add({ from, to }: Place, sentence: string, suggestion?: string): void {
    const [begin, end] = [this.position(from), this.position(to)];
    this.found.push({
      ...{ from, to, line: begin.line, column: begin.column, end_line: end.line, end_column: end.column },
      sentence,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }

  text({ from, to }: Place): string {
    return this.source.slice(from, to);
  }

  lineOf(offset: number): number {
    let [low, high] = [0, this.line_starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.line_starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  inOrder(): LabError[] {
    return this.found.toSorted((a, b) => a.from - b.from || a.to - b.to);
  }

  private position(offset: number) {
    const line = this.lineOf(offset);
    return { line, column: offset - this.line_starts[line - 1]! + 1 };
  }
}
