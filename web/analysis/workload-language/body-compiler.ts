// Compiles the body of a group of threads.
import { script_limits } from '../../contract/workload-operations.ts';
import type { Label } from '../latch-language/code-writer.ts';
import { ControlFlow, type OwnStatement } from '../latch-language/control-flow.ts';
import type { Errors } from '../latch-language/lab-error.ts';
import { Scopes } from '../latch-language/scopes.ts';
import type { Block, Call, HoldNode, Local, Place, Statement } from '../latch-language/syntax-tree.ts';
import { arrivalIn, Arrivals } from './arrivals.ts';
import { siteOf, type Body, type BodyState } from './body-state.ts';
import type { WorkloadDeclarations } from './declarations.ts';
import { ExpressionStatements } from './expression-statements.ts';
import { WorkloadExpressions } from './expressions.ts';
import { alwaysReturns, callInWords, type FunctionSymbol } from './functions.ts';
import { LatchHolds, numberOfName, type ProgramParts } from './latch-holds.ts';
import { NamesInBody } from './names-in-body.ts';
import { typeInWords, type ValueType } from './values.ts';
import { WorkloadCode, type Typed } from './workload-code.ts';

/** Compiles the body of a group. Returns whether it has a transaction. */
export function compileBody(
  errors: Errors,
  globals: WorkloadDeclarations,
  code: WorkloadCode,
  parts: ProgramParts,
  body: Body,
): boolean {
  const { name } = body.named;
  const inBody = { isAlone: false, nesting: [], sites: [name], isInTransaction: false, calledFrom: [] };
  return newCompiler({ errors, globals, code, parts, group: body, ...inBody }).compile();
}

/** Reports the errors that a function has whatever calls it. */
export function checkFunction(errors: Errors, globals: WorkloadDeclarations, symbol: FunctionSymbol): void {
  const { body, name } = symbol;
  const group = { named: { ...body, name }, body, what: 'a function' };
  const alone = { isAlone: true, nesting: [], sites: [name], isInTransaction: false, calledFrom: [] };
  const [code, parts] = [new WorkloadCode(), { names: [], holds: [] }];
  newCompiler({ errors, globals, code, parts, group, ...alone }).checkAlone(symbol);
}

/** A function as a call inserts it. */
interface Inserted {
  symbol: FunctionSymbol;
  /** The register of its value. */
  result: number;
  end: Label;
  /** What its statements are nested in. */
  depth: number;
}

function newCompiler(state: BodyState, inserted?: Inserted): BodyCompiler {
  const { errors, globals, code, group } = state;
  // Names were checked when the function was declared. Later declarations do not matter to it.
  const checkName = inserted === undefined ? globals.names.check : () => undefined;
  const scopes = new Scopes<ValueType>(code, checkName);
  const names = new NamesInBody(errors, scopes, globals.names, globals.constants);
  const expressions: WorkloadExpressions = new WorkloadExpressions(errors, globals, names, code, {
    isAtEnd: group.runs === 'at_end',
    isUnknown: state.isAlone,
    insert: (...call) => compiler.insert(...call),
    site: (place) => siteOf(state, place),
  });
  const compiler: BodyCompiler = new BodyCompiler(state, names, expressions, inserted);
  return compiler;
}

class BodyCompiler extends ControlFlow {
  private readonly errors: Errors;
  private readonly code: WorkloadCode;
  private readonly globals: WorkloadDeclarations;
  private readonly group: Body;
  private readonly nesting: BodyState['nesting'];
  private readonly holds: LatchHolds;
  private readonly statements: ExpressionStatements;
  private readonly arrivals: Arrivals;
  /** The end of the transaction; null outside of it. */
  private transaction: { end: Label; depth: number } | null = null;
  private hasTransaction = false;

  constructor(
    private readonly state: BodyState,
    private readonly names: NamesInBody,
    private readonly expressions: WorkloadExpressions,
    private inserted?: Inserted,
  ) {
    const { errors, globals, code, group, parts, nesting } = state;
    super({
      errors,
      code,
      scopes: names.locals,
      jumpIf: (condition, truth, to) => expressions.operators.jumpIf(condition, truth, to),
      nesting: { depth: () => nesting.length, endTo: (depth) => this.endTo(depth) },
    });
    this.errors = errors;
    this.globals = globals;
    this.code = code;
    this.group = group;
    this.nesting = nesting;
    this.holds = new LatchHolds(errors, names, parts, expressions);
    this.statements = new ExpressionStatements(state, names, expressions);
    this.arrivals = new Arrivals(state, names, expressions);
  }

