// Compiles the body of a group of threads.
import { script_limits, script_registers } from '../../contract/workload-operations.ts';
import type { ScriptHold } from '../../contract/workload-program.ts';
import type { Label } from '../latch-language/code-writer.ts';
import { ControlFlow, type OwnStatement } from '../latch-language/control-flow.ts';
import type { Errors } from '../latch-language/lab-error.ts';
import { Scopes } from '../latch-language/scopes.ts';
import type {
  Assignment,
  Block,
  Expression,
  HoldNode,
  Indexed,
  Local,
  Named,
  NameUse,
  Place,
  Statement,
} from '../latch-language/syntax-tree.ts';
import { insteadOfWriting } from '../latch-language/word-operands.ts';
import { draws, type LatchSymbol, type WorkloadDeclarations } from './declarations.ts';
import { WorkloadExpressions } from './expressions.ts';
import { exampleOf, type ValueType } from './values.ts';
import type { ScriptOperation, WorkloadCode } from './workload-code.ts';

/** The parts of a program to which bodies add. */
export interface ProgramParts {
  names: string[];
  holds: ScriptHold[];
}

/** What a jump out of a statement must end first. */
type Nesting = 'hold' | 'frame';

const localTypes: Readonly<Record<string, ValueType>> = { uint: 'uint', duration: 'duration', size: 'size' };

interface Effect {
  operation: ScriptOperation;
  takes: ValueType;
}

const effects: Readonly<Record<string, Effect>> = {
  work: { operation: 'work', takes: 'duration' },
  think: { operation: 'think', takes: 'duration' },
  sleep: { operation: 'sleep', takes: 'duration' },
  check: { operation: 'check', takes: 'uint' },
};

/** Compiles the body of a group. Returns whether it has a transaction. */
export function compileBody(
  errors: Errors,
  globals: WorkloadDeclarations,
  code: WorkloadCode,
  parts: ProgramParts,
  { named, body }: { named: Named; body: Block },
): boolean {
  const scopes = new Scopes<ValueType>(code, globals.checkName);
  const expressions = new WorkloadExpressions(errors, globals, scopes, code);
  return new BodyCompiler(errors, globals, code, parts, named, scopes, expressions).compile(body);
}

class BodyCompiler extends ControlFlow {
  private readonly nesting: Nesting[] = [];
  /** Names of the enclosing parts, the innermost last. */
  private readonly sites: string[];
  /** The end of the transaction; null outside of it. */
  private transaction: { end: Label; depth: number } | null = null;
  private hasTransaction = false;

  constructor(
    private readonly errors: Errors,
    private readonly globals: WorkloadDeclarations,
    private readonly code: WorkloadCode,
    private readonly parts: ProgramParts,
    private readonly group: Named,
    private readonly scopes: Scopes<ValueType>,
    private readonly expressions: WorkloadExpressions,
  ) {
    super({
      errors,
      code,
      scopes,
      jumpIf: (condition, truth, to) => expressions.jumpIf(condition, truth, to),
      nesting: { depth: () => this.nesting.length, endTo: (depth) => this.endTo(depth) },
    });
    this.sites = [group.name];
  }

  /** Releases and ends all parts and holds above this depth of nesting. */
  private endTo(depth: number): void {
    for (const kind of this.nesting.slice(depth).toReversed())
      this.code.write(kind === 'hold' ? 'leave' : 'frame_end');
  }

  /** Returns whether the body has a transaction. */
  compile(body: Block): boolean {
    const begin = this.code.place;
    this.hasTransaction = body.statements.some(({ kind }) => kind === 'transaction');
    this.inScope(() => {
      for (const statement of body.statements) {
        if (statement.kind === 'transaction') this.transactionOf(statement);
        else this.statement(statement);
      }
    });
    this.lineOf(body.to - 1);
    this.code.giveBack(begin);
    return this.hasTransaction;
  }

  private transactionOf({ body, ...place }: Place & { body: Block }): void {
    if (this.hasBegun) this.errors.add(place, `${this.group.name} has two transactions: one is allowed`);
    this.hasBegun = true;
    const end = this.code.label();
    this.transaction = { end, depth: this.nesting.length };
    this.lineOf(place.from);
    this.code.write('transaction_begin');
    this.block(body);
    this.code.put(end);
    this.lineOf(body.to - 1);
    this.code.write('transaction_end');
    this.transaction = null;
  }
  private hasBegun = false;

  protected ownStatement(statement: OwnStatement): void {
    switch (statement.kind) {
      case 'local':
        this.local(statement);
        break;
      case 'repeat':
        this.repeat(statement);
        break;
      case 'for':
        this.errors.add(
          { from: statement.from, to: statement.from + 3 },
          'the language has no for: write repeat (n) or while',
        );
        break;
      case 'return':
        this.leaveBody(statement);
        break;
      case 'transaction':
        this.errors.add(
          { from: statement.from, to: statement.from + statement.kind.length },
          'a transaction belongs directly in the body of its threads, not in another statement',
        );
        break;
      case 'in':
        this.in(statement);
        break;
      case 'hold':
        this.hold(statement);
        break;
      case 'try':
        this.tryHold(statement);
        break;
      case 'expression':
        this.expressionStatement(statement.expression);
        break;
    }
  }

