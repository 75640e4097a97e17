// Compiles operators, and conditions with them.
import type { Label } from '../latch-language/code-writer.ts';
import { refuseExchangeAsTruth } from '../latch-language/constants.ts';
import type { Errors } from '../latch-language/lab-error.ts';
import { operationOf } from '../latch-language/operators.ts';
import type { Binary, Expression, Unary } from '../latch-language/syntax-tree.ts';
import type { NamesInBody } from './names-in-body.ts';
import { isComparison, isWide, typeInWords, typeOfBinary, type ValueType } from './values.ts';
import type { ScriptOperation, Typed, WorkloadCode } from './workload-code.ts';

const ofWide: Readonly<Record<string, ScriptOperation>> = {
  '+': 'add_wide',
  '-': 'subtract_wide',
  '*': 'multiply_wide',
  '/': 'divide_wide',
};

/** What the compiler of expressions provides. */
interface OperatorsHost {
  value: (expression: Expression) => Typed;
  valueOf: (type: ValueType, user: string, expression: Expression) => number;
}

/** A value without an error. */
type Operand = Typed & { type: ValueType };

export class Operators {
  constructor(
    private readonly errors: Errors,
    private readonly names: NamesInBody,
    private readonly code: WorkloadCode,
    private readonly host: OperatorsHost,
  ) {}

  /** Jumps to the label if the condition equals `truth`. */
  jumpIf(condition: Expression, truth: boolean, to: Label): void {
    refuseExchangeAsTruth(this.errors, condition);
    const constant = this.names.constant(condition);
    if (constant?.type === 'uint') {
      if ((constant.value !== 0n) === truth) this.code.jump('jump', to);
    } else if (condition.kind === 'unary' && condition.operator === '!') {
      // A call was checked together with its operator.
      if (condition.operand.kind === 'call') this.jumpIfValue(condition.operand, !truth, to);
      else this.jumpIf(condition.operand, !truth, to);
    } else if (condition.kind === 'binary' && /^(&&|\|\|)$/.test(condition.operator)) {
      this.jumpIfEither(condition, truth, to);
    } else {
      this.jumpIfValue(condition, truth, to);
    }
  }

  private jumpIfValue(condition: Expression, truth: boolean, to: Label): void {
    const { mark } = this.code;
    const a = this.host.valueOf('uint', 'a condition is', condition);
    this.code.releaseTo(mark);
    this.code.jump(truth ? 'jump_if_not_zero' : 'jump_if_zero', to, a);
  }

  private jumpIfEither({ operator, left, right }: Binary, truth: boolean, to: Label): void {
    if ((operator === '||') === truth) {
      this.jumpIf(left, truth, to);
      this.jumpIf(right, truth, to);
      return;
    }
    const past = this.code.label();
    this.jumpIf(left, !truth, past);
    this.jumpIf(right, truth, to);
    this.code.put(past);
  }

  unary(expression: Unary, wanted: number | undefined): Typed {
    const { operator, operand } = expression;
    if (operator === '!') refuseExchangeAsTruth(this.errors, expression);
    if (operator === '&') {
      this.errors.add(expression, `the language has no addresses: write ${this.errors.text(operand)}`);
      return this.code.unknown(wanted);
    }
    const { mark } = this.code;
    // 0 - x, x ^ all, x == 0
    const [other, operation] = (
      { '-': [0n, 'subtract'], '~': [0xffff_ffffn, 'bit_xor'], '!': [0n, 'equal'] } as const
    )[operator as '-' | '~' | '!'];
    const constant = this.code.takeRegister();
    this.code.constant(constant, other);
    const value = this.host.valueOf('uint', `${operator} takes`, operand);
    this.code.releaseTo(mark);
    const register = this.code.target(wanted);
    this.code.write(operation, { target: register, a: constant, b: value });
    return { register, type: 'uint' };
  }

  binary(expression: Binary, wanted: number | undefined): Typed {
    const { operator, left, right } = expression;
    if (operator === '&&' || operator === '||') return this.truthOf(expression, wanted);
    const variant = this.variantCompared(expression, wanted);
    if (variant !== undefined) return variant;
    if (/[/%]/.test(operator) && this.names.constant(right)?.value === 0n)
      this.errors.add(expression, 'division by zero');
    const { mark } = this.code;
    const [a, b] = [this.host.value(left), this.host.value(right)];
    this.code.releaseTo(mark);
    const register = this.code.target(wanted);
    if (a.type === undefined || b.type === undefined) return { register, type: undefined };
    const type = typeOfBinary(operator, a.type, b.type);
    if (type === undefined) {
      this.wrongOperands(expression, a.type, b.type);
      return { register, type };
    }
    this.writeBinary(operator, register, { ...a, type: a.type }, { ...b, type: b.type });
    return { register, type };
  }

  private writeBinary(operator: string, target: number, a: Operand, b: Operand): void {
    const operands = { target, a: a.register, b: b.register };
    const takesWide = !isComparison(operator) && (isWide(a.type) || isWide(b.type));
    const { operation, isSwapped } = operationOf[operator]!;
    if (takesWide) this.code.write(ofWide[operator]!, operands);
    else this.code.write(operation, isSwapped ? { target, a: b.register, b: a.register } : operands);
    // A quotient of two sizes is a number.
    if (isWide(a.type) && isWide(b.type) && operator === '/')
      this.code.write('narrow', { target, a: target });
  }

  private wrongOperands(expression: Binary, a: ValueType, b: ValueType): void {
    const { operator, left, right } = expression;
    const [first, second] = [this.errors.text(left), this.errors.text(right)];
    this.errors.add(
      expression,
      `${operator} does not take ${typeInWords[a]} and ${typeInWords[b]}: ${first} is ${typeInWords[a]}, ${second} is ${typeInWords[b]}`,
    );
  }

  /** Compiles `knob == variant`; undefined if the expression is something else. */
  private variantCompared({ operator, left, right }: Binary, wanted: number | undefined): Typed | undefined {
    if (operator !== '==' && operator !== '!=') return undefined;
    if (left.kind !== 'name' || right.kind !== 'name') return undefined;
    const knob = this.names.globalOf('knob', left.name);
    if (knob === undefined) return undefined;
    const number = knob.variants.findIndex(({ id }) => id === right.name);
    if (number < 0) {
      if (this.names.isLocal(right.name) || this.names.globals.symbols.has(right.name)) return undefined;
      this.names.globals.unknown(
        right,
        `a variant of ${this.errors.text(left)}`,
        knob.variants.map(({ id }) => id),
      );
      return this.code.unknown(wanted);
    }
    const { mark } = this.code;
    const [inForce, compared] = [this.code.takeRegister(), this.code.takeRegister()];
    this.code.write('knob_variant', { target: inForce, immediate: knob.number });
    this.code.constant(compared, BigInt(number));
    this.code.releaseTo(mark);
    const register = this.code.target(wanted);
    this.code.write(operationOf[operator]!.operation, { target: register, a: inForce, b: compared });
    return { register, type: 'uint' };
  }

  private truthOf(condition: Expression, wanted: number | undefined): Typed {
    const [isFalse, end] = [this.code.label(), this.code.label()];
    // A condition may read the register that it is written to.
    const register = this.code.takeRegister();
    this.jumpIf(condition, false, isFalse);
    this.code.constant(register, 1n);
    this.code.jump('jump', end);
    this.code.put(isFalse);
    this.code.constant(register, 0n);
    this.code.put(end);
    if (wanted === undefined) return { register, type: 'uint' };
    this.code.write('copy', { target: wanted, a: register });
    return { register: wanted, type: 'uint' };
  }
}
