// Collects the words and constants of a latch, and checks their declarations.
import { lab_limits } from '../../contract/lab-program.ts';
import { built_ins } from './built-ins.ts';
import { built_in_constants, constantValue, valueOfDigits } from './constants.ts';
import type { Errors } from './lab-error.ts';
import type { LabWord } from '../../contract/latch-program.ts';
import type { Declaration, Expression, Named, Place, WordNode } from './syntax-tree.ts';

export interface WordSymbol {
  kind: 'word';
  number: number;
  /** `thread`: one element per thread; `array`: has an index; `single`: has none. */
  shape: 'single' | 'array' | 'thread';
  /** Number of elements; undefined if it depends on the number of threads. */
  elements: number | undefined;
}

export type GlobalSymbol = WordSymbol | { kind: 'constant'; value: number };

const FIXED_NAMES = ['me', 'threads', ...Object.keys(built_in_constants)];

/** Adds an error at a name that cannot be declared. */
export function checkName(errors: Errors, named: Named, isTaken: (name: string) => string | undefined): void {
  const { name } = named;
  const taken = FIXED_NAMES.includes(name) || name in built_ins ? 'by the language' : isTaken(name);
  if (taken !== undefined)
    errors.add(named, `the name ${name} is already used ${taken}: choose another name`);
  if (name.length > lab_limits.name_length_max)
    errors.add(
      named,
      `a name has at most ${lab_limits.name_length_max} characters; this one has ${name.length}`,
    );
}

interface LineOfWords {
  line: number;
  of_threads: boolean;
  is_shared: boolean;
}

export class Declarations {
  readonly symbols = new Map<string, GlobalSymbol>();
  readonly words: LabWord[] = [];
  threads_max: number | undefined;
  private readonly declared_in = new Map<string, number>();

  constructor(private readonly errors: Errors) {}

  readonly valueOfName = (name: string): number | undefined => {
    const symbol = this.symbols.get(name);
    return symbol?.kind === 'constant' ? symbol.value : built_in_constants[name];
  };

  add(declaration: Declaration): void {
    switch (declaration.kind) {
      case 'word':
        this.addWord(declaration, {
          line: this.words.length,
          of_threads: declaration.of_threads,
          is_shared: false,
        });
        break;
      case 'line':
        this.addLine(declaration);
        break;
      case 'constant':
        this.declare(declaration.named, { kind: 'constant', value: this.constant(declaration.value) });
        break;
      case 'threads':
        this.limitThreads(declaration);
        break;
    }
  }

  /** Says where a name is declared, as error messages do. */
  takenBy(name: string): string | undefined {
    const line = this.declared_in.get(name);
    return line === undefined ? undefined : `in line ${line}`;
  }

  private limitThreads({ from, to, most }: Place & { most: Expression }): void {
    if (this.threads_max !== undefined)
      this.errors.add({ from, to }, 'the maximum number of threads is declared twice');
    this.threads_max = this.constant(most);
    if (this.threads_max < 1 || this.threads_max > lab_limits.threads_max)
      this.errors.add(most, `a latch supports 1 to ${lab_limits.threads_max} threads`);
  }

  private addLine({ from, to, words, of_threads }: Place & { words: WordNode[]; of_threads: boolean }): void {
    const line = this.words.length;
    for (const word of words) {
      if (word.of_threads)
        this.errors.add(word, 'write thread line { … }: then each thread has a line with these words');
      this.addWord(word, { line, of_threads, is_shared: true });
    }
    const on_line = this.words
      .filter((word) => word.line === line)
      .reduce((sum, { packed, elements }) => sum + (packed ? elements : 1), 0);
    if (words.length === 0) this.errors.add({ from, to }, 'a line needs at least one word');
    if (on_line > lab_limits.words_on_line_max)
      this.errors.add(
        { from, to },
        `a cache line holds at most ${lab_limits.words_on_line_max} words, got ${on_line}`,
      );
  }

  private addWord(node: WordNode, { line, of_threads, is_shared }: LineOfWords): void {
    const size = of_threads ? this.sizeOfThreadWord(node) : this.sizeOf(node);
    const initial_is_index = node.initial?.kind === 'name' && node.initial.name === 'me';
    if (initial_is_index && !of_threads)
      this.errors.add(node.initial!, 'only a thread word can have the initial value me');
    if (is_shared && !of_threads && size.per_thread)
      this.errors.add(node.size!, 'words on a shared line have a fixed number of elements');
    const shape = of_threads ? 'thread' : node.size ? 'array' : 'single';
    const elements = size.per_thread ? undefined : size.elements;
    this.declare(node.named, { kind: 'word', number: this.words.length, shape, elements });
    this.words.push({
      name: node.named.name,
      line,
      ...size,
      packed: is_shared && shape === 'array',
      initial: node.initial && !initial_is_index ? this.constant(node.initial) : 0,
      initial_is_index,
      source_line: this.errors.lineOf(node.named.from),
    });
    if (this.words.length === lab_limits.words_max + 1)
      this.errors.add(node, `a latch has at most ${lab_limits.words_max} words`);
  }

  private sizeOfThreadWord({ size }: WordNode) {
    if (size) this.errors.add(size, 'a thread word has one element for each thread, so it needs no size');
    return { elements: 1, per_thread: true };
  }

  private sizeOf({ size }: WordNode) {
    if (!size) return { elements: 1, per_thread: false };
    const beyond = this.elementsBesideThreads(size);
    const elements = beyond ?? this.constant(size);
    const per_thread = beyond !== undefined;
    const least = per_thread ? 0 : 1;
    if (elements < least || elements > lab_limits.elements_max)
      this.errors.add(
        size,
        `a word has ${least} to ${lab_limits.elements_max} elements${per_thread ? ' beside those of threads' : ''}, not ${elements}`,
      );
    return { elements, per_thread };
  }

  /** Returns the 1 of `threads + 1`; undefined if the size has another form. */
  private elementsBesideThreads(size: Expression): number | undefined {
    const isThreads = (part: Expression) => part.kind === 'name' && part.name === 'threads';
    if (isThreads(size)) return 0;
    if (size.kind !== 'binary' || size.operator !== '+') return undefined;
    if (isThreads(size.left)) return this.constant(size.right);
    return isThreads(size.right) ? this.constant(size.left) : undefined;
  }

  private constant(expression: Expression): number {
    const value = constantValue(expression, this.valueOfName);
    if (value === undefined) this.errors.add(expression, this.whyNoConstant(expression));
    return value ?? 1;
  }

  private whyNoConstant(expression: Expression): string {
    if (expression.kind === 'number' && valueOfDigits(expression.text) === undefined)
      return `${expression.text} is not a 32-bit number: 0 to 4294967295, or 0x0 to 0xffffffff`;
    return `${this.errors.text(expression)} is not constant: only numbers and earlier constants are allowed here`;
  }

  private declare(named: Named, symbol: GlobalSymbol): void {
    checkName(this.errors, named, (name) => this.takenBy(name));
    this.symbols.set(named.name, symbol);
    this.declared_in.set(named.name, this.errors.lineOf(named.from));
  }
}
