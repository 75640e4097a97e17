// Finds readable errors in a source that the grammar rejects. At each error it tries candidate
// repairs: the one with which the parser gets furthest names the expected text. Parsing then
// continues as if the repair were in the source, so that it finds later errors too.
import { TreeFragment } from '@lezer/common';
import type { LRParser } from '@lezer/lr';

import { knownMistakeAt } from './known-mistakes.ts';
import { nearestName, type Errors } from './lab-error.ts';
import type { Place } from './syntax-tree.ts';

const ERRORS_MAX = 10;
/** More errors of one line are consequences of the first ones. */
const ERRORS_OF_LINE_MAX = 2;
/** Number of characters after a repair, within which the parser's progress decides. */
const WINDOW = 2_000;

/** Texts that may be missing, the most probable first. */
const candidates = [
  ...[';', ')', '}', ']', '(', '{', '=', ','].map((text) => ({ text, called: text })),
  { text: 'x', called: 'a name' },
  { text: '0', called: 'a value' },
  { text: ';}', called: '; and }' },
  { text: '{}', called: 'a body in { }' },
  { text: '()', called: '( )' },
  { text: '(0)', called: '( )' },
  { text: 'void', called: 'void' },
  { text: ':', called: ':' },
  { text: '"x"', called: 'a text in " "' },
];
/** Returns what must follow the last word of this text. Often a bracket could stand there, too. */
const operandAfter = (text: string): string | undefined => {
  if (/:\s*$/.test(text)) return 'a name';
  return /(?:[-+*/%&|^<>=]|\b(?:from|to|every|at|most))\s*$/.test(text) ? 'a value' : undefined;
};
const toNextToken = /(?:\s|\/\/[^\n]*|\/\*[^*]*\*+(?:[^*/][^*]*\*+)*\/)*/y;
const token = /"[^"\n]*"|[a-zA-Z_]\w*|\d[\w.]*|&&|\|\||[=!<>]=|\+\+|--|<<|>>|[^]?/y;

const matchAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
};

const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');

const shown = (line: string): string => {
  const text = line.trim();
  return text.length > 40 ? `...${text.slice(-37)}` : text;
};

/** Returns the last line with code, without a comment at its end, and where it ends. */
function lastCodeLine(text: string): { index: number; line: string } {
  const lines = text.replaceAll(/\/\/[^\n]*/g, blank).trimEnd();
  return { index: lines.length, line: lines.slice(lines.lastIndexOf('\n') + 1) };
}

/** Returns what closes the brackets that a line leaves open. A block begins at its end. */
function closersOf(line: string): string {
  const closers: string[] = [];
  for (const [bracket] of line.replaceAll(/"[^"]*"|\{\s*$/g, '').matchAll(/[([{}\])]/g)) {
    if ('([{'.includes(bracket)) closers.unshift({ '(': ')', '[': ']', '{': '}' }[bracket]!);
    else closers.shift();
  }
  const closed = closers.join('');
  return closed.startsWith('}') && /[;}]\s*$/.test(line) ? closed : closed.replace('}', '; }');
}

/** Returns the offset of the first unexpected token; undefined if the text is accepted. */
function firstFault(
  strictParser: LRParser,
  text: string,
  known: readonly TreeFragment[] = [],
): number | undefined {
  const parse = strictParser.startParse(text, known);
  try {
    while (parse.advance() === null);
    return undefined;
  } catch {
    return parse.parsedPos + matchAt(toNextToken, text, parse.parsedPos).length;
  }
}

interface Repair {
  /** Smaller is better. */
  left: number;
  text: string;
  /** Number of characters that the repair adds to the source. */
  added: number;
  report: (errors: Findings, offset: number) => void;
}

interface Language {
  parser: LRParser;
  strict: LRParser;
  keywords: readonly string[];
}

/** A source, or one of its declarations. */
interface Part {
  text: string;
  /** Where it begins in the source. */
  begin: number;
  endsSource: boolean;
}

/** The source up to its first fault, and possible repairs. */
class Fault {
  private readonly before: string;
  private readonly token: string;
  private readonly behind: string;
  private readonly endBefore: number;
  /** Parse state of the text before the fault, so that each repair need not parse it again. */
  private readonly known: readonly TreeFragment[];

