// Collects what a workload declares before its threads: constants, parameters, knobs, designs and
// latches.
import { script_latch_kinds, script_limits } from '../../contract/workload-operations.ts';
import type {
  ScriptDesign,
  ScriptKind,
  ScriptKnob,
  ScriptLatch,
  ScriptLatchKindName,
  ScriptParameter,
  ScriptVariant,
} from '../../contract/workload-program.ts';
import { nearestName, type Errors } from '../latch-language/lab-error.ts';
import type {
  Expression,
  KindNode,
  Named,
  Place,
  VariantNode,
  WorkloadPart,
} from '../latch-language/syntax-tree.ts';
import {
  computed,
  isWide,
  largestUnit,
  negated,
  typeInWords,
  typeOfBinary,
  valueInWords,
  valueOfLiteral,
  type Value,
  type ValueType,
} from './values.ts';
import { Words, type WordSymbol } from '../latch-language/words.ts';

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
  /** A kind that it may have and that has no readers; undefined if all have. */
  neverShared: string | undefined;
}

type GlobalSymbol =
  | { kind: 'constant'; value: Value }
  | { kind: 'parameter'; number: number; type: ValueType }
  | KnobSymbol
  | LatchSymbol
  | WordSymbol;

export type PartOf<Kind extends WorkloadPart['kind']> = Extract<WorkloadPart, Record<'kind', Kind>>;

/** Names with a meaning of their own. */
export const ownNames = ['me', 'threads', 'index'];
export const draws = ['uniform', 'chance', 'exponential'];
export const calls = [...draws, 'work', 'think', 'sleep', 'check'].concat(
  ...['pause', 'yield', 'fence', 'load', 'store', 'exchange', 'compare_exchange'],
  ...['fetch_add', 'fetch_sub', 'fetch_and', 'fetch_or', 'fetch_xor'],
);

export type LatchKindName = ScriptLatchKindName;
const kindNames = script_latch_kinds.map(({ name }) => name);
const kindCalled = (name: string) => script_latch_kinds.find((kind) => kind.name === name);
export const canBeShared = (name: LatchKindName) => kindCalled(name)!.can_be_shared;

const shardsOf = ({ kind, size = 1 }: ScriptKind) => (kind === 'sharded_rw_lock' ? size : 1);

const ORIGINAL = 'original';
const FIXED = 'fixed';

export class WorkloadDeclarations {
  readonly symbols = new Map<string, GlobalSymbol>();
  readonly parameters: ScriptParameter[] = [];
  readonly knobs: ScriptKnob[] = [];
  readonly latches: ScriptLatch[] = [];
  readonly words: Words;
  private readonly designs: ScriptDesign[] = [];
  private readonly declaredIn = new Map<string, number>();

  constructor(private readonly errors: Errors) {
    this.words = new Words(errors, {
      owner: 'a workload',
      constant: (expression) => Number(this.constant(expression, 'uint').value),
      declare: (named, symbol) => this.declare(named, symbol),
    });
  }

  /** Says where a name is declared, as error messages do. */
  readonly takenBy = (name: string): string | undefined => {
    const line = this.declaredIn.get(name);
    return line === undefined ? undefined : `in line ${line}`;
  };

  /** Adds an error at a name that cannot be declared. */
  readonly checkName = (named: Named, takenBy: (name: string) => string | undefined): void => {
    const { name } = named;
    const isOwn = ownNames.includes(name) || calls.includes(name) || kindCalled(name) !== undefined;
    const taken = isOwn ? 'by the language' : (takenBy(name) ?? this.takenBy(name));
    if (taken !== undefined)
      this.errors.add(named, `the name ${name} is already used ${taken}: choose another name`);
    this.checkLength(named, script_limits.name_length_max);
  };

  checkLength(named: Named, most: number): void {
    if (named.name.length > most)
      this.errors.add(named, `at most ${most} characters are allowed here; these are ${named.name.length}`);
  }

  declareName(named: Named): void {
    this.checkName(named, () => undefined);
    this.declaredIn.set(named.name, this.errors.lineOf(named.from));
  }

