// The words that calls access, as operands of instructions, for latches and workloads.
import { lab_registers } from '../../contract/lab-program.ts';
import type { Errors } from './lab-error.ts';
import type { Expression, Indexed, NameUse } from './syntax-tree.ts';
import type { WordSymbol } from './words.ts';

/** What the compiler around the words provides. */
export interface WordOperandsHost {
  /** Returns the word with this name, unless a local shadows it. */
  wordCalled: (name: string) => WordSymbol | undefined;
  wordNames: () => string[];
  /** Whether something else has this name. */
  isKnown: (use: NameUse) => boolean;
  unknownName: (use: NameUse) => void;
  /** Returns the number, or undefined if it depends on the run. */
  constant: (expression: Expression) => number | undefined;
  /** Compiles an index and returns its register. */
  index: (expression: Expression) => number;
}

export class WordOperands {
  constructor(
    private readonly errors: Errors,
    private readonly host: WordOperandsHost,
    /** What the operands are called. */
    private readonly noun: 'word' | 'condition' = 'word',
  ) {}

  /** Returns a word in its correct form: with an index if it has elements. */
  wordInWords(expression: NameUse | Indexed): string {
    if (expression.kind === 'indexed') return this.errors.text(expression);
    const shape = this.host.wordCalled(expression.name)?.shape;
    if (shape === 'thread') return `${expression.name}[me]`;
    return shape === 'array' ? `${expression.name}[0]` : expression.name;
  }

  /** Returns the operand of an instruction: the word and the register of its index. */
  operand(expression: Expression, callee: string): number {
    const named =
      expression.kind === 'unary' && expression.operator === '&' ? expression.operand : expression;
    if (named !== expression)
      this.errors.add(
        expression,
        `the language has no addresses: write ${this.errors.text(named)}`,
        this.errors.text(named),
      );
    if (named.kind !== 'name' && named.kind !== 'indexed') {
      this.errors.add(
        expression,
        `${callee} needs ${this.example}; ${this.errors.text(expression)} is not a ${this.noun}`,
      );
      return 0;
    }
    const use = named.kind === 'name' ? named : named.name;
    const word = this.host.wordCalled(use.name);
    if (!word) {
      this.noWord(use, callee);
      return 0;
    }
    return word.number | (this.indexRegister(named, word) << 16);
  }

  private noWord(use: NameUse, callee: string): void {
    if (this.host.isKnown(use))
      this.errors.add(use, `${callee} needs ${this.example}; ${use.name} is not a ${this.noun}`);
    else this.host.unknownName(use);
  }

  private get example(): string {
    const [first = this.noun === 'word' ? 'locked' : 'ready'] = this.host.wordNames();
    return `a ${this.noun}, such as ${this.wordInWords({ kind: 'name', name: first, from: 0, to: 0 })}`;
  }

  private indexRegister(use: NameUse | Indexed, { shape, elements }: WordSymbol): number {
    if (use.kind === 'name') {
      if (shape === 'single') return lab_registers.no_index;
      const meant = this.wordInWords(use);
      const why = shape === 'thread' ? 'has an element for each thread' : 'has several elements';
      this.errors.add(use, `${use.name} ${why}: name one, such as ${meant}`, meant);
      return lab_registers.no_index;
    }
    if (shape === 'single') {
      this.errors.add(use, `${use.name.name} is a single ${this.noun}: it has no elements`, use.name.name);
      return lab_registers.no_index;
    }
    const constant = this.host.constant(use.index);
    if (constant !== undefined && elements !== undefined && constant >= elements)
      this.errors.add(use.index, `${use.name.name} has ${elements} elements: 0 to ${elements - 1}`);
    return constant === 0 ? lab_registers.no_index : this.host.index(use.index);
  }
}

const needsFetch: Readonly<Record<string, string>> = {
  '++': 'fetch_add',
  '--': 'fetch_sub',
  '+=': 'fetch_add',
  '-=': 'fetch_sub',
  '&=': 'fetch_and',
  '|=': 'fetch_or',
  '^=': 'fetch_xor',
};

/** Suggests `store(locked, 1)` for `locked = 1`, and `fetch_add(locked, 1)` for `locked++`. */
export function insteadOfWriting(operator: string, given: string, word: string): string {
  if (operator === '=') return `store(${word}, ${given})`;
  const fetch = needsFetch[operator];
  return fetch
    ? `${fetch}(${word}, ${given})`
    : `store(${word}, load(${word}) ${operator.slice(0, -1)} ${given})`;
}
