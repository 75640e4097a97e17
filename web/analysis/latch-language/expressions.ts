// Compiles expressions. A value stays where it is: a local in its register, `me` in the engine's
// register. Any other value gets a register of its own.
import { lab_registers } from '../../contract/lab-program.ts';
import {
  builtInConstants,
  builtIns,
  constantValue,
  hasRightCount,
  refuseExchangeAsTruth,
  type BuiltIn,
} from './constants.ts';
import type { Label } from './code-writer.ts';
import type { Declarations } from './declarations.ts';
import type { LabCode } from './lab-code.ts';
import { nearestName, type Errors } from './lab-error.ts';
import { operationOf } from './operators.ts';
import type { Scopes } from './scopes.ts';
import type { Binary, Call, Expression, Indexed, NameUse, Unary } from './syntax-tree.ts';
import { WordOperands } from './word-operands.ts';
import type { WordSymbol } from './words.ts';

const registerOfName: Readonly<Record<string, number>> = {
  me: lab_registers.thread_number,
  threads: lab_registers.threads,
};
const NUMBERS_IN_WORDS = 'a number has 32 bits: 0 to 4294967295, or 0x0 to 0xffffffff';

/** Compiles a call of one of the latch's own functions. */
export type OwnCall = (call: Call) => boolean;

export class Expressions {
  private readonly words: WordOperands;

  constructor(
    private readonly errors: Errors,
    private readonly globals: Declarations,
    private readonly scopes: Scopes<'uint'>,
    private readonly writer: LabCode,
    private readonly ownCall: OwnCall,
    private readonly ownFunctions: readonly string[],
  ) {
    this.words = new WordOperands(errors, {
      wordCalled: (name) => this.wordCalled(name),
      wordNames: () => globals.words.map(({ name }) => name),
      isKnown: (use) =>
        scopes.registerOf(use.name) !== undefined ||
        this.constant(use) !== undefined ||
        Object.hasOwn(registerOfName, use.name),
      unknownName: (use) => this.unknownName(use),
      constant: (expression) => this.constant(expression),
      index: (expression) => this.value(expression),
    });
  }

  /** Returns the register of the value: `wanted`, unless the value is in a register already. */
  value(expression: Expression, wanted?: number): number {
    const constant = this.constant(expression);
    if (constant !== undefined) return this.writeConstant(constant, wanted);
    switch (expression.kind) {
      case 'number':
        this.errors.add(expression, `${expression.text} is not allowed: ${NUMBERS_IN_WORDS}`);
        return this.target(wanted);
      case 'name':
        return this.valueOfName(expression) ?? this.target(wanted);
      case 'indexed':
        this.bareWord(expression);
        return this.target(wanted);
      case 'call':
        return this.call(expression, true, wanted);
      case 'unary':
        return this.unary(expression, wanted);
      case 'binary':
        return this.binary(expression, wanted);
      case 'assignment':
        this.assignmentAsValue(expression);
        return this.target(wanted);
    }
  }

  valueInto(expression: Expression, register: number): void {
    const from = this.value(expression, register);
    if (from !== register) this.writer.write('copy', { target: register, a: from });
  }

  constant(expression: Expression): number | undefined {
    return constantValue(expression, (name) =>
      this.scopes.registerOf(name) === undefined ? this.globals.valueOfName(name) : undefined,
    );
  }

  /** Jumps to the label if the condition equals `truth`. */
  jumpIf(condition: Expression, truth: boolean, to: Label): void {
    refuseExchangeAsTruth(this.errors, condition);
    const constant = this.constant(condition);
    if (constant !== undefined) {
      if ((constant !== 0) === truth) this.writer.jump('jump', to);
      return;
    }
    if (condition.kind === 'assignment') {
      this.assignmentAsValue(condition);
    } else if (condition.kind === 'unary' && condition.operator === '!') {
      if (condition.operand.kind !== 'call') this.jumpIf(condition.operand, !truth, to);
      else this.jumpIfValue(condition.operand, !truth, to);
    } else if (condition.kind === 'binary' && /^(&&|\|\|)$/.test(condition.operator)) {
      this.jumpIfEither(condition, truth, to);
    } else {
      this.jumpIfValue(condition, truth, to);
    }
  }