  private declare(named: Named, symbol: GlobalSymbol): void {
    this.declareName(named);
    this.symbols.set(named.name, symbol);
  }

  addConstant({ named, value }: PartOf<'constant'>): void {
    this.declare(named, { kind: 'constant', value: this.constant(value) });
  }

  addParameter({ from, to, named, value, low, high, title }: PartOf<'parameter'>): void {
    const [usual, least, most] = [this.constant(value), this.constant(low), this.constant(high)];
    const { type } = usual;
    for (const [bound, { type: other }] of [[low, least] as const, [high, most] as const])
      if (other !== type)
        this.errors.add(
          bound,
          `${named.name} is ${typeInWords[type]}, and ${this.errors.text(bound)} is ${typeInWords[other]}`,
        );
    if (least.value > usual.value || usual.value > most.value)
      this.errors.add(
        { from, to },
        `the default of ${named.name} must be from ${valueInWords(least)} to ${valueInWords(most)}, not ${valueInWords(usual)}`,
      );
    if (type === 'share') this.errors.add(value, 'a parameter is a number, a duration or a size');
    const unit = largestUnit(
      type,
      [usual.value, least.value, most.value].filter((one) => one !== 0n),
    );
    const scale = unit?.scale ?? 1n;
    const inUnits = (of: Value) => Number(of.value / scale);
    if (title !== undefined) this.checkLength(title, script_limits.title_length_max);
    this.parameters.push({
      id: named.name,
      title: title?.name ?? named.name,
      unit: unit?.name ?? '',
      scale: Number(scale),
      ...{ min: inUnits(least), max: inUnits(most), default: inUnits(usual) },
    });
    this.declare(named, { kind: 'parameter', number: this.parameters.length - 1, type });
    this.checkCount(named, this.parameters.length, script_limits.parameters_max, 'parameters');
  }

  addKnob({ named, question, variants: nodes }: PartOf<'knob'>): void {
    const variants = nodes.map((node, place) => this.variant(node, place));
    const isOfKinds = variants.some(({ kind }) => kind !== undefined);
    for (const [place, { kind }] of variants.entries())
      if (isOfKinds && kind === undefined)
        this.errors.add(
          nodes[place]!,
          `${named.name} selects kinds of latches: write ${nodes[place]!.named.name} = innodb_mutex, or another kind`,
        );
    if (variants.length < 2) this.errors.add(named, 'a knob needs at least two variants');
    for (const [place, { id }] of variants.entries())
      if (variants.findIndex((other) => other.id === id) !== place)
        this.errors.add(nodes[place]!.named, `${named.name} has two variants called ${id}`);
    this.checkCount(named, variants.length, script_limits.variants_max, 'variants');
    if (question !== undefined) this.checkLength(question, script_limits.title_length_max);
    this.knobs.push({ id: named.name, question: question?.name ?? named.name, variants });
    this.declare(named, { kind: 'knob', number: this.knobs.length - 1, variants, isOfKinds });
    this.checkCount(named, this.knobs.length, script_limits.knobs_max, 'knobs');
  }

  /** A variant without a value means its own place. */
  private variant({ named, value, origin }: VariantNode, place: number): ScriptVariant {
    this.checkLength(named, script_limits.name_length_max);
    if (origin !== undefined) this.checkLength(origin, script_limits.title_length_max);
    const head = { id: named.name, origin: origin?.name ?? '' };
    if (value === undefined) return { ...head, value: place };
    const number = value.expression && this.constantIfAny(value.expression);
    if (number === undefined) return { ...head, kind: this.kind(value) };
    if (number.type !== 'uint')
      this.errors.add(value, `a variant is a kind of latch or a number, not ${typeInWords[number.type]}`);
    return { ...head, value: Number(number.value) };
  }

