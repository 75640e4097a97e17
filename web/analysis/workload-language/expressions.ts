// Compiles typed expressions of workloads. A value stays where it is: a local in its register, `me`
// in the engine's register. Any other value gets a register of its own.
import { script_registers } from '../../contract/workload-operations.ts';
import type { Label } from '../latch-language/code-writer.ts';
import { builtIns, hasRightCount, refuseExchangeAsTruth, type BuiltIn } from '../latch-language/constants.ts';
import { nearestName, type Errors } from '../latch-language/lab-error.ts';
import { operationOf } from '../latch-language/operators.ts';
import type { Scopes } from '../latch-language/scopes.ts';
import type { Binary, Call, Expression, NameUse, Unary } from '../latch-language/syntax-tree.ts';
import { WordOperands } from '../latch-language/word-operands.ts';
import type { WordSymbol } from '../latch-language/words.ts';
import { calls, ownNames, type KnobSymbol, type WorkloadDeclarations } from './declarations.ts';
import {
  exampleOf,
  isComparison,
  isWide,
  typeInWords,
  typeOfBinary,
  valueOfLiteral,
  type Value,
  type ValueType,
} from './values.ts';
import type { ScriptOperation, WorkloadCode } from './workload-code.ts';

const ofWide: Readonly<Record<string, ScriptOperation>> = {
  '+': 'add_wide',
  '-': 'subtract_wide',
  '*': 'multiply_wide',
  '/': 'divide_wide',
};
const registerOfName: Readonly<Record<string, number>> = {
  me: script_registers.thread_number,
  threads: script_registers.threads,
  index: script_registers.index,
};

interface Draw {
  operation: ScriptOperation;
  takes: ValueType;
  gives: ValueType;
}

const draws: Readonly<Record<string, Draw>> = {
  uniform: { operation: 'uniform', takes: 'uint', gives: 'uint' },
  chance: { operation: 'chance', takes: 'share', gives: 'uint' },
  exponential: { operation: 'exponential', takes: 'duration', gives: 'duration' },
};

/** The register of a value, and its type; no type after an error. */
export interface Typed {
  register: number;
  type: ValueType | undefined;
}

const { pause, yield: yields, fence, load, store, exchange, compare_exchange, ...others } = builtIns;
const { fetch_add, fetch_sub, fetch_and, fetch_or, fetch_xor } = others;
/** Calls that mean the same in the latch lab. */
const builtInsOfLab: Readonly<Record<string, BuiltIn | undefined>> = {
  ...{ pause, yield: yields, fence, load, store, exchange, compare_exchange },
  ...{ fetch_add, fetch_sub, fetch_and, fetch_or, fetch_xor },
};

export class WorkloadExpressions {
  readonly words: WordOperands;

  constructor(
    private readonly errors: Errors,
    private readonly globals: WorkloadDeclarations,
    private readonly scopes: Scopes<ValueType>,
    private readonly code: WorkloadCode,
  ) {
    this.words = new WordOperands(errors, {
      wordCalled: (name) => this.wordCalled(name),
      wordNames: () => globals.words.words.map(({ name }) => name),
      isKnown: ({ name }) =>
        scopes.find(name) !== undefined || globals.symbols.has(name) || ownNames.includes(name),
      unknownName: (use) => this.unknownName(use),
      constant: (expression) => {
        const constant = this.constant(expression);
        return constant?.type === 'uint' ? Number(constant.value) : undefined;
      },
      index: (expression) => this.valueOf('uint', 'the number of a word is', expression),
    });
  }

  /** Returns the word with this name, unless a local shadows it. */
  wordCalled(name: string): WordSymbol | undefined {
    const symbol = this.scopes.find(name) === undefined ? this.globals.symbols.get(name) : undefined;
    return symbol?.kind === 'word' ? symbol : undefined;
  }