  private jumpIfValue(condition: Expression, truth: boolean, to: Label): void {
    const { value, isNegated } = this.withoutZero(condition);
    const { mark } = this.writer;
    const a = this.value(value);
    this.writer.releaseTo(mark);
    this.writer.jump(truth === isNegated ? 'jump_if_zero' : 'jump_if_not_zero', to, a);
  }

  /** Compiles a call and returns the register of its result. `isValue`: the result is used. */
  call(call: Call, isValue: boolean, wanted?: number): number {
    const builtIn = Object.hasOwn(builtIns, call.callee.name) ? builtIns[call.callee.name] : undefined;
    if (builtIn) return this.builtIn(call, builtIn, isValue, wanted);
    if (!this.ownFunctions.includes(call.callee.name)) this.unknownCall(call);
    else if (this.ownCall(call) && isValue) this.errors.add(call, `${call.callee.name}() returns no value`);
    return this.target(wanted);
  }

  /** Reports `x = 1` where a value is needed. */
  assignmentAsValue({ operator, from, to, target, value }: Expression & { kind: 'assignment' }): void {
    const [left, right] = [this.errors.text(target), value ? this.errors.text(value) : ''];
    if (operator === '=')
      this.errors.add(
        { from, to },
        `= assigns; to compare, write ${left} == ${right}`,
        `${left} == ${right}`,
      );
    else
      this.errors.add(
        { from, to },
        `${operator} must be a separate statement here: ${updateInWords(operator, left, right)}`,
      );
  }

  /** Returns the word with this name, unless a local shadows it. */
  wordCalled(name: string): WordSymbol | undefined {
    if (this.scopes.registerOf(name) !== undefined) return undefined;
    const symbol = this.globals.symbols.get(name);
    return symbol?.kind === 'word' ? symbol : undefined;
  }

  wordInWords(expression: NameUse | Indexed): string {
    return this.words.wordInWords(expression);
  }

  unknownName({ name, ...place }: NameUse): void {
    if (this.errors.isFull) return;
    const ended = this.scopes.endedLocal(name);
    if (ended !== undefined) {
      this.errors.add(
        place,
        `${name} is out of scope: declared in line ${ended}, in a block that ended; declare it before the block`,
      );
      return;
    }
    const others: Record<string, string> = {
      true: '1',
      false: '0',
      NULL: 'nobody',
      null: 'nobody',
      nullptr: 'nobody',
    };
    const known = [
      ...this.scopes.names(),
      ...this.globals.symbols.keys(),
      'me',
      'threads',
      ...Object.keys(builtInConstants),
    ];
    const meant = (Object.hasOwn(others, name) ? others[name] : undefined) ?? nearestName(name, known);
    if (meant === undefined) this.errors.add(place, `${name} is not declared`);
    else this.errors.add(place, `${name} is not declared; did you mean ${meant}?`, meant);
  }

  private target(wanted: number | undefined): number {
    return wanted ?? this.writer.takeRegister();
  }

  private writeConstant(value: number, wanted: number | undefined): number {
    const target = this.target(wanted);
    this.writer.write('constant', { target, immediate: value });
    return target;
  }

  private valueOfName(use: NameUse): number | undefined {
    const register =
      this.scopes.registerOf(use.name) ??
      (Object.hasOwn(registerOfName, use.name) ? registerOfName[use.name] : undefined);
    if (register !== undefined) return register;
    this.bareWord(use);
    return undefined;
  }

  private bareWord(use: NameUse | Indexed): void {
    const name = use.kind === 'name' ? use : use.name;
    if (this.wordCalled(name.name)) {
      const load = `load(${this.wordInWords(use)})`;
      this.errors.add(use, `${name.name} is a word: write ${load} to read it`, load);
    } else if (use.kind === 'indexed' && this.scopes.registerOf(name.name) !== undefined) {
      this.errors.add(use, `${name.name} is a local: it has no elements`);
    } else {
      this.unknownName(name);
    }
  }

