// Compiles calls.
import { builtIns, hasRightCount, type BuiltIn } from '../latch-language/constants.ts';
import { nearestName, type Errors } from '../latch-language/lab-error.ts';
import type { Call, Expression, Place } from '../latch-language/syntax-tree.ts';
import type { WordOperands } from '../latch-language/word-operands.ts';
import type { WorkloadDeclarations } from './declarations.ts';
import { calls } from './declared-names.ts';
import { Draws, isDraw } from './draws.ts';
import type { FunctionSymbol } from './functions.ts';
import type { NamesInBody } from './names-in-body.ts';
import { callsOf, functionAt, type QueueSymbol } from './synchronization.ts';
import type { ValueType } from './values.ts';
import { sleepOn, type ScriptOperation, type Typed, type WorkloadCode } from './workload-code.ts';

const { pause, yield: yields, fence, load, store, exchange, compare_exchange, ...others } = builtIns;
const { fetch_add, fetch_sub, fetch_and, fetch_or, fetch_xor, futex_wait, futex_wake } = others;
/** Calls that mean the same in the latch lab. */
const builtInsOfLab: Readonly<Record<string, BuiltIn | undefined>> = {
  ...{ pause, yield: yields, fence, load, store, exchange, compare_exchange },
  ...{ fetch_add, fetch_sub, fetch_and, fetch_or, fetch_xor, futex_wait, futex_wake },
};

/** Calls that at_end may have: it only reads and checks. */
const allowedAtEnd = ['load', 'counted', 'check'];
const TRANSACTIONS = 'transactions';

/** What a body determines about its calls. */
export interface BodyOfCalls {
  isAtEnd: boolean;
  /** Whether any body may contain it, because it is a function that nothing has called yet. */
  isUnknown: boolean;
  /** Inserts a function at its call. */
  insert: (call: Call, symbol: FunctionSymbol, isValue: boolean, wanted?: number) => Typed;
  /** Returns the place of the enclosing part among the names of the program. */
  site: (place: Place) => number;
}

/** What the compiler of expressions adds. */
interface CallsHost extends BodyOfCalls {
  words: WordOperands;
  valueOf: (type: ValueType, user: string, expression: Expression) => number;
}

export class Calls {
  private readonly draws: Draws;

  constructor(
    private readonly errors: Errors,
    private readonly globals: Pick<WorkloadDeclarations, 'counters' | 'devices' | 'functions'>,
    private readonly names: NamesInBody,
    private readonly code: WorkloadCode,
    private readonly host: CallsHost,
  ) {
    this.draws = new Draws(errors, code, {
      constant: (expression) => names.constant(expression),
      valueOf: (...of) => host.valueOf(...of),
    });
  }

  /** Compiles a call and returns its value. `isValue`: the value is used. */
  call(call: Call, isValue: boolean, wanted?: number): Typed {
    const { name } = call.callee;
    if (!this.isAllowedHere(call)) return this.code.unknown(wanted);
    const declared = this.names.globals.called('function', name);
    if (declared !== undefined) return this.host.insert(call, declared, isValue, wanted);
    for (const kind of ['queue', 'barrier'] as const)
      if ((callsOf[kind] as readonly string[]).includes(name))
        return this.callOf(kind, call, isValue, wanted);
    if (name === 'counted') return this.counted(call, wanted);
    if (!isValue && (name === 'io' || name === 'count')) {
      if (name === 'io') this.io(call);
      else this.count(call);
      return { register: 0, type: undefined };
    }
    if (isDraw(name)) return this.draws.draw(call, wanted);
    const ofLab = Object.hasOwn(builtInsOfLab, name) ? builtInsOfLab[name] : undefined;
    if (ofLab !== undefined) return this.callOfLab(call, ofLab, isValue, wanted);
    if (calls.includes(name))
      this.errors.add(call, `${name}() returns no value: write it as a separate statement`);
    else this.unknownCall(call);
    return this.code.unknown(wanted);
  }

  /** A call of a queue or a barrier, such as `send(jobs, 1)`. */
  private callOf(kind: QueueSymbol['kind'], call: Call, isValue: boolean, wanted?: number): Typed {
    const { callee } = call;
    const [of, ...given] = call.given;
    const shape = `${callee.name}(${this.names.globals.namesOf(kind)[0] ?? kind}${callee.name === 'send' ? ', value' : ''})`;
    if (of === undefined || given.length !== (callee.name === 'send' ? 1 : 0)) {
      this.wrongCount(call, shape);
      return this.code.unknown(wanted);
    }
    const name = this.errors.text(of);
    const symbol = this.names.globalOf(kind, name);
    if (symbol === undefined) {
      this.names.globals.unknown({ ...of, name }, `a ${kind}`, this.names.globals.namesOf(kind));
      return this.code.unknown(wanted);
    }
    const inserted = functionAt(symbol, callee.name, callee);
    return this.host.insert({ ...call, given }, inserted, isValue, wanted);
  }

  /** `count(misses)` or `count(rows, 10)`. */
  private count(call: Call): void {
    const [counter, number] = call.given;
    if (counter === undefined || call.given.length > 2) {
      this.wrongCount(call, 'count(counter) or count(counter, number)');
      return;
    }
    if (counter.kind === 'name' && counter.name === TRANSACTIONS) {
      this.errors.add(counter, 'transactions are counted already: declare a counter of your own');
      return;
    }
    const immediate = this.counterOf(counter, []);
    const { mark } = this.code;
    const a =
      number === undefined ? this.code.takeRegister() : this.host.valueOf('uint', 'count takes', number);
    if (number === undefined) this.code.constant(a, 1n);
    this.code.releaseTo(mark);
    this.code.write('count', { a, immediate });
  }