  constant(expression: Expression): Value | undefined {
    return this.globals.constantIfAny(expression, (name) => this.scopes.find(name) !== undefined);
  }

  /** Compiles a value, into the register `wanted` unless it is in a register already. */
  value(expression: Expression, wanted?: number): Typed {
    const constant = this.constant(expression);
    if (constant !== undefined) {
      const register = this.target(wanted);
      this.code.constant(register, constant.value);
      return { register, type: constant.type };
    }
    switch (expression.kind) {
      case 'number': {
        const literal = valueOfLiteral(expression.text);
        if ('wrong' in literal) this.errors.add(expression, literal.wrong, literal.suggestion);
        return this.unknown(wanted);
      }
      case 'name':
        return this.name(expression, wanted);
      case 'indexed':
        this.notAValue(expression.name);
        return this.unknown(wanted);
      case 'call':
        return this.call(expression, true, wanted);
      case 'unary':
        return this.unary(expression, wanted);
      case 'binary':
        return this.binary(expression, wanted);
      case 'assignment': {
        const { operator, target, value } = expression;
        const right = value === undefined ? '' : this.errors.text(value);
        if (operator === '=') {
          const meant = `${this.errors.text(target)} == ${right}`;
          this.errors.add(expression, `= assigns; to compare, write ${meant}`, meant);
        } else this.errors.add(expression, `${operator} must be a separate statement here`);
        return this.unknown(wanted);
      }
    }
  }

  /** Compiles a value that must have a type. `user` is who takes it. */
  valueOf(type: ValueType, user: string, expression: Expression, wanted?: number): number {
    const value = this.value(expression, wanted);
    if (value.type !== undefined && value.type !== type) this.wrongType(type, user, expression, value.type);
    return value.register;
  }

  valueInto(type: ValueType, user: string, expression: Expression, register: number): void {
    const from = this.valueOf(type, user, expression, register);
    if (from !== register) this.code.write('copy', { target: register, a: from });
  }

  private wrongType(type: ValueType, user: string, expression: Expression, found: ValueType): void {
    const constant = expression.kind === 'number' && found === 'uint' ? expression.text : undefined;
    const unit = exampleOf[type].replace(/^\d+/, '');
    const meant = constant === undefined || unit === '' ? undefined : constant + unit;
    const example = meant ?? exampleOf[type];
    this.errors.add(
      expression,
      `${user} ${typeInWords[type]}, such as ${example}; ${this.errors.text(expression)} is ${typeInWords[found]}`,
      meant,
    );
  }

