// Collects the words and constants of a latch, and checks their declarations.
import { lab_limits } from '../../contract/lab-program.ts';
import { builtInConstants, builtIns, constantValue, valueOfDigits } from './constants.ts';
import type { Errors } from './lab-error.ts';
import type { LabWord } from '../../contract/latch-program.ts';
import type { Declaration, Expression, Named, Place } from './syntax-tree.ts';
import { Words, type WordSymbol } from './words.ts';

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

export class Declarations {
  readonly symbols = new Map<string, GlobalSymbol>();
  private readonly allWords: Words;
  threadsMax: number | undefined;
  private readonly declaredIn = new Map<string, number>();

  constructor(private readonly errors: Errors) {
    this.allWords = new Words(errors, {
      owner: 'a latch',
      constant: (expression) => this.constant(expression),
      declare: (named, symbol) => this.declare(named, symbol),
    });
  }

  get words(): LabWord[] {
    return this.allWords.words;
  }

  readonly valueOfName = (name: string): number | undefined => {
    const symbol = this.symbols.get(name);
    return symbol?.kind === 'constant' ? symbol.value : builtInConstants[name];
  };

  add(declaration: Declaration): void {
    switch (declaration.kind) {
      case 'word':
      case 'line':
        this.allWords.add(declaration);
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