  /** Releases and ends all parts and holds above this depth of nesting. */
  private endTo(depth: number): void {
    for (const kind of this.nesting.slice(depth).toReversed())
      this.code.write(kind === 'hold' ? 'leave' : 'frame_end');
  }

  /** Returns whether the body has a transaction. */
  compile(): boolean {
    const { body, runs } = this.group;
    const begin = this.code.place;
    this.hasTransaction = runs === undefined && body.statements.some(({ kind }) => kind === 'transaction');
    this.inScope(() => {
      for (const statement of body.statements) {
        const arrival = arrivalIn(statement);
        if (statement.kind === 'transaction' && runs === undefined) this.transactionOf(statement);
        else if (arrival !== undefined) {
          this.lineOf(arrival.from);
          this.arrivals.add(arrival, { hasTransaction: this.hasTransaction, hasBegun: this.hasBegun });
        } else this.statement(statement);
      }
    });
    this.lineOf(body.to - 1);
    this.code.giveBack(begin);
    return this.hasTransaction;
  }

  private transactionOf({ body, ...place }: Place & { body: Block }): void {
    if (this.hasBegun)
      this.errors.add(place, `${this.group.named.name} has two transactions: one is allowed`);
    this.hasBegun = true;
    const end = this.code.label();
    this.transaction = { end, depth: this.nesting.length };
    this.state.isInTransaction = true;
    this.lineOf(place.from);
    this.code.write('transaction_begin');
    this.block(body);
    this.code.put(end);
    this.lineOf(body.to - 1);
    this.code.write('transaction_end');
    this.transaction = null;
    this.state.isInTransaction = false;
  }
  private hasBegun = false;

  /** Compiles a function that nothing has called yet. */
  checkAlone(symbol: FunctionSymbol): void {
    this.inserted = { symbol, result: this.code.takeRegister(), end: this.code.label(), depth: 0 };
    this.insertBody(
      symbol,
      symbol.taken.map(() => this.code.takeRegister()),
    );
    const { body, name, returns } = symbol;
    if (returns !== undefined && !alwaysReturns(body))
      this.errors.add(
        { from: body.to - 1, to: body.to },
        `${name} ends without a value: return ${typeInWords[returns]} on every path`,
      );
  }

  /** Inserts a function at its call. Returns its value. */
  insert(call: Call, symbol: FunctionSymbol, isValue: boolean, wanted?: number): Typed {
    const { code, state } = this;
    const { name, taken, returns, isWrong } = symbol;
    const hasValue = returns !== undefined || isValue;
    const result = wanted ?? (hasValue ? code.takeRegister() : 0);
    const value = { register: result, type: returns };
    if (call.given.length !== taken.length) {
      this.errors.add(call, `${name} got ${call.given.length} arguments: write ${callInWords(symbol)}`);
      return value;
    }
    if (isValue && returns === undefined)
      this.errors.add(call, `${name}() returns no value: write it as a separate statement`);
    const { mark } = code;
    const registers = taken.map(({ type }, place) => {
      const register = code.takeRegister();
      this.expressions.valueInto(type, `${name} takes`, call.given[place]!, register);
      code.releaseTo(register + 1);
      return register;
    });
    if (state.isAlone) {
      // Its own declaration has been checked.
      if (returns !== undefined) code.constant(result, 0n);
    } else if (!isWrong && this.mayInsert(call)) {
      const end = code.label();
      const inserted = { symbol, result, end, depth: this.nesting.length };
      const write = () => newCompiler(state, inserted).insertBody(symbol, registers);
      if (symbol.isOfLanguage) write();
      else this.noting(call, write);
      code.put(end);
      this.lineOf(call.from);
    }
    code.releaseTo(mark);
    return value;
  }

  /** Adds the lines of the calls to all errors that `write` adds. */
  private noting(call: Call, write: () => void): void {
    const { calledFrom } = this.state;
    calledFrom.push(call);
    const lines = calledFrom.map(({ from }) => this.errors.lineOf(from)).toReversed();
    this.errors.noting(` (called in line ${lines.join(', from line ')})`, write);
    calledFrom.pop();
  }

