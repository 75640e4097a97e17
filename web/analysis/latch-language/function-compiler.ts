// Compiles the statements of one function.
import type { Label } from './code-writer.ts';
import { checkName, type Declarations } from './declarations.ts';
import { Expressions, updateInWords, type OwnCall } from './expressions.ts';
import type { LabCode } from './lab-code.ts';
import type { Errors } from './lab-error.ts';
import { Scopes } from './scopes.ts';
import type {
  Assignment,
  Block,
  Expression,
  FunctionNode,
  Indexed,
  Local,
  Named,
  NameUse,
  Statement,
} from './syntax-tree.ts';

interface Loop {
  again: Label;
  end: Label;
}

const needsFetch: Readonly<Record<string, string>> = {
  '++': 'fetch_add',
  '--': 'fetch_sub',
  '+=': 'fetch_add',
  '-=': 'fetch_sub',
  '&=': 'fetch_and',
  '|=': 'fetch_or',
  '^=': 'fetch_xor',
};

export class FunctionCompiler {
  private readonly scopes: Scopes<'uint'>;
  private readonly expressions: Expressions;
  private readonly loops: Loop[] = [];

  constructor(
    private readonly errors: Errors,
    globals: Declarations,
    private readonly writer: LabCode,
    ownCall: OwnCall,
    ownFunctions: readonly string[],
  ) {
    this.scopes = new Scopes(writer, (named, takenBy) =>
      checkName(errors, named, (name) => takenBy(name) ?? globals.takenBy(name)),
    );
    this.expressions = new Expressions(errors, globals, this.scopes, writer, ownCall, ownFunctions);
  }

  compile({ type, named, body }: FunctionNode): void {
    if (type.name !== 'void') this.errors.add(type, `${named.name} returns no value: write void`, 'void');
    const begin = this.writer.place;
    this.block(body);
    this.writer.line = this.errors.lineOf(body.to - 1);
    this.writer.giveBack(begin);
  }

  private block({ statements }: Block): void {
    this.inScope(() => {
      for (const statement of statements) this.statement(statement);
    });
  }

  private inScope(write: () => void): void {
    this.scopes.enter();
    write();
    this.scopes.leave();
  }

  private statement(statement: Statement): void {
    this.writer.line = this.errors.lineOf(statement.from);
    switch (statement.kind) {
      case 'block':
        this.block(statement);
        break;
      case 'local':
        this.local(statement);
        break;
      case 'if':
        this.branch(statement);
        break;
      case 'while':
        this.loop(statement);
        break;
      case 'for':
        this.errors.add(
          { from: statement.from, to: statement.from + 3 },
          'the language has no for: write while',
        );
        break;
      case 'break':
      case 'continue':
        this.leaveLoop(statement);
        break;
      case 'return':
        if (statement.value)
          this.errors.add(statement.value, 'a latch function returns no value: write return;');
        this.writer.write('give_back');
        break;
      case 'expression':
        this.expressionStatement(statement.expression);
        break;
      case 'empty':
        break;
      case 'transaction':
      case 'in':
      case 'hold':
      case 'try':
      case 'repeat': {
        const { kind, from } = statement;
        this.errors.add({ from, to: from + kind.length }, `a latch has no ${kind}: it belongs to workloads`);
        break;
      }
    }
  }

  /** Compiles the body of `if` or `while`, which has its own scope even without braces. */
  private body(statement: Statement): void {
    this.inScope(() => this.statement(statement));
  }

  private local({ type, named, initial }: Local): void {
    this.checkLocalType(type);
    const register = this.writer.takeRegister();
    if (initial) this.expressions.valueInto(initial, register);
    else this.writer.write('constant', { target: register });
    this.writer.releaseTo(register + 1);
    this.scopes.declare(named, register, 'uint', this.errors.lineOf(named.from));
  }