  private local({ type, named, initial }: Local): void {
    const valueType = Object.hasOwn(localTypes, type.name) ? localTypes[type.name]! : 'uint';
    if (!Object.hasOwn(localTypes, type.name))
      this.errors.add(
        type,
        `a local is a uint, a duration or a size: write uint instead of ${type.name}`,
        'uint',
      );
    const register = this.code.takeRegister();
    if (initial === undefined) this.code.constant(register, 0n);
    else this.expressions.valueInto(valueType, `${named.name} is`, initial, register);
    this.code.releaseTo(register + 1);
    this.scopes.declare(named, register, valueType, this.errors.lineOf(named.from));
  }

  private repeat({ from, count, body }: Statement & { kind: 'repeat' }): void {
    const { mark } = this.code;
    const [left, one] = [this.code.takeRegister(), this.code.takeRegister()];
    this.expressions.valueInto('uint', 'repeat takes', count, left);
    this.code.releaseTo(one + 1);
    this.code.constant(one, 1n);
    this.loop(
      from,
      body,
      ({ end }) => this.code.jump('jump_if_zero', end, left),
      () => this.code.write('subtract', { target: left, a: left, b: one }),
    );
    this.code.releaseTo(mark);
  }

  private leaveBody({ value, ...place }: Place & { value: Expression | undefined }): void {
    if (value) this.errors.add(value, 'a body returns no value: write return;');
    if (this.transaction !== null) {
      this.endTo(this.transaction.depth);
      this.code.jump('jump', this.transaction.end);
    } else if (this.hasTransaction) {
      this.errors.add(place, 'return ends a transaction: outside of it, write if');
    } else {
      this.endTo(0);
      this.code.write('give_back');
    }
  }

  private in({ named, body }: Statement & { kind: 'in' }): void {
    if (named.name.trim() === '') this.errors.add(named, 'a part needs a name, such as "execute"');
    this.globals.checkLength(named, script_limits.name_length_max);
    const bytes = new TextEncoder().encode(named.name).length;
    if (named.name.length <= script_limits.name_length_max && bytes > script_limits.name_bytes_max)
      this.errors.add(
        named,
        `at most ${script_limits.name_bytes_max} bytes of UTF-8 are allowed here; these are ${bytes}`,
      );
    this.code.write('frame_begin', { immediate: this.numberOf(named) });
    this.nested('frame', () => {
      this.sites.push(named.name);
      // A declaration belongs to the block around it.
      this.statement(body);
      this.sites.pop();
    });
    this.lineOf(body.to - 1);
    this.code.write('frame_end');
  }

  private nested(kind: Nesting, write: () => void): void {
    this.nesting.push(kind);
    write();
    this.nesting.pop();
  }

  private numberOf({ name, ...place }: Named): number {
    const { names } = this.parts;
    const known = names.indexOf(name);
    if (known >= 0) return known;
    if (names.length === script_limits.names_max)
      this.errors.add(place, `a workload has at most ${script_limits.names_max} named parts`);
    return names.push(name) - 1;
  }

  private hold(node: HoldNode): void {
    const { mark } = this.code;
    const immediate = this.holdOperand(node);
    this.code.write('enter', { immediate });
    this.code.releaseTo(mark);
    this.held(node);
    this.code.write('leave');
  }

  private tryHold(node: HoldNode): void {
    const [toElse, end] = [this.code.label(), this.code.label()];
    const { mark } = this.code;
    const immediate = this.holdOperand(node);
    this.code.releaseTo(mark);
    const isIn = this.code.takeRegister();
    this.code.write('try_enter', { target: isIn, immediate });
    this.code.releaseTo(mark);
    this.code.jump('jump_if_zero', toElse, isIn);
    this.held(node);
    this.code.write('leave');
    if (node.otherwise) this.code.jump('jump', end);
    this.code.put(toElse);
    if (node.otherwise) this.body(node.otherwise);
    this.code.put(end);
  }

  private held(node: HoldNode): void {
    const { held_max } = script_limits;
    this.nested('hold', () => {
      if (this.nesting.filter((kind) => kind === 'hold').length === held_max + 1)
        this.errors.add(node.latch, `at most ${held_max} latches may be held at once`);
      this.block(node.body);
    });
    this.lineOf(node.body.to - 1);
  }

  /** Returns the operand that names the hold and the register of the latch's number. */
  private holdOperand({ mode, latch: use }: HoldNode): number {
    const name = use.kind === 'name' ? use : use.name;
    const latch = this.latchCalled(name);
    if (latch === undefined) return script_registers.no_index << 16;
    const isShared = mode.name === 'shared';
    if (isShared && latch.neverShared !== undefined)
      this.errors.add(
        mode,
        `${name.name} may be ${latch.neverShared}, which no one shares: write hold`,
        'hold',
      );
    const hold = this.holdNumber(latch.number, isShared, mode);
    return hold | (this.indexOf(use, latch) << 16);
  }