  private unary(expression: Unary, wanted: number | undefined): number {
    const { operator, operand } = expression;
    if (operator === '!') refuseExchangeAsTruth(this.errors, expression);
    if (operator === '&') {
      const text = this.errors.text(operand);
      this.errors.add(expression, `the language has no addresses: write ${text}`, text);
      return this.target(wanted);
    }
    const { mark } = this.writer;
    // 0 - x, x ^ all, x == 0
    const [other, operation] = (
      { '-': [0, 'subtract'], '~': [0xffffffff, 'bit_xor'], '!': [0, 'equal'] } as const
    )[operator as '-' | '~' | '!'];
    const constant = operator === '-' ? this.writeConstant(other, undefined) : undefined;
    const value = this.value(operand);
    const a = constant ?? value;
    const b = constant === undefined ? this.writeConstant(other, undefined) : value;
    this.writer.releaseTo(mark);
    const target = this.target(wanted);
    this.writer.write(operation, { target, a, b });
    return target;
  }

  private binary(expression: Binary, wanted: number | undefined): number {
    const { operator, left, right } = expression;
    if (operator === '&&' || operator === '||') return this.truthOf(expression, wanted);
    if (/[/%]/.test(operator) && this.constant(right) === 0) this.errors.add(expression, 'division by zero');
    const { mark } = this.writer;
    const [a, b] = [this.value(left), this.value(right)];
    this.writer.releaseTo(mark);
    const target = this.target(wanted);
    const { operation, isSwapped } = operationOf[operator]!;
    this.writer.write(operation, isSwapped ? { target, a: b, b: a } : { target, a, b });
    return target;
  }

  private truthOf(condition: Expression, wanted: number | undefined): number {
    const [isFalse, end] = [this.writer.label(), this.writer.label()];
    this.jumpIf(condition, false, isFalse);
    const target = this.writeConstant(1, wanted);
    this.writer.jump('jump', end);
    this.writer.put(isFalse);
    this.writer.write('constant', { target, immediate: 0 });
    this.writer.put(end);
    return target;
  }

  private jumpIfEither({ operator, left, right }: Binary, truth: boolean, to: Label): void {
    if ((operator === '||') === truth) {
      this.jumpIf(left, truth, to);
      this.jumpIf(right, truth, to);
      return;
    }
    const past = this.writer.label();
    this.jumpIf(left, !truth, past);
    this.jumpIf(right, truth, to);
    this.writer.put(past);
  }

  /** Returns the `x` of `x != 0` or `x == 0`: a jump compares with zero anyway. */
  private withoutZero(condition: Expression): { value: Expression; isNegated: boolean } {
    if (condition.kind === 'binary' && /^[!=]=$/.test(condition.operator)) {
      const isNegated = condition.operator === '==';
      if (this.constant(condition.right) === 0) return { value: condition.left, isNegated };
      if (this.constant(condition.left) === 0) return { value: condition.right, isNegated };
    }
    return { value: condition, isNegated: false };
  }

  private builtIn(call: Call, builtIn: BuiltIn, isValue: boolean, wanted: number | undefined): number {
    const { callee, given } = call;
    if (!hasRightCount(this.errors, call, builtIn)) return this.target(wanted);
    if (isValue && !builtIn.givesValue) {
      this.errors.add(call, `${callee.name}() returns no value: write it as a separate statement`);
      return this.target(wanted);
    }
    const { mark } = this.writer;
    const immediate = builtIn.hasWord ? this.words.operand(given[0]!, callee.name) : 0;
    const values = given.slice(builtIn.hasWord ? 1 : 0).map((argument) => this.value(argument));
    if (builtIn.leftOut !== undefined && values.length === 0)
      values.push(this.writeConstant(builtIn.leftOut, undefined));
    this.writer.releaseTo(mark);
    const target = builtIn.givesValue ? this.target(wanted) : 0;
    this.writer.write(builtIn.operation, { target, a: values[0] ?? 0, b: values[1] ?? 0, immediate });
    return target;
  }

  private unknownCall({ callee }: Call): void {
    const { name, from, to } = callee;
    const meant = nearestName(name, [...Object.keys(builtIns), ...this.ownFunctions, 'while', 'if']);
    const what = `unknown function ${name}`;
    if (meant === undefined)
      this.errors.add({ from, to }, `${what}; docs/reference/latch-language.md lists all functions`);
    else this.errors.add({ from, to }, `${what}; did you mean ${meant}?`, meant);
  }
}

/** Suggests a replacement for `x += 1` or `x++`. */
export function updateInWords(operator: string, left: string, right: string): string {
  const added = right === '' ? '1' : right;
  return `write ${left} = ${left} ${right === '' ? operator[0]! : operator.slice(0, -1)} ${added}`;
}