  private checkLocalType(type: Named): void {
    if (type.name !== 'uint')
      this.errors.add(
        type,
        `every local is an unsigned 32-bit value: write uint instead of ${type.name}`,
        'uint',
      );
  }

  private branch({ condition, then, otherwise }: Statement & { kind: 'if' }): void {
    const [toElse, end] = [this.writer.label(), this.writer.label()];
    this.expressions.jumpIf(condition, false, toElse);
    this.body(then);
    if (otherwise) this.writer.jump('jump', end);
    this.writer.put(toElse);
    if (otherwise) this.body(otherwise);
    this.writer.put(end);
  }

  private loop({ from, condition, body }: Statement & { kind: 'while' }): void {
    const loop = { again: this.writer.labelHere(), end: this.writer.label() };
    this.expressions.jumpIf(condition, false, loop.end);
    this.loops.push(loop);
    this.body(body);
    this.loops.pop();
    this.writer.line = this.errors.lineOf(from);
    this.writer.jump('jump', loop.again);
    this.writer.put(loop.end);
  }

  private leaveLoop({ kind, from, to }: Statement & { kind: 'for' | 'break' | 'continue' | 'empty' }): void {
    const loop = this.loops.at(-1);
    if (loop) this.writer.jump('jump', kind === 'break' ? loop.end : loop.again);
    else this.errors.add({ from, to }, `${kind} is outside a loop`);
  }

  private expressionStatement(expression: Expression): void {
    const { mark } = this.writer;
    if (expression.kind === 'assignment') {
      this.assignment(expression);
    } else if (expression.kind === 'call') {
      this.expressions.call(expression, false);
    } else {
      const found = this.errors.found.length;
      this.expressions.value(expression);
      if (this.errors.found.length === found)
        this.errors.add(expression, 'this does nothing: a statement is a call or an assignment');
    }
    this.writer.releaseTo(mark);
  }

  private assignment(assignment: Assignment): void {
    const { operator, target, value } = assignment;
    const use = target.kind === 'indexed' ? target.name : target;
    if (use.kind !== 'name') {
      this.errors.add(target, `cannot assign to ${this.errors.text(target)}: only locals can be assigned`);
      return;
    }
    const register = this.scopes.registerOf(use.name);
    if (register === undefined || target.kind === 'indexed') this.notALocal(assignment, use);
    else if (operator !== '=') this.update(assignment);
    else if (value) this.expressions.valueInto(value, register);
  }

  private update({ operator, target, value, from, to }: Assignment): void {
    const instead = updateInWords(operator, this.errors.text(target), value ? this.errors.text(value) : '');
    this.errors.add(
      { from, to },
      `the language has no ${operator}: ${instead}`,
      instead.replace('write ', ''),
    );
  }

  private notALocal(assignment: Assignment, use: NameUse): void {
    const target = assignment.target as NameUse | Indexed;
    if (this.expressions.wordCalled(use.name)) {
      const instead = this.insteadOfWriting(assignment, this.expressions.wordInWords(target));
      this.errors.add(assignment, `${use.name} is a word: write ${instead}`, instead);
    } else if (this.scopes.registerOf(use.name) !== undefined) {
      this.errors.add(target, `${use.name} is a local: it has no elements`);
    } else if (use.name === 'me' || use.name === 'threads' || this.expressions.constant(use) !== undefined) {
      this.errors.add(use, `cannot assign to ${use.name}: only locals can be assigned`);
    } else {
      this.expressions.unknownName(use);
    }
  }

  /** Suggests `store(locked, 1)` for `locked = 1`, and `fetch_add(locked, 1)` for `locked++`. */
  private insteadOfWriting({ operator, value }: Assignment, word: string): string {
    const given = value ? this.errors.text(value) : '1';
    if (operator === '=') return `store(${word}, ${given})`;
    const fetch = needsFetch[operator];
    return fetch
      ? `${fetch}(${word}, ${given})`
      : `store(${word}, load(${word}) ${operator.slice(0, -1)} ${given})`;
  }
}
