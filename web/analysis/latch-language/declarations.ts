// Collects the words and constants of a latch, and checks their declarations.
import { lab_limits } from '../../contract/lab-program.ts';
import { builtInConstants, builtIns, constantValue, valueOfDigits } from './constants.ts';
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

type GlobalSymbol = WordSymbol | { kind: 'constant'; value: number };

const fixedNames = ['me', 'threads', ...Object.keys(builtInConstants)];

/** Adds an error at a name that cannot be declared. */
export function checkName(errors: Errors, named: Named, isTaken: (name: string) => string | undefined): void {
  const { name } = named;
  const taken = fixedNames.includes(name) || name in builtIns ? 'by the language' : isTaken(name);
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
  ofThreads: boolean;
  isShared: boolean;
}

export class Declarations {
  readonly symbols = new Map<string, GlobalSymbol>();
  readonly words: LabWord[] = [];
  threadsMax: number | undefined;
  private readonly declaredIn = new Map<string, number>();

  constructor(private readonly errors: Errors) {}

  readonly valueOfName = (name: string): number | undefined => {
    const symbol = this.symbols.get(name);
    return symbol?.kind === 'constant' ? symbol.value : builtInConstants[name];
  };

  add(declaration: Declaration): void {
    switch (declaration.kind) {
      case 'word':
        this.addWord(declaration, {
          line: this.words.length,
          ofThreads: declaration.ofThreads,
          isShared: false,
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
    const line = this.declaredIn.get(name);
    return line === undefined ? undefined : `in line ${line}`;
  }

  private limitThreads({ from, to, most }: Place & { most: Expression }): void {
    if (this.threadsMax !== undefined)
      this.errors.add({ from, to }, 'the maximum number of threads is declared twice');
    this.threadsMax = this.constant(most);
    if (this.threadsMax < 1 || this.threadsMax > lab_limits.threads_max)
      this.errors.add(most, `a latch supports 1 to ${lab_limits.threads_max} threads`);
  }

  private addLine({ from, to, words, ofThreads }: Place & { words: WordNode[]; ofThreads: boolean }): void {
    const line = this.words.length;
    for (const word of words) {
      if (word.ofThreads)
        this.errors.add(word, 'write thread line { … }: then each thread has a line with these words');
      this.addWord(word, { line, ofThreads, isShared: true });
    }
    const onLine = this.words
      .filter((word) => word.line === line)
      .reduce((sum, { packed, elements }) => sum + (packed ? elements : 1), 0);
    if (words.length === 0) this.errors.add({ from, to }, 'a line needs at least one word');
    if (onLine > lab_limits.words_on_line_max)
      this.errors.add(
        { from, to },
        `a cache line holds at most ${lab_limits.words_on_line_max} words, got ${onLine}`,
      );
  }

  private addWord(node: WordNode, { line, ofThreads, isShared }: LineOfWords): void {
    const size = ofThreads ? this.sizeOfThreadWord(node) : this.sizeOf(node);
    const initialIsIndex = node.initial?.kind === 'name' && node.initial.name === 'me';
    if (initialIsIndex && !ofThreads)
      this.errors.add(node.initial!, 'only a thread word can have the initial value me');
    if (isShared && !ofThreads && size.per_thread)
      this.errors.add(node.size!, 'words on a shared line have a fixed number of elements');
    const shape = ofThreads ? 'thread' : node.size ? 'array' : 'single';
    const elements = size.per_thread ? undefined : size.elements;
    this.declare(node.named, { kind: 'word', number: this.words.length, shape, elements });
    this.words.push({
      name: node.named.name,
      line,
      ...size,
      packed: isShared && shape === 'array',
      initial: node.initial && !initialIsIndex ? this.constant(node.initial) : 0,
      initial_is_index: initialIsIndex,
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
    const perThread = beyond !== undefined;
    const least = perThread ? 0 : 1;
    if (elements < least || elements > lab_limits.elements_max)
      this.errors.add(
        size,
        `a word has ${least} to ${lab_limits.elements_max} elements${perThread ? ' beside those of threads' : ''}, not ${elements}`,
      );
    return { elements, per_thread: perThread };
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
    this.declaredIn.set(named.name, this.errors.lineOf(named.from));
  }
}