  private mayInsert(call: Call): boolean {
    if (this.code.mayInsert()) return true;
    this.globals.functions.reportTooMany(this.state.calledFrom[0] ?? call);
    return false;
  }

  private insertBody({ taken, body }: FunctionSymbol, registers: readonly number[]): void {
    this.inScope(() => {
      for (const [place, { named, type }] of taken.entries())
        this.names.locals.declare(named, registers[place]!, type, this.errors.lineOf(named.from));
      for (const statement of body.statements) this.statement(statement);
    });
  }

  protected ownStatement(statement: OwnStatement): void {
    const { kind } = statement;
    if (this.group.runs === 'at_end' && (kind === 'in' || kind === 'hold' || kind === 'try')) {
      const word = kind === 'hold' ? statement.mode.name : kind;
      this.expressions.calls.refuseAtEnd({ from: statement.from, to: statement.from + word.length }, word);
      return;
    }
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
          { from: statement.from, to: statement.from + kind.length },
          this.group.what !== undefined
            ? `${this.group.what} has no transaction: clients have it`
            : 'a transaction belongs directly in the body of its threads, not in another statement',
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
        this.statements.compile(statement.expression);
        break;
    }
  }

  private local({ type, named, initial }: Local): void {
    const valueType = this.globals.functions.typeOfLocal(type, 'a local is');
    const register = this.code.takeRegister();
    if (initial === undefined) this.code.constant(register, 0n);
    else this.expressions.valueInto(valueType, `${named.name} is`, initial, register);
    this.code.releaseTo(register + 1);
    this.names.locals.declare(named, register, valueType, this.errors.lineOf(named.from));
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

  private leaveBody(statement: Statement & { kind: 'return' }): void {
    const { value, ...place } = statement;
    if (this.inserted !== undefined) {
      this.leaveFunction(this.inserted, statement);
      return;
    }
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

  private leaveFunction(inserted: Inserted, statement: Statement & { kind: 'return' }): void {
    const { symbol, result, end, depth } = inserted;
    const { name, returns, body } = symbol;
    const { value } = statement;
    if (returns === undefined && value !== undefined)
      this.errors.add(value, `${name} returns no value: write return;`);
    else if (returns !== undefined && value === undefined)
      this.errors.add(statement, `${name} returns ${typeInWords[returns]}: write return and its value`);
    else if (returns !== undefined) this.expressions.valueInto(returns, `${name} returns`, value!, result);
    this.endTo(depth);
    // The end is next if this is the last statement.
    if (statement !== body.statements.at(-1)) this.code.jump('jump', end);
  }

  private in({ named, body }: Statement & { kind: 'in' }): void {
    if (named.name.trim() === '') this.errors.add(named, 'a part needs a name, such as "execute"');
    this.globals.names.checkLength(named, script_limits.name_length_max);
    const bytes = new TextEncoder().encode(named.name).length;
    if (named.name.length <= script_limits.name_length_max && bytes > script_limits.name_bytes_max)
      this.errors.add(
        named,
        `at most ${script_limits.name_bytes_max} bytes of UTF-8 are allowed here; these are ${bytes}`,
      );
    this.code.write('frame_begin', { immediate: numberOfName(this.errors, this.state.parts, named) });
    this.nested('frame', () => {
      this.state.sites.push(named.name);
      // A declaration belongs to the block around it.
      this.statement(body);
      this.state.sites.pop();
    });
    this.lineOf(body.to - 1);
    this.code.write('frame_end');
  }

  private nested(kind: BodyState['nesting'][number], write: () => void): void {
    this.nesting.push(kind);
    write();
    this.nesting.pop();
  }

  private hold(node: HoldNode): void {
    const { mark } = this.code;
    const immediate = this.holds.operand(node, this.state.sites.at(-1)!);
    this.code.write('enter', { immediate });
    this.code.releaseTo(mark);
    this.held(node);
    this.code.write('leave');
  }

  private tryHold(node: HoldNode): void {
    const [toElse, end] = [this.code.label(), this.code.label()];
    const { mark } = this.code;
    const immediate = this.holds.operand(node, this.state.sites.at(-1)!);
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
}
