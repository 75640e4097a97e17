// The knobs of a workload, their variants, and designs, which select one variant of each.
import { script_limits } from '../../contract/workload-operations.ts';
import type { ScriptDesign, ScriptKind, ScriptKnob, ScriptVariant } from '../../contract/workload-program.ts';
import type { Errors } from '../latch-language/lab-error.ts';
import type { Expression, KindNode, Named, PartOf, VariantNode } from '../latch-language/syntax-tree.ts';
import type { ConstantExpressions } from './constant-expressions.ts';
import type { DeclaredNames } from './declared-names.ts';
import { typeInWords } from './values.ts';

const ORIGINAL = 'original';
const FIXED = 'fixed';

export class Knobs {
  readonly all: ScriptKnob[] = [];
  private readonly designs: ScriptDesign[] = [];

  constructor(
    private readonly errors: Errors,
    private readonly names: DeclaredNames,
    private readonly constants: ConstantExpressions,
    private readonly kindOf: (node: KindNode) => ScriptKind,
  ) {}

  add({ named, question, variants: nodes }: PartOf<'knob'>): void {
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
    this.names.checkCount(named, variants.length, script_limits.variants_max, 'variants');
    if (question !== undefined) this.names.checkLength(question, script_limits.title_length_max);
    this.all.push({ id: named.name, question: question?.name ?? named.name, variants });
    this.names.declare(named, { kind: 'knob', number: this.all.length - 1, variants, isOfKinds });
    this.names.checkCount(named, this.all.length, script_limits.knobs_max, 'knobs');
  }

  /** A variant without a value means its own place. */
  private variant({ named, value, origin }: VariantNode, place: number): ScriptVariant {
    this.names.checkLength(named, script_limits.name_length_max);
    if (origin !== undefined) this.names.checkLength(origin, script_limits.title_length_max);
    const head = { id: named.name, origin: origin?.name ?? '' };
    if (value === undefined) return { ...head, value: place };
    const number = value.expression && this.constants.valueIfAny(value.expression);
    if (number === undefined) return { ...head, kind: this.kindOf(value) };
    if (number.type !== 'uint')
      this.errors.add(value, `a variant is a kind of latch or a number, not ${typeInWords[number.type]}`);
    return { ...head, value: Number(number.value) };
  }

  addDesign({ named, settings }: PartOf<'design'>): void {
    const isKnown = named.name === ORIGINAL || this.designs.some(({ id }) => id === named.name);
    if (isKnown) this.errors.add(named, `the design ${named.name} exists already`);
    this.names.checkLength(named, script_limits.name_length_max);
    const variants = this.all.map(() => 0);
    for (const [place, { knob, variant }] of settings.entries()) {
      if (settings.findIndex((other) => other.knob.name === knob.name) !== place)
        this.errors.add(knob, `${named.name} sets ${knob.name} twice`);
      const chosen = this.variantOf(knob, variant);
      if (chosen !== undefined) variants[chosen.knob] = chosen.variant;
    }
    this.designs.push({ id: named.name, variants });
    this.names.checkCount(named, this.designs.length + 1, script_limits.designs_max, 'designs');
  }

  /** Returns all designs: `original` first, and `fixed` with the last variants unless declared. */
  allDesigns(): ScriptDesign[] {
    if (this.all.length === 0) return [{ id: ORIGINAL, variants: [] }];
    const own = this.designs.some(({ id }) => id === FIXED)
      ? this.designs
      : [...this.designs, { id: FIXED, variants: this.all.map(({ variants }) => variants.length - 1) }];
    return [{ id: ORIGINAL, variants: this.all.map(() => 0) }, ...own];
  }

  /** Returns what the condition `knob == variant` names; undefined after an error. */
  variantIn(condition: Expression): { knob: number; variant: number } | undefined {
    const compared = condition.kind === 'binary' && condition.operator === '==' ? condition : undefined;
    const { left, right } = compared ?? {};
    if (left?.kind !== 'name' || right?.kind !== 'name') {
      const [knob] = this.all;
      const example = knob === undefined ? 'layout == packed' : `${knob.id} == ${knob.variants[0]?.id ?? ''}`;
      this.errors.add(condition, `a line depends on one variant of a knob: write ${example}`);
      return undefined;
    }
    return this.variantOf(left, right);
  }

  /** Returns the numbers of a knob and of its variant; undefined after an error. */
  private variantOf(knob: Named, variant: Named): { knob: number; variant: number } | undefined {
    const symbol = this.names.called('knob', knob.name);
    if (symbol === undefined) {
      const names = this.all.map(({ id }) => id);
      this.names.unknown(knob, 'a knob', names);
      return undefined;
    }
    const number = symbol.variants.findIndex(({ id }) => id === variant.name);
    if (number >= 0) return { knob: symbol.number, variant: number };
    const names = symbol.variants.map(({ id }) => id);
    this.names.unknown(variant, `a variant of ${knob.name}`, names);
    return undefined;
  }
}
