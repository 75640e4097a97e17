// Compiles typed expressions of workloads. A value stays where it is: a local in its register, `me`
// in the engine's register. Any other value gets a register of its own.
import { script_registers } from '../../contract/workload-operations.ts';
import type { Errors } from '../latch-language/lab-error.ts';
import type { Expression, NameUse } from '../latch-language/syntax-tree.ts';
import { WordOperands } from '../latch-language/word-operands.ts';
import { Calls, type BodyOfCalls } from './calls.ts';
import type { WorkloadDeclarations } from './declarations.ts';
import { callInWords } from './functions.ts';
import type { NamesInBody } from './names-in-body.ts';
import { Operators } from './operators.ts';
import { exampleOf, typeInWords, valueOfLiteral, type ValueType } from './values.ts';
import type { Typed, WorkloadCode } from './workload-code.ts';

const registerOfName: Readonly<Record<string, number>> = {
  me: script_registers.thread_number,
  threads: script_registers.threads,
  index: script_registers.index,
};

export class WorkloadExpressions {
  readonly words: WordOperands;
  readonly conditions: WordOperands;
  readonly calls: Calls;
  readonly operators: Operators;

  constructor(
    private readonly errors: Errors,
    globals: WorkloadDeclarations,
    private readonly names: NamesInBody,
    private readonly code: WorkloadCode,
    body: BodyOfCalls,
  ) {
    const valueOf = (type: ValueType, user: string, expression: Expression) =>
      this.valueOf(type, user, expression);
    const operandsOf = (kind: 'word' | 'condition'): WordOperands =>
      new WordOperands(
        errors,
        {
          wordCalled: (name) => names.wordOf(kind, name),
          wordNames: () => names.globals.namesOf(kind),
          isKnown: ({ name }) => names.isKnown(name),
          unknownName: (use) => names.unknown(use),
          constant: (expression) => {
            const constant = names.constant(expression);
            return constant?.type === 'uint' ? Number(constant.value) : undefined;
          },
          index: (expression) => valueOf('uint', `the number of a ${kind} is`, expression),
        },
        kind,
      );
    this.words = operandsOf('word');
    this.conditions = operandsOf('condition');
    this.calls = new Calls(errors, globals, names, code, { ...body, words: this.words, valueOf });
    this.operators = new Operators(errors, names, code, {
      value: (expression) => this.value(expression),
      valueOf,
    });
  }

  /** Compiles a value, into the register `wanted` unless it is in a register already. */
  value(expression: Expression, wanted?: number): Typed {
    const constant = this.names.constant(expression);
    if (constant !== undefined) {
      const register = this.code.target(wanted);
      this.code.constant(register, constant.value);
      return { register, type: constant.type };
    }
    switch (expression.kind) {
      case 'number': {
        const literal = valueOfLiteral(expression.text);
        if ('wrong' in literal) this.errors.add(expression, literal.wrong, literal.suggestion);
        return this.code.unknown(wanted);
      }
      case 'name':
        return this.name(expression, wanted);
      case 'indexed':
        this.notAValue(expression.name);
        return this.code.unknown(wanted);
      case 'call':
        return this.calls.call(expression, true, wanted);
      case 'unary':
        return this.operators.unary(expression, wanted);
      case 'binary':
        return this.operators.binary(expression, wanted);
      case 'assignment': {
        const { operator, target, value } = expression;
        const right = value === undefined ? '' : this.errors.text(value);
        if (operator === '=') {
          const meant = `${this.errors.text(target)} == ${right}`;
          this.errors.add(expression, `= assigns; to compare, write ${meant}`, meant);
        } else this.errors.add(expression, `${operator} must be a separate statement here`);
        return this.code.unknown(wanted);
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

  private name(use: NameUse, wanted: number | undefined): Typed {
    const local = this.names.locals.find(use.name);
    if (local !== undefined) return local;
    if (Object.hasOwn(registerOfName, use.name)) return { register: registerOfName[use.name]!, type: 'uint' };
    const symbol = this.names.global(use.name);
    if (symbol?.kind === 'parameter') {
      const register = this.code.target(wanted);
      this.code.write('parameter', { target: register, immediate: symbol.number });
      return { register, type: symbol.type };
    }
    if (symbol?.kind === 'knob' && !symbol.isOfKinds) {
      const register = this.code.target(wanted);
      this.code.write('knob_value', { target: register, immediate: symbol.number });
      return { register, type: 'uint' };
    }
    this.notAValue(use);
    return this.code.unknown(wanted);
  }

  private notAValue(use: NameUse): void {
    const { name } = use;
    const symbol = this.names.global(name);
    if (symbol === undefined && !this.names.isLocal(name)) this.names.unknown(use);
    else if (symbol?.kind === 'word') {
      const load = `load(${this.words.wordInWords(use)})`;
      this.errors.add(use, `${name} is a word: write ${load}`, load);
    } else if (symbol?.kind === 'counter')
      this.errors.add(use, `${name} is a counter: at_end reads it, as counted(${name})`);
    else if (symbol?.kind === 'condition')
      this.errors.add(
        use,
        `${name} is a condition: write wait(${name}), signal(${name}) or broadcast(${name})`,
      );
    else if (symbol?.kind === 'queue')
      this.errors.add(use, `${name} is a queue: write receive(${name}) or send(${name}, 1)`);
    else if (symbol?.kind === 'barrier') this.errors.add(use, `${name} is a barrier: write await(${name})`);
    else if (symbol?.kind === 'function')
      this.errors.add(use, `${name} is a function: write ${callInWords(symbol)}`);
    else if (symbol?.kind === 'device') this.errors.add(use, `${name} is a device: write io(${name}, 4KiB)`);
    else if (symbol?.kind === 'latch') this.errors.add(use, `${name} is a latch: write hold ${name} { }`);
    else if (symbol?.kind === 'knob')
      this.errors.add(
        use,
        `${name} selects kinds of latches: write ${name} == ${symbol.variants[0]?.id ?? ''}`,
      );
    else this.errors.add(use, `${name} is a value: it has no elements`);
  }
}
