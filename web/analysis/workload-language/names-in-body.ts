// Names as a body can use them: its locals, and what the file declares unless a local shadows it.
import { nearestName, type Errors } from '../latch-language/lab-error.ts';
import type { Scopes } from '../latch-language/scopes.ts';
import type { Expression, NameUse } from '../latch-language/syntax-tree.ts';
import type { WordSymbol } from '../latch-language/words.ts';
import type { ConstantExpressions } from './constant-expressions.ts';
import { ownNames, type DeclaredNames, type GlobalSymbol, type SymbolOf } from './declared-names.ts';
import type { Value, ValueType } from './values.ts';

export class NamesInBody {
  constructor(
    private readonly errors: Errors,
    readonly locals: Scopes<ValueType>,
    readonly globals: DeclaredNames,
    private readonly constants: ConstantExpressions,
  ) {}

  isLocal(name: string): boolean {
    return this.locals.find(name) !== undefined;
  }

  /** Returns what the file means by a name, unless a local shadows it. */
  global(name: string): GlobalSymbol | undefined {
    return this.isLocal(name) ? undefined : this.globals.symbols.get(name);
  }

  globalOf<Kind extends GlobalSymbol['kind']>(kind: Kind, name: string): SymbolOf<Kind> | undefined {
    return this.isLocal(name) ? undefined : this.globals.called(kind, name);
  }

  /** Returns the word behind the name of a word or a condition. */
  wordOf(kind: 'word' | 'condition', name: string): WordSymbol | undefined {
    return kind === 'word' ? this.globalOf('word', name) : this.globalOf('condition', name)?.word;
  }

  isKnown(name: string): boolean {
    return this.isLocal(name) || this.globals.symbols.has(name) || ownNames.includes(name);
  }

  /** Returns undefined if the value depends on the run. */
  constant(expression: Expression): Value | undefined {
    return this.constants.valueIfAny(expression, (name) => this.isLocal(name));
  }

  unknown({ name, ...place }: NameUse): void {
    const ended = this.locals.endedLocal(name);
    if (ended !== undefined) {
      this.errors.add(
        place,
        `${name} is out of scope: declared in line ${ended}, in a block that ended; declare it before the block`,
      );
      return;
    }
    const known = [...this.locals.names(), ...this.globals.symbols.keys(), ...ownNames];
    const meant = nearestName(name, known);
    if (meant === undefined) this.errors.add(place, `${name} is not declared`);
    else this.errors.add(place, `${name} is not declared; did you mean ${meant}?`, meant);
  }
}
