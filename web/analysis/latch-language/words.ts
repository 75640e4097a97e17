// Collects declarations of words and of the cache lines that they share, for latches and workloads.
import { lab_limits } from '../../contract/lab-program.ts';
import type { LabWord } from '../../contract/latch-program.ts';
import type { Errors } from './lab-error.ts';
import type { Expression, LineNode, Named, WordNode } from './syntax-tree.ts';

export interface WordSymbol {
  kind: 'word';
  number: number;
  /** `thread`: one element per thread; `array`: has an index; `single`: has none. */
  shape: 'single' | 'array' | 'thread';
  /** Number of elements; undefined if it depends on the number of threads. */
  elements: number | undefined;
}

export type WordDeclaration = WordNode | LineNode;

/** What the language around the words provides. */
export interface WordsHost {
  /** What has the words, in messages: `a latch`. */
  owner: string;
  /** Returns 1, after an error, if the number depends on the run. */
  constant: (expression: Expression) => number;
  /** Returns the number of elements, if other expressions than constants say it. */
  size?: (expression: Expression) => number;
  declare: (named: Named, symbol: WordSymbol) => void;
  /** Adds words that share a line only sometimes. Absent: the language has no such lines. */
  shareWhile?: (condition: Expression, words: readonly number[]) => void;
}

interface LineOfWords {
  line: number;
  ofThreads: boolean;
  isShared: boolean;
}

export class Words {
  readonly words: LabWord[] = [];

  constructor(
    private readonly errors: Errors,
    private readonly host: WordsHost,
  ) {}

  add(declaration: WordDeclaration): void {
    const { kind, ofThreads } = declaration;
    if (kind === 'line') this.addLine(declaration);
    else this.addWord(declaration, { line: this.words.length, ofThreads, isShared: false });
  }

  private addLine({ from, to, words, ofThreads, condition }: LineNode): void {
    const line = this.words.length;
    if (condition !== undefined && this.host.shareWhile === undefined)
      this.errors.add(condition, `${this.host.owner} has no knobs: write line { … }`);
    else if (condition !== undefined) {
      this.addLineWhile({ from, to, words, ofThreads, condition });
      return;
    }
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

  /** Each word has a line of its own, which the others share while the condition holds. */
  private addLineWhile(node: Omit<LineNode, 'kind'> & { condition: Expression }): void {
    const first = this.words.length;
    const { words, ofThreads, condition } = node;
    for (const word of words) {
      if (word.ofThreads) this.errors.add(word, 'write thread line if (…) { … }');
      this.addWord(word, { line: this.words.length, ofThreads, isShared: false });
    }
    const added = this.words.slice(first);
    if (added.length < 2) this.errors.add(node, 'a line that is shared sometimes needs at least two words');
    if (added.length > lab_limits.words_on_line_max)
      this.errors.add(
        node,
        `a cache line holds at most ${lab_limits.words_on_line_max} words, got ${added.length}`,
      );
    for (const [place, { name, elements, per_thread }] of added.entries())
      if (elements !== added[0]!.elements || per_thread !== added[0]!.per_thread)
        this.errors.add(
          words[place]!,
          `${name} needs as many elements as ${added[0]!.name}: element i of one shares the line with element i of the other`,
        );
    this.host.shareWhile!(
      condition,
      words.map((_, place) => first + place),
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
    this.host.declare(node.named, { kind: 'word', number: this.words.length, shape, elements });
    this.words.push({
      name: node.named.name,
      line,
      ...size,
      packed: isShared && shape === 'array',
      initial: node.initial && !initialIsIndex ? this.host.constant(node.initial) : 0,
      initial_is_index: initialIsIndex,
      source_line: this.errors.lineOf(node.named.from),
    });
    if (this.words.length === lab_limits.words_max + 1)
      this.errors.add(node, `${this.host.owner} has at most ${lab_limits.words_max} words`);
  }

  private sizeOfThreadWord({ size }: WordNode) {
    if (size) this.errors.add(size, 'a thread word has one element for each thread, so it needs no size');
    return { elements: 1, per_thread: true };
  }

  private sizeOf({ size }: WordNode) {
    if (!size) return { elements: 1, per_thread: false };
    const beyond = this.elementsBesideThreads(size);
    const elements = beyond ?? (this.host.size ?? this.host.constant)(size);
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
    if (isThreads(size.left)) return this.host.constant(size.right);
    return isThreads(size.right) ? this.host.constant(size.left) : undefined;
  }
}