  private latchCalled(name: NameUse): LatchSymbol | undefined {
    const isLocal = this.scopes.find(name.name) !== undefined;
    const symbol = isLocal ? undefined : this.globals.symbols.get(name.name);
    if (symbol?.kind === 'latch') return symbol;
    this.globals.unknown(
      name,
      'a latch',
      this.globals.latches.map((latch) => latch.name),
    );
    return undefined;
  }

  private indexOf(use: NameUse | Indexed, { elements, isArray }: LatchSymbol): number {
    if (use.kind === 'name') {
      if (isArray)
        this.errors.add(
          use,
          `${use.name} has ${elements} latches: name one, such as ${use.name}[0]`,
          `${use.name}[0]`,
        );
      return script_registers.no_index;
    }
    if (!isArray) {
      this.errors.add(use, `${use.name.name} is a single latch: it has no elements`, use.name.name);
      return script_registers.no_index;
    }
    const constant = this.expressions.constant(use.index);
    if (constant?.type === 'uint' && constant.value >= BigInt(elements))
      this.errors.add(use.index, `${use.name.name} has ${elements} latches: 0 to ${elements - 1}`);
    return this.expressions.valueOf('uint', 'the number of a latch is', use.index);
  }

  private holdNumber(latch: number, shared: boolean, place: Place): number {
    const { holds } = this.parts;
    const site = this.numberOf({ name: this.sites.at(-1)!, from: place.from, to: place.to });
    const known = holds.findIndex(
      (hold) => hold.latch === latch && hold.shared === shared && hold.site === site,
    );
    if (known >= 0) return known;
    const sites = new Set(holds.map((hold) => `${hold.latch} ${hold.site}`)).add(`${latch} ${site}`);
    if (sites.size === script_limits.sites_max + 1)
      this.errors.add(place, `at most ${script_limits.sites_max} pairs of a latch and a part that takes it`);
    if (holds.length === script_limits.holds_max)
      this.errors.add(place, `a workload takes latches at most ${script_limits.holds_max} places`);
    return holds.push({ latch, shared, site }) - 1;
  }

  private expressionStatement(expression: Expression): void {
    const { mark } = this.code;
    if (expression.kind === 'assignment') this.assignment(expression);
    else if (expression.kind === 'call' && Object.hasOwn(effects, expression.callee.name))
      this.effect(expression, effects[expression.callee.name]!);
    else if (expression.kind === 'call' && !draws.includes(expression.callee.name))
      this.expressions.call(expression, false);
    else {
      const found = this.errors.found.length;
      this.expressions.value(expression);
      if (this.errors.found.length === found)
        this.errors.add(expression, 'this does nothing: a statement is a call or an assignment');
    }
    this.code.releaseTo(mark);
  }

  private effect(call: Extract<Expression, { kind: 'call' }>, { operation, takes }: Effect): void {
    const { name } = call.callee;
    if (!this.expressions.hasOneArgument(call, exampleOf[takes])) return;
    if (name === 'think' && this.transaction !== null)
      this.errors.add(call, 'think is time between transactions: inside of one, write sleep');
    if (name === 'think' && this.nesting.includes('hold'))
      this.errors.add(call, 'nothing may be held during think');
    const a = this.expressions.valueOf(takes, `${name} takes`, call.given[0]!);
    this.code.write(operation, { a });
  }

  private assignment({ operator, target, value, ...place }: Assignment): void {
    const local = target.kind === 'name' ? this.scopes.find(target.name) : undefined;
    const word = this.wordIn(target);
    if (word !== undefined) {
      const given = value === undefined ? '1' : this.errors.text(value);
      const instead = insteadOfWriting(operator, given, this.expressions.words.wordInWords(word));
      this.errors.add(place, `${this.errors.text(target)} is a word: write ${instead}`, instead);
      return;
    }
    if (target.kind !== 'name' || (local === undefined && this.isKnown(target.name))) {
      this.errors.add(target, `cannot assign to ${this.errors.text(target)}: only locals can be assigned`);
      return;
    }
    if (local === undefined) {
      this.expressions.unknownName(target);
      return;
    }
    if (operator !== '=' || value === undefined) {
      const text = this.errors.text(target);
      const added = value === undefined ? '1' : this.errors.text(value);
      const meant = `${text} = ${text} ${operator[0]!} ${added}`;
      this.errors.add(place, `the language has no ${operator}: write ${meant}`, meant);
      return;
    }
    this.expressions.valueInto(local.type, `${target.name} is`, value, local.register);
  }

  /** Returns the word that the expression names. */
  private wordIn(target: Expression): NameUse | Indexed | undefined {
    if (target.kind !== 'name' && target.kind !== 'indexed') return undefined;
    const { name } = target.kind === 'indexed' ? target.name : target;
    return this.expressions.wordCalled(name) && target;
  }

  private isKnown(name: string): boolean {
    return this.globals.symbols.has(name) || ['me', 'threads', 'index'].includes(name);
  }
}