  addDesign({ named, settings }: PartOf<'design'>): void {
    const isKnown = named.name === ORIGINAL || this.designs.some(({ id }) => id === named.name);
    if (isKnown) this.errors.add(named, `the design ${named.name} exists already`);
    this.checkLength(named, script_limits.name_length_max);
    const variants = this.knobs.map(() => 0);
    for (const { knob, variant } of settings) {
      const symbol = this.symbols.get(knob.name);
      if (symbol?.kind !== 'knob') {
        this.unknown(
          knob,
          'a knob',
          this.knobs.map(({ id }) => id),
        );
        continue;
      }
      const number = symbol.variants.findIndex(({ id }) => id === variant.name);
      if (number < 0)
        this.unknown(
          variant,
          `a variant of ${knob.name}`,
          symbol.variants.map(({ id }) => id),
        );
      else variants[symbol.number] = number;
    }
    this.designs.push({ id: named.name, variants });
    this.checkCount(named, this.designs.length + 1, script_limits.designs_max, 'designs');
  }

  /** Returns all designs: `original` first, and `fixed` with the last variants unless declared. */
  allDesigns(): ScriptDesign[] {
    if (this.knobs.length === 0) return [{ id: ORIGINAL, variants: [] }];
    const own = this.designs.some(({ id }) => id === FIXED)
      ? this.designs
      : [...this.designs, { id: FIXED, variants: this.knobs.map(({ variants }) => variants.length - 1) }];
    return [{ id: ORIGINAL, variants: this.knobs.map(() => 0) }, ...own];
  }