  constructor(
    private readonly language: Language,
    private readonly text: string,
    private readonly at: number,
    private readonly endsSource: boolean,
  ) {
    this.token = matchAt(token, text, at);
    this.before = text.slice(0, at);
    this.behind = text.slice(at);
    const tokensBefore = [...text.slice(0, at).matchAll(/\/\/[^\n]*|\/\*[^]*?\*\/|\S/g)].filter(
      ([token]) => !/^\/[/*]/.test(token),
    );
    this.endBefore = (tokensBefore.at(-1)?.index ?? -1) + 1;
    this.known = [new TreeFragment(0, at, language.parser.parse(this.before), 0, false, true)];
  }

  isHopeless({ left }: Repair): boolean {
    return left >= Math.min(WINDOW, this.behind.length);
  }

  /** Returns how many characters of the window are left when the parser stops. */
  private leftOf(text: string, known = this.known): number {
    const rest = text.length - this.before.length;
    const window = text.slice(0, this.before.length + Math.min(rest, WINDOW + rest - this.behind.length));
    return window.length - (firstFault(this.language.strict, window, known) ?? window.length + 1);
  }

  repairs(): Repair[] {
    return [
      ...this.insertions(),
      ...this.replacements(),
      ...this.keywordBefore(),
      ...this.lineEnds(),
      ...(this.token === '' ? this.lastBrace() : [this.deletion()]),
    ];
  }

  private insertions(): Repair[] {
    const operand = operandAfter(this.before);
    const inOrder = candidates.toSorted(
      (a, b) => Number(b.called === operand) - Number(a.called === operand),
    );
    return inOrder.map((candidate) => {
      const text = `${this.before} ${candidate.text} ${this.behind}`;
      return {
        left: this.leftOf(text),
        text,
        added: candidate.text.length + 2,
        report: (errors, offset) => {
          const at = this.endBefore + offset;
          const insertable = /^[^\w ]+$/.test(candidate.text) ? candidate.text : undefined;
          errors.add({ from: at, to: at }, `expected ${candidate.called} ${this.whereInWords()}`, insertable);
        },
      } satisfies Repair;
    });
  }

  /** Repairs a keyword used as a name, and a misspelled keyword. */
  private replacements(): Repair[] {
    if (!/^[a-zA-Z_]/.test(this.token)) return [];
    const rest = this.behind.slice(this.token.length);
    const replaced = (by: string, sentence: string, suggestion?: string): Repair => {
      const text = this.before + by.padEnd(this.token.length) + rest;
      const report = (errors: Findings, offset: number) => {
        errors.add(
          { from: this.at + offset, to: this.at + offset + this.token.length },
          sentence,
          suggestion,
        );
      };
      // Such a repair explains more than an insertion that gets as far.
      return {
        left: this.leftOf(text) - 0.5,
        text,
        added: Math.max(0, by.length - this.token.length),
        report,
      };
    };
    const meant = nearestName(this.token, this.language.keywords);
    return [
      ...(meant !== undefined && meant !== this.token
        ? [replaced(meant, `unexpected ${this.token}; did you mean ${meant}?`, meant)]
        : []),
      ...(this.language.keywords.includes(this.token)
        ? [replaced('x', `${this.token} is a keyword: choose another name`)]
        : []),
    ];
  }

  /** Repairs a misspelled keyword just before the fault. */
  private keywordBefore(): Repair[] {
    const found = /([a-zA-Z_]\w*)\s*$/.exec(this.before);
    if (found === null) return [];
    const { index } = found;
    const word = found[1]!;
    const meant = nearestName(word, this.language.keywords);
    if (meant === undefined || meant === word) return [];
    const text = this.text.slice(0, index) + meant.padEnd(word.length) + this.text.slice(index + word.length);
    const report = (errors: Findings, offset: number) => {
      const place = { from: index + offset, to: index + offset + word.length };
      errors.add(place, `unexpected ${word}; did you mean ${meant}?`, meant);
    };
    const added = Math.max(0, meant.length - word.length);
    return [{ left: this.leftOf(text, []) - 0.5, text, added, report }];
  }

  /**
   * Ends the line before the fault, which has open brackets. The next line may have continued it by
   * chance, so that the fault is some words into that.
   */
  private lineEnds(): Repair[] {
    const lineStart = this.before.lastIndexOf('\n') + 1;
    const { index: end, line } = lastCodeLine(this.text.slice(0, lineStart));
    const closed = closersOf(line);
    if (closed === '') return [];
    const before = this.text.slice(0, end);
    const known = [new TreeFragment(0, end, this.language.parser.parse(before), 0, false, true)];
    const rests = closed.endsWith('}') ? [''] : [';', ' {', ' {}'];
    const tails = ['', '0', 'x'].flatMap((value) =>
      rests.map((rest) => ({ value, tail: `${value}${closed}${rest}` })),
    );
    return tails.map(({ value, tail }) => {
      const text = `${before} ${tail}${this.text.slice(end)}`;
      const report = (errors: Findings, offset: number) => {
        const at = end + offset;
        const expected = value === '' ? tail : 'a value';
        errors.add(
          { from: at, to: at },
          `expected ${expected} after ${shown(line)}`,
          value === '' ? tail : undefined,
        );
      };
      return { left: this.leftOf(text, known) - 0.75, text, added: tail.length + 1, report };
    });
  }

  /** At the end of the source, behind a whole statement, a brace is missing and nothing else. */
  private lastBrace(): Repair[] {
    const code = this.before.replaceAll(/"[^"\n]*"|\/\/[^\n]*|\/\*[^]*?\*\//g, '');
    const isOpen = code.split('{').length > code.split('}').length;
    if (!isOpen || !/[;}]\s*$/.test(code)) return [];
    const report = (errors: Findings, offset: number) => {
      const at = this.endBefore + offset;
      errors.add({ from: at, to: at }, `expected } ${this.whereInWords()}`, '}');
    };
    return [{ left: -2, text: `${this.before}}`, added: 1, report }];
  }

  private deletion(): Repair {
    const rest = this.behind.slice(this.token.length);
    const text = this.before + ' '.repeat(this.token.length) + rest;
    const report = (errors: Findings, offset: number) => {
      const place = { from: this.at + offset, to: this.at + offset + this.token.length };
      errors.add(place, `unexpected ${this.token}`);
    };
    return { left: this.leftOf(text) + 0.5, text, added: 0, report };
  }

  private whereInWords(): string {
    if (this.endBefore === 0) return `before ${shown(this.token)}`;
    const line = this.text.slice(this.text.lastIndexOf('\n', this.endBefore - 1) + 1, this.endBefore);
    return `${this.token === '' && this.endsSource ? 'at the end, ' : ''}after ${shown(line)}`;
  }
}

/** The errors of a part. */
class Findings {
  readonly found: { from: number; to: number; sentence: string; suggestion?: string }[] = [];

  constructor(private readonly part: Part) {}

  get isFull(): boolean {
    return this.found.length >= ERRORS_MAX;
  }

  add({ from, to }: Place, sentence: string, suggestion?: string): void {
    const place = { from: from + this.part.begin, to: to + this.part.begin };
    this.found.push({ ...place, sentence, ...(suggestion !== undefined && { suggestion }) });
  }
}

function errorsOfPart(language: Language, part: Part): Findings['found'] {
  const findings = new Findings(part);
  addErrorsOfPart(language, part, findings);
  return findings.found;
}

function addErrorsOfPart(language: Language, part: Part, findings: Findings): void {
  let { text } = part;
  let added = 0;
  while (!findings.isFull) {
    const at = firstFault(language.strict, text);
    if (at === undefined) return;
    const mistake = knownMistakeAt({ before: text.slice(0, at), behind: text.slice(at) });
    if (mistake !== undefined) {
      const { from, to, sentence, suggestion } = mistake;
      findings.add({ from: from - added, to: to - added }, sentence, suggestion);
      if (suggestion === undefined) return;
      text = text.slice(0, from) + suggestion + text.slice(to);
      added += suggestion.length - (to - from);
      continue;
    }
    const fault = new Fault(language, text, at, part.endsSource);
    const best = fault.repairs().reduce((a, b) => (b.left < a.left ? b : a));
    best.report(findings, -added);
    // One error at the end of the source is enough. If no repair helps, further errors would be
    // guesses.
    if (at === text.length || fault.isHopeless(best)) return;
    text = best.text;
    added += best.added;
  }
}

/** Returns where the declarations begin: each line with a word in its first column is taken for one. */
function declarationsOf(source: string): number[] {
  const code = source.replaceAll(/"[^"\n]*"|\/\/[^\n]*|\/\*[^]*?\*\//g, blank);
  const [, ...others] = [...code.matchAll(/^[a-zA-Z_]/gm)].map(({ index }) => index);
  return [0, ...others];
}

function errorsByDeclaration(language: Language, source: string, most: number): Findings['found'] {
  const begins = declarationsOf(source);
  const found: Findings['found'] = [];
  for (const [i, begin] of begins.entries()) {
    const end = begins[i + 1];
    const part = { text: source.slice(begin, end), begin, endsSource: end === undefined };
    found.push(...errorsOfPart(language, part));
    if (found.length > most) break;
  }
  return found;
}

/**
 * Adds all syntax errors; none if the source is accepted. An unfinished declaration takes the next
 * one for its end. Then the source as a whole may have many errors, and its declarations, one by
 * one, a single one. Of both lists the shorter one is added; of equal ones the second.
 */
export function addSyntaxErrors(
  errors: Errors,
  { parser, keywords }: { parser: LRParser; keywords: readonly string[] },
): void {
  const language = { parser, strict: parser.configure({ strict: true }), keywords };
  const whole = errorsOfPart(language, { text: errors.source, begin: 0, endsSource: true });
  if (whole.length === 0) return;
  const found = errorsByDeclaration(language, errors.source, whole.length);
  const shorter = found.length > 0 && found.length <= whole.length ? found : whole;
  const ofLine = new Map<number, number>();
  for (const { from, to, sentence, suggestion } of shorter) {
    const line = errors.lineOf(from);
    const before = ofLine.get(line) ?? 0;
    ofLine.set(line, before + 1);
    if (before < ERRORS_OF_LINE_MAX) errors.add({ from, to }, sentence, suggestion);
  }
}
