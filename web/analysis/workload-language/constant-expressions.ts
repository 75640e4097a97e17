// Expressions whose values do not depend on the run.
import { script_limits } from '../../contract/workload-operations.ts';
import type { Errors } from '../latch-language/lab-error.ts';
import type { Expression } from '../latch-language/syntax-tree.ts';
import type { DeclaredNames } from './declared-names.ts';
import {
  computed,
  isWide,
  negated,
  typeInWords,
  typeOfBinary,
  valueInWords,
  valueOfLiteral,
  type Value,
  type ValueType,
} from './values.ts';

const CONSTANT_MAX = BigInt(script_limits.constant_max);

export class ConstantExpressions {
  constructor(
    private readonly errors: Errors,
    private readonly names: DeclaredNames,
  ) {}

  /** Returns a value that does not depend on the run. */
  value(expression: Expression, type?: ValueType): Value {
    const value = this.valueIfAny(expression);
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
  valueIfAny(expression: Expression, isHidden: (name: string) => boolean = () => false): Value | undefined {
    switch (expression.kind) {
      case 'number': {
        const literal = valueOfLiteral(expression.text);
        return 'wrong' in literal ? undefined : literal;
      }
      case 'name': {
        if (expression.name === 'nobody') return { type: 'uint', value: 0n };
        const symbol = isHidden(expression.name) ? undefined : this.names.symbols.get(expression.name);
        return symbol?.kind === 'constant' ? symbol.value : undefined;
      }
      case 'unary': {
        const operand = this.valueIfAny(expression.operand, isHidden);
        return operand && negated(expression.operator, operand);
      }
      case 'binary': {
        const left = this.valueIfAny(expression.left, isHidden);
        const right = left && this.valueIfAny(expression.right, isHidden);
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

  /** Returns a constant, or the largest number of a knob. */
  numberOf(size: Expression): number {
    const symbol = size.kind === 'name' ? this.names.symbols.get(size.name) : undefined;
    if (symbol?.kind === 'knob' && symbol.isOfKinds)
      this.errors.add(size, `${this.errors.text(size)} selects kinds of latches, not a number`);
    return symbol?.kind === 'knob'
      ? Math.max(...symbol.variants.map(({ value = 1 }) => value))
      : Number(this.value(size, 'uint').value);
  }

  /** Returns a constant duration in picoseconds. */
  durationWithin(
    expression: Expression,
    what: string,
    { least, most }: { least: bigint; most: bigint },
  ): number {
    const found = this.errors.found.length;
    const { value } = this.value(expression, 'duration');
    const inWords = (bound: bigint) => valueInWords({ type: 'duration', value: bound });
    if (this.errors.found.length === found && (value < least || value > most))
      this.errors.add(
        expression,
        `${what} from ${inWords(least)} to ${inWords(most)}, not ${this.errors.text(expression)}`,
      );
    return Number(value);
  }
}
