// The latches of a workload, and the limits of all together.
import { script_limits } from '../../contract/workload-operations.ts';
import type { ScriptKind, ScriptLatch } from '../../contract/workload-program.ts';
import type { Errors } from '../latch-language/lab-error.ts';
import type { Expression, KindNode, Named, PartOf, Place } from '../latch-language/syntax-tree.ts';
import type { ConstantExpressions } from './constant-expressions.ts';
import type { DeclaredNames, KnobSymbol } from './declared-names.ts';
import type { LatchKinds } from './latch-kinds.ts';

const shardsOf = ({ kind, size = 1 }: ScriptKind) => (kind === 'sharded_rw_lock' ? size : 1);

export class DeclaredLatches {
  readonly all: ScriptLatch[] = [];
  private readonly linesOfLatches: { place: Place; lines: (threads: number) => number }[] = [];
  private built = 0;

  constructor(
    private readonly errors: Errors,
    private readonly names: DeclaredNames,
    private readonly constants: ConstantExpressions,
    private readonly kinds: LatchKinds,
  ) {}

  add({ named, size, latchKind }: PartOf<'latch'>): void {
    const knob = this.knobOf(latchKind);
    const kind = knob === undefined ? this.kinds.kind(latchKind) : undefined;
    const kinds = knob === undefined ? [kind!] : knob.variants.flatMap((variant) => variant.kind ?? []);
    const elements = size === undefined ? 1 : this.sizeOf(size);
    const chosen = knob === undefined ? { kind: kind! } : { knob: knob.number };
    this.names.reserve(named);
    this.push(named, { elements, ...chosen }, { isArray: size !== undefined, kinds }, named.name);
    this.checkBuilt(size ?? latchKind, elements * Math.max(...kinds.map(shardsOf)));
  }

  /** Adds a mutex of the language, which the file cannot name. */
  addMutex(named: Named, symbolName: string): void {
    const kind: ScriptKind = { kind: 'pthread_mutex' };
    this.push(named, { elements: 1, kind }, { isArray: false, kinds: [kind] }, symbolName);
  }

  private push(
    { name, ...place }: Named,
    latch: Omit<ScriptLatch, 'name' | 'source_line'>,
    { isArray, kinds }: { isArray: boolean; kinds: readonly ScriptKind[] },
    symbolName: string,
  ): void {
    this.all.push({ name, ...latch, source_line: this.errors.lineOf(place.from) });
    this.names.symbols.set(symbolName, {
      kind: 'latch',
      number: this.all.length - 1,
      elements: latch.elements,
      isArray,
      neverTried: kinds
        .filter(({ program }) => program !== undefined)
        .map((one) => this.kinds.nameOf(one))[0],
      neverShared: this.firstIfNoneIsShared(kinds),
    });
    this.names.checkCount(place, this.all.length, script_limits.latches_max, 'latches');
    this.linesOfLatches.push({
      place,
      lines: (threads) => latch.elements * this.kinds.mostLines(kinds, threads),
    });
  }

  private firstIfNoneIsShared(kinds: readonly ScriptKind[]): string | undefined {
    const [first] = kinds;
    if (first === undefined || kinds.some((one) => this.kinds.canBeShared(one))) return undefined;
    return this.kinds.nameOf(first);
  }

  /** Reports the latch up to which there are too many cache lines. */
  checkLines(threads: number): void {
    const { lines_max } = script_limits;
    let all = 0;
    for (const { place, lines } of this.linesOfLatches) {
      const before = all;
      all += lines(threads);
      if (before <= lines_max && all > lines_max)
        this.errors.add(
          place,
          `latches in the latch language have at most ${lines_max} cache lines in all; up to here there are ${all}`,
        );
    }
  }

  private checkBuilt(place: Place, latches: number): void {
    const most = script_limits.latches_built_max;
    const before = this.built;
    this.built += latches;
    if (before <= most && this.built > most)
      this.errors.add(
        place,
        `a workload has at most ${most} latches in all, each shard counted; up to here there are ${this.built}`,
      );
  }

  /** An array has as many latches as the largest variant of its knob needs. */
  private sizeOf(size: Expression): number {
    const elements = this.constants.numberOf(size);
    if (elements < 1 || elements > script_limits.elements_max)
      this.errors.add(size, `an array has 1 to ${script_limits.elements_max} latches, not ${elements}`);
    return elements;
  }

  private knobOf({ expression }: KindNode): KnobSymbol | undefined {
    const symbol = expression?.kind === 'name' ? this.names.called('knob', expression.name) : undefined;
    if (symbol !== undefined && !symbol.isOfKinds)
      this.errors.add(
        expression!,
        `the variants of ${this.errors.text(expression!)} are numbers, not kinds of latches`,
      );
    return symbol;
  }
}