  private counted(call: Call, wanted: number | undefined): Typed {
    const [counter] = call.given;
    const register = this.code.target(wanted);
    if (counter === undefined || call.given.length > 1) this.wrongCount(call, 'counted(counter)');
    else this.code.write('counted', { target: register, immediate: this.counterOf(counter, [TRANSACTIONS]) });
    return { register, type: 'uint' };
  }

  /** Returns the number of a counter; 0 is that of transactions. */
  private counterOf(expression: Expression, others: readonly string[]): number {
    const name = this.errors.text(expression);
    if (others.includes(name)) return 0;
    const counter = expression.kind === 'name' ? this.names.globalOf('counter', name) : undefined;
    if (counter !== undefined) return counter.number;
    this.names.globals.unknown({ ...expression, name }, 'a counter', [...this.globals.counters, ...others]);
    return 0;
  }

  private io(call: Call): void {
    const [device, size] = call.given;
    if (device === undefined || size === undefined || call.given.length > 2) {
      this.wrongCount(call, `io(${this.globals.devices[0]?.name ?? 'device'}, 4KiB)`);
      return;
    }
    const name = this.errors.text(device);
    const known = this.names.globalOf('device', name);
    const names = this.globals.devices.map((one) => one.name);
    if (known === undefined) this.names.globals.unknown({ ...device, name }, 'a device', names);
    const { mark } = this.code;
    const a = this.host.valueOf('size', 'io takes', size);
    this.code.releaseTo(mark);
    this.code.write('io', { a, immediate: known?.number ?? 0 });
  }

  /** A call that the latch lab has, too. */
  private callOfLab(call: Call, builtIn: BuiltIn, isValue: boolean, wanted: number | undefined): Typed {
    const { callee, given } = call;
    const { operation, hasWord, givesValue, leftOut } = builtIn;
    if (!hasRightCount(this.errors, call, builtIn)) return this.code.unknown(wanted);
    if (isValue && !givesValue) {
      this.errors.add(call, `${callee.name}() returns no value: write it as a separate statement`);
      return this.code.unknown(wanted);
    }
    const { mark } = this.code;
    const word = hasWord ? this.host.words.operand(given[0]!, callee.name) : 0;
    const immediate = operation === 'futex_wait' ? sleepOn(word, this.host.site(callee)) : word;
    const values = given
      .slice(hasWord ? 1 : 0)
      .map((argument) => this.host.valueOf('uint', `${callee.name} takes`, argument));
    if (leftOut !== undefined && values.length === 0) {
      values.push(this.code.takeRegister());
      this.code.constant(values[0]!, BigInt(leftOut));
    }
    this.code.releaseTo(mark);
    const register = givesValue ? this.code.target(wanted) : 0;
    const operands = { target: register, a: values[0] ?? 0, b: values[1] ?? 0, immediate };
    this.code.write(operation as ScriptOperation, operands);
    return { register, type: givesValue ? 'uint' : undefined };
  }

  refuseAtEnd(place: Place, word: string): void {
    this.errors.add(place, `at_end only reads and checks: it has no ${word}`);
  }

  /** Reports a call that does not belong to this body. */
  isAllowedHere({ callee }: Call): boolean {
    const { name } = callee;
    const { isAtEnd, isUnknown } = this.host;
    if (name === 'counted' && !isAtEnd && !isUnknown) {
      this.errors.add(callee, 'counted belongs to at_end: during the run, threads still count');
      return false;
    }
    if (!isAtEnd || !calls.includes(name) || allowedAtEnd.includes(name)) return true;
    this.refuseAtEnd(callee, name);
    return false;
  }

  hasOneArgument({ callee: { name }, given, ...place }: Call, parameter: string): boolean {
    if (given.length === 1) return true;
    this.errors.add(place, `${name} got ${given.length} arguments: write ${name}(${parameter})`);
    return false;
  }

  private wrongCount({ callee: { name }, given, ...place }: Call, shapes: string): void {
    this.errors.add(place, `${name} got ${given.length} arguments: write ${shapes}`);
  }

  private unknownCall({ callee, given }: Call): void {
    const { name, from, to } = callee;
    const why = this.globals.functions.whyNotCalled(name);
    if (why !== undefined) {
      this.errors.add({ from, to }, why);
      return;
    }
    const [latch] = given;
    if (latch?.kind === 'name' && this.names.globalOf('latch', latch.name) !== undefined) {
      const meant = `hold ${latch.name} { }`;
      this.errors.add({ from, to }, `the language has no ${name}: to take ${latch.name}, write ${meant}`);
      return;
    }
    const statements = ['repeat', 'while', 'if', 'hold', 'shared', 'exclusive'];
    const meant = nearestName(name, [...this.names.globals.namesOf('function'), ...calls, ...statements]);
    if (meant === undefined)
      this.errors.add({ from, to }, `unknown function ${name}; the functions are ${calls.join(', ')}`);
    else this.errors.add({ from, to }, `unknown function ${name}; did you mean ${meant}?`, meant);
  }
}
