// The names that a workload declares, and what they mean.
import { script_limits } from '../../contract/workload-operations.ts';
import type { ScriptVariant } from '../../contract/workload-program.ts';
import { nearestName, type Errors } from '../latch-language/lab-error.ts';
import type { Named, Place } from '../latch-language/syntax-tree.ts';
import type { WordSymbol } from '../latch-language/words.ts';
import type { FunctionSymbol } from './functions.ts';
import { isEngineKind } from './latch-kinds.ts';
import type { QueueSymbol } from './synchronization.ts';
import type { Value, ValueType } from './values.ts';

export interface KnobSymbol {
  kind: 'knob';
  number: number;
  variants: readonly ScriptVariant[];
  /** Whether its variants are kinds of latches; else they are numbers. */
  isOfKinds: boolean;
}

export interface LatchSymbol {
  kind: 'latch';
  number: number;
  elements: number;
  isArray: boolean;
  /** A kind that it may have, if none has readers. */
  neverShared: string | undefined;
  /** A kind that it may have and that no thread can try to take; undefined if there is none. */
  neverTried: string | undefined;
}

export type GlobalSymbol =
  | { kind: 'constant'; value: Value }
  | { kind: 'parameter'; number: number; type: ValueType }
  | KnobSymbol
  | LatchSymbol
  | WordSymbol
  | FunctionSymbol
  | QueueSymbol
  | { kind: 'condition'; word: WordSymbol }
  | { kind: 'counter' | 'device'; number: number };

/** The symbols of one kind. */
export type SymbolOf<Kind extends GlobalSymbol['kind']> = GlobalSymbol & { kind: Kind };

/** Names with a meaning of their own. */
export const ownNames = ['me', 'threads', 'index', 'nobody'];
/** Words of statements, which the grammar would accept as names. */
const statementWords = ['in', 'hold', 'shared', 'exclusive', 'try', 'repeat', 'transaction'];
export const draws = ['uniform', 'chance', 'exponential', 'lognormal', 'zipf'];
/** Calls that no name can have. */
export const reservedCalls = ['uniform', 'chance', 'exponential', 'work', 'think', 'sleep', 'check'].concat(
  ...['pause', 'yield', 'fence', 'load', 'store', 'exchange', 'compare_exchange'],
  ...['fetch_add', 'fetch_sub', 'fetch_and', 'fetch_or', 'fetch_xor', 'futex_wait', 'futex_wake'],
);
export const calls = [...reservedCalls, 'lognormal', 'zipf', 'io', 'count', 'counted'].concat(
  ...['wait', 'signal', 'broadcast', 'send', 'receive', 'await', 'arrive', 'led_by'],
);

export class DeclaredNames {
  readonly symbols = new Map<string, GlobalSymbol>();
  private readonly declaredIn = new Map<string, number>();

  constructor(private readonly errors: Errors) {}

  /** Says where a name is declared, as error messages do. */
  private readonly takenBy = (name: string): string | undefined => {
    const line = this.declaredIn.get(name);
    return line === undefined ? undefined : `in line ${line}`;
  };

  /** Adds an error at a name that cannot be declared. */
  readonly check = (named: Named, takenBy: (name: string) => string | undefined): void => {
    const { name } = named;
    const isOwn = [...ownNames, ...reservedCalls, ...statementWords].includes(name) || isEngineKind(name);
    const taken = isOwn ? 'by the language' : (takenBy(name) ?? this.takenBy(name));
    if (taken !== undefined)
      this.errors.add(named, `the name ${name} is already used ${taken}: choose another name`);
    this.checkLength(named, script_limits.name_length_max);
  };

  checkLength(named: Named, most: number): void {
    if (named.name.length > most)
      this.errors.add(named, `at most ${most} characters are allowed here; these are ${named.name.length}`);
  }

  /** Declares a name before its meaning is known. */
  reserve(named: Named): void {
    this.check(named, () => undefined);
    this.declaredIn.set(named.name, this.errors.lineOf(named.from));
  }

  declare(named: Named, symbol: GlobalSymbol): void {
    this.reserve(named);
    this.symbols.set(named.name, symbol);
  }

  /** Returns the names of a kind that the file can use. */
  namesOf(kind: GlobalSymbol['kind']): string[] {
    return [...this.symbols]
      .filter(([name, symbol]) => symbol.kind === kind && !name.includes(' '))
      .map(([name]) => name);
  }

  /** Returns the symbol with this name and kind. */
  called<Kind extends GlobalSymbol['kind']>(kind: Kind, name: string): SymbolOf<Kind> | undefined {
    const symbol = this.symbols.get(name);
    return symbol?.kind === kind ? (symbol as SymbolOf<Kind>) : undefined;
  }

  isDeclared(name: string): boolean {
    return this.declaredIn.has(name);
  }

  unknown({ name, from, to }: Named, what: string, known: readonly string[]): void {
    const meant = nearestName(name, known);
    const list = known.length === 0 ? 'none is declared' : `write one of ${known.join(', ')}`;
    if (meant === undefined) this.errors.add({ from, to }, `${name} is not ${what}: ${list}`);
    else this.errors.add({ from, to }, `${name} is not ${what}; did you mean ${meant}?`, meant);
  }

  checkCount(place: Place, count: number, most: number, what: string): void {
    if (count === most + 1) this.errors.add(place, `a workload has at most ${most} ${what}`);
  }
}