  addLatch({ named, size, latchKind }: PartOf<'latch'>): void {
    const knob = this.knobOf(latchKind);
    const kind = knob === undefined ? this.kind(latchKind) : undefined;
    const kinds = knob === undefined ? [kind!] : knob.variants.flatMap((variant) => variant.kind ?? []);
    const elements = size === undefined ? 1 : this.sizeOf(size);
    this.latches.push({
      name: named.name,
      elements,
      ...(knob === undefined ? { kind: kind! } : { knob: knob.number }),
      source_line: this.errors.lineOf(named.from),
    });
    this.declare(named, {
      kind: 'latch',
      number: this.latches.length - 1,
      elements,
      isArray: size !== undefined,
      neverShared: kinds.find((one) => !canBeShared(one.kind))?.kind,
    });
    this.checkCount(named, this.latches.length, script_limits.latches_max, 'latches');
    this.checkBuilt(size ?? latchKind, elements * Math.max(...kinds.map(shardsOf)));
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
  private built = 0;

  /** An array has as many latches as the largest variant of its knob needs. */
  private sizeOf(size: Expression): number {
    const symbol = size.kind === 'name' ? this.symbols.get(size.name) : undefined;
    if (symbol?.kind === 'knob' && symbol.isOfKinds)
      this.errors.add(size, `${this.errors.text(size)} selects kinds of latches, not a number`);
    const elements =
      symbol?.kind === 'knob'
        ? Math.max(...symbol.variants.map(({ value = 1 }) => value))
        : Number(this.constant(size, 'uint').value);
    if (elements < 1 || elements > script_limits.elements_max)
      this.errors.add(size, `an array has 1 to ${script_limits.elements_max} latches, not ${elements}`);
    return elements;
  }

  private knobOf({ expression }: KindNode): KnobSymbol | undefined {
    const symbol = expression?.kind === 'name' ? this.symbols.get(expression.name) : undefined;
    if (symbol?.kind !== 'knob') return undefined;
    if (!symbol.isOfKinds)
      this.errors.add(
        expression!,
        `the variants of ${this.errors.text(expression!)} are numbers, not kinds of latches`,
      );
    return symbol;
  }

  private kind({ expression, quoted, ...place }: KindNode): ScriptKind {
    const usual: ScriptKind = { kind: 'innodb_mutex' };
    if (quoted !== undefined) {
      this.errors.add(quoted, `latches of the lab have no place here: write one of ${kindNames.join(', ')}`);
      return usual;
    }
    const name = expression?.kind === 'call' ? expression.callee : expression;
    if (name?.kind !== 'name') {
      this.errors.add(
        place,
        `${this.errors.text(place)} is no kind of latch: write one of ${kindNames.join(', ')}`,
      );
      return usual;
    }
    const known = kindCalled(name.name);
    if (known === undefined) {
      this.unknown(name, 'a kind of latch', kindNames);
      return usual;
    }
    return { kind: known.name, ...this.sizeOfKind(known, expression!) };
  }

  private sizeOfKind({ name, has_size }: (typeof script_latch_kinds)[number], expression: Expression) {
    const given = expression.kind === 'call' ? expression.given : [];
    if (!has_size) {
      if (expression.kind === 'call') this.errors.add(expression, `write ${name}, without ( )`, name);
      return {};
    }
    if (given.length !== 1) {
      this.errors.add(expression, `${name} needs one number: write ${name}(8)`, `${name}(8)`);
      return { size: 1 };
    }
    const size = Number(this.constant(given[0]!, 'uint').value);
    if (size < 1 || size > script_limits.kind_size_max)
      this.errors.add(
        given[0]!,
        `${name} takes a number from 1 to ${script_limits.kind_size_max}, not ${size}`,
      );
    return { size };
  }

  /** Returns a value that does not depend on the run. */
  constant(expression: Expression, type?: ValueType): Value {
    const value = this.constantIfAny(expression);
    const found = this.errors.found.length;
    if (value === undefined) this.whyNoConstant(expression);
    else if (type !== undefined && value.type !== type)
      this.errors.add(
        expression,
        `${this.errors.text(expression)} is ${typeInWords[value.type]}: ${typeInWords[type]} is needed here`,
      );
    if (this.errors.found.length > found || value === undefined) return { type: type ?? 'uint', value: 1n };
    return value;
  }

  private whyNoConstant(expression: Expression): void {
    if (expression.kind === 'number') {
      const literal = valueOfLiteral(expression.text);
      if ('wrong' in literal) this.errors.add(expression, literal.wrong, literal.suggestion);
      return;
    }
    this.errors.add(
      expression,
      `${this.errors.text(expression)} is not constant: only numbers and earlier constants are allowed here`,
    );
  }

  /** Returns undefined if the value is known only in a run, or cannot be computed. */
  constantIfAny(
    expression: Expression,
    isHidden: (name: string) => boolean = () => false,
  ): Value | undefined {
    switch (expression.kind) {
      case 'number': {
        const literal = valueOfLiteral(expression.text);
        return 'wrong' in literal ? undefined : literal;
      }
      case 'name': {
        const symbol = isHidden(expression.name) ? undefined : this.symbols.get(expression.name);
        return symbol?.kind === 'constant' ? symbol.value : undefined;
      }
      case 'unary': {
        const operand = this.constantIfAny(expression.operand, isHidden);
        return operand && negated(expression.operator, operand);
      }
      case 'binary': {
        const left = this.constantIfAny(expression.left, isHidden);
        const right = left && this.constantIfAny(expression.right, isHidden);
        if (left === undefined || right === undefined) return undefined;
        const type = typeOfBinary(expression.operator, left.type, right.type);
        const value = type === undefined ? undefined : computed(expression.operator, left, right);
        // The engine's constants have fewer bits than its registers.
        const isTooLarge = value !== undefined && isWide(value.type) && value.value > CONSTANT_MAX;
        return isTooLarge ? undefined : value;
      }
      default:
        return undefined;
    }
  }

  unknown({ name, from, to }: Named, what: string, known: readonly string[]): void {
    const meant = nearestName(name, known);
    const list = known.length === 0 ? 'none is declared' : `write one of ${known.join(', ')}`;
    if (meant === undefined) this.errors.add({ from, to }, `${name} is not ${what}: ${list}`);
    else this.errors.add({ from, to }, `${name} is not ${what}; did you mean ${meant}?`, meant);
  }

  private checkCount(place: Place, count: number, most: number, what: string): void {
    if (count === most + 1) this.errors.add(place, `a workload has at most ${most} ${what}`);
  }
}

const CONSTANT_MAX = BigInt(script_limits.constant_max);