  /** Jumps to the label if the condition equals `truth`. */
  jumpIf(condition: Expression, truth: boolean, to: Label): void {
    refuseExchangeAsTruth(this.errors, condition);
    const constant = this.constant(condition);
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
    const a = this.valueOf('uint', 'a condition is', condition);
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

  unknownName({ name, ...place }: NameUse): void {
    const ended = this.scopes.endedLocal(name);
    if (ended !== undefined) {
      this.errors.add(
        place,
        `${name} is out of scope: declared in line ${ended}, in a block that ended; declare it before the block`,
      );
      return;
    }
    const known = [...this.scopes.names(), ...this.globals.symbols.keys(), ...ownNames];
    const meant = nearestName(name, known);
    if (meant === undefined) this.errors.add(place, `${name} is not declared`);
    else this.errors.add(place, `${name} is not declared; did you mean ${meant}?`, meant);
  }

  unknownCall({ callee }: Call): void {
    const { name, from, to } = callee;
    const meant = nearestName(name, [...calls, 'repeat', 'while', 'if', 'hold', 'shared', 'exclusive']);
    if (meant === undefined)
      this.errors.add({ from, to }, `unknown function ${name}; the functions are ${calls.join(', ')}`);
    else this.errors.add({ from, to }, `unknown function ${name}; did you mean ${meant}?`, meant);
  }

  hasOneArgument({ callee: { name }, given, ...place }: Call, parameter: string): boolean {
    if (given.length === 1) return true;
    this.errors.add(place, `${name} got ${given.length} arguments: write ${name}(${parameter})`);
    return false;
  }

  private target(wanted: number | undefined): number {
    return wanted ?? this.code.takeRegister();
  }

  private unknown(wanted: number | undefined): Typed {
    return { register: this.target(wanted), type: undefined };
  }

  private name(use: NameUse, wanted: number | undefined): Typed {
    const local = this.scopes.find(use.name);
    if (local !== undefined) return local;
    if (Object.hasOwn(registerOfName, use.name)) return { register: registerOfName[use.name]!, type: 'uint' };
    const symbol = this.globals.symbols.get(use.name);
    if (symbol?.kind === 'parameter') {
      const register = this.target(wanted);
      this.code.write('parameter', { target: register, immediate: symbol.number });
      return { register, type: symbol.type };
    }
    if (symbol?.kind === 'knob' && !symbol.isOfKinds) {
      const register = this.target(wanted);
      this.code.write('knob_value', { target: register, immediate: symbol.number });
      return { register, type: 'uint' };
    }
    this.notAValue(use);
    return this.unknown(wanted);
  }

  private notAValue(use: NameUse): void {
    const { name } = use;
    const symbol = this.scopes.find(name) === undefined ? this.globals.symbols.get(name) : undefined;
    if (symbol === undefined && this.scopes.find(name) === undefined) this.unknownName(use);
    else if (symbol?.kind === 'word') {
      const load = `load(${this.words.wordInWords(use)})`;
      this.errors.add(use, `${name} is a word: write ${load}`, load);
    } else if (symbol?.kind === 'latch') this.errors.add(use, `${name} is a latch: write hold ${name} { }`);
    else if (symbol?.kind === 'knob')
      this.errors.add(
        use,
        `${name} selects kinds of latches: write ${name} == ${symbol.variants[0]?.id ?? ''}`,
      );
    else this.errors.add(use, `${name} is a value: it has no elements`);
  }

  private unary(expression: Unary, wanted: number | undefined): Typed {
    const { operator, operand } = expression;
    if (operator === '!') refuseExchangeAsTruth(this.errors, expression);
    if (operator === '&') {
      this.errors.add(expression, `the language has no addresses: write ${this.errors.text(operand)}`);
      return this.unknown(wanted);
    }
    const { mark } = this.code;
    // 0 - x, x ^ all, x == 0
    const [other, operation] = (
      { '-': [0n, 'subtract'], '~': [0xffff_ffffn, 'bit_xor'], '!': [0n, 'equal'] } as const
    )[operator as '-' | '~' | '!'];
    const constant = this.code.takeRegister();
    this.code.constant(constant, other);
    const value = this.valueOf('uint', `${operator} takes`, operand);
    this.code.releaseTo(mark);
    const register = this.target(wanted);
    this.code.write(operation, { target: register, a: constant, b: value });
    return { register, type: 'uint' };
  }

  private binary(expression: Binary, wanted: number | undefined): Typed {
    const { operator, left, right } = expression;
    if (operator === '&&' || operator === '||') return this.truthOf(expression, wanted);
    const variant = this.variantCompared(expression, wanted);
    if (variant !== undefined) return variant;
    if (/[/%]/.test(operator) && this.constant(right)?.value === 0n)
      this.errors.add(expression, 'division by zero');
    const { mark } = this.code;
    const [a, b] = [this.value(left), this.value(right)];
    this.code.releaseTo(mark);
    const register = this.target(wanted);
    if (a.type === undefined || b.type === undefined) return { register, type: undefined };
    const type = typeOfBinary(operator, a.type, b.type);
    if (type === undefined) {
      this.wrongOperands(expression, a.type, b.type);
      return { register, type };
    }
    this.writeBinary(
      operator,
      register,
      { register: a.register, type: a.type },
      { register: b.register, type: b.type },
    );
    return { register, type };
  }

  private writeBinary(
    operator: string,
    target: number,
    a: { register: number; type: ValueType },
    b: { register: number; type: ValueType },
  ): void {
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
    const knob = this.knobCalled(left);
    if (knob === undefined || right.kind !== 'name') return undefined;
    const number = knob.variants.findIndex(({ id }) => id === right.name);
    if (number < 0) {
      if (this.scopes.find(right.name) !== undefined || this.globals.symbols.has(right.name))
        return undefined;
      this.globals.unknown(
        right,
        `a variant of ${this.errors.text(left)}`,
        knob.variants.map(({ id }) => id),
      );
      return this.unknown(wanted);
    }
    const { mark } = this.code;
    const [inForce, compared] = [this.code.takeRegister(), this.code.takeRegister()];
    this.code.write('knob_variant', { target: inForce, immediate: knob.number });
    this.code.constant(compared, BigInt(number));
    this.code.releaseTo(mark);
    const register = this.target(wanted);
    this.code.write(operationOf[operator]!.operation, { target: register, a: inForce, b: compared });
    return { register, type: 'uint' };
  }

  private knobCalled(expression: Expression): KnobSymbol | undefined {
    if (expression.kind !== 'name' || this.scopes.find(expression.name) !== undefined) return undefined;
    const symbol = this.globals.symbols.get(expression.name);
    return symbol?.kind === 'knob' ? symbol : undefined;
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

  /** Compiles a call and returns its value. `isValue`: the value is used. */
  call(call: Call, isValue: boolean, wanted?: number): Typed {
    const { name } = call.callee;
    if (Object.hasOwn(draws, name)) return this.draw(call, draws[name]!, wanted);
    const ofLab = Object.hasOwn(builtInsOfLab, name) ? builtInsOfLab[name] : undefined;
    if (ofLab !== undefined) return this.callOfLab(call, ofLab, isValue, wanted);
    if (calls.includes(name))
      this.errors.add(call, `${name}() returns no value: write it as a separate statement`);
    else this.unknownCall(call);
    return this.unknown(wanted);
  }

  private draw(call: Call, { operation, takes, gives }: Draw, wanted: number | undefined): Typed {
    if (!this.hasOneArgument(call, exampleOf[takes])) return this.unknown(wanted);
    const { mark } = this.code;
    const a = this.valueOf(takes, `${call.callee.name} takes`, call.given[0]!);
    this.code.releaseTo(mark);
    const register = this.target(wanted);
    this.code.write(operation, { target: register, a });
    return { register, type: gives };
  }

  /** A call that the latch lab has, too. */
  private callOfLab(call: Call, builtIn: BuiltIn, isValue: boolean, wanted: number | undefined): Typed {
    const { callee, given } = call;
    const { operation, hasWord, givesValue, leftOut } = builtIn;
    if (!hasRightCount(this.errors, call, builtIn)) return this.unknown(wanted);
    if (isValue && !givesValue) {
      this.errors.add(call, `${callee.name}() returns no value: write it as a separate statement`);
      return this.unknown(wanted);
    }
    const { mark } = this.code;
    const immediate = hasWord ? this.words.operand(given[0]!, callee.name) : 0;
    const values = given
      .slice(hasWord ? 1 : 0)
      .map((argument) => this.valueOf('uint', `${callee.name} takes`, argument));
    if (leftOut !== undefined && values.length === 0) {
      values.push(this.code.takeRegister());
      this.code.constant(values[0]!, BigInt(leftOut));
    }
    this.code.releaseTo(mark);
    const register = givesValue ? this.target(wanted) : 0;
    const operands = { target: register, a: values[0] ?? 0, b: values[1] ?? 0, immediate };
    this.code.write(operation as ScriptOperation, operands);
    return { register, type: givesValue ? 'uint' : undefined };
  }
}
