// Compiles the statements of one function.
import { ControlFlow, type OwnStatement } from './control-flow.ts';
import { checkName, type Declarations } from './declarations.ts';
import { Expressions, updateInWords, type OwnCall } from './expressions.ts';
import type { LabCode } from './lab-code.ts';
import type { Errors } from './lab-error.ts';
import { Scopes } from './scopes.ts';
import type { Assignment, Expression, FunctionNode, Indexed, Local, Named, NameUse } from './syntax-tree.ts';
import { insteadOfWriting } from './word-operands.ts';

/** What a latch's functions share. */
export interface FunctionConditions {
  globals: Declarations;
  ownCall: OwnCall;
  ownFunctions: readonly string[];
}

export function compileFunction(
  errors: Errors,
  writer: LabCode,
  { globals, ownCall, ownFunctions }: FunctionConditions,
  node: FunctionNode,
): void {
  const scopes = new Scopes<'uint'>(writer, (named, takenBy) =>
    checkName(errors, named, (name) => takenBy(name) ?? globals.takenBy(name)),
  );
  const expressions = new Expressions(errors, globals, scopes, writer, ownCall, ownFunctions);
  new FunctionCompiler(errors, writer, scopes, expressions).compile(node);
}

class FunctionCompiler extends ControlFlow {
  constructor(
    private readonly errors: Errors,
    private readonly writer: LabCode,
    private readonly scopes: Scopes<'uint'>,
    private readonly expressions: Expressions,
  ) {
    super({
      errors,
      code: writer,
      scopes,
      jumpIf: (condition, truth, to) => expressions.jumpIf(condition, truth, to),
    });
  }

  compile({ type, named, body }: FunctionNode): void {
    if (type.name !== 'void') this.errors.add(type, `${named.name} returns no value: write void`, 'void');
    const begin = this.writer.place;
    this.block(body);
    this.lineOf(body.to - 1);
    this.writer.giveBack(begin);
  }

  protected ownStatement(statement: OwnStatement): void {
    switch (statement.kind) {
      case 'local':
        this.local(statement);
        break;
      case 'for':
        this.errors.add(
          { from: statement.from, to: statement.from + 3 },
          'the language has no for: write while',
        );
        break;
      case 'return':
        if (statement.value)
          this.errors.add(statement.value, 'a latch function returns no value: write return;');
        this.writer.write('give_back');
        break;
      case 'expression':
        this.expressionStatement(statement.expression);
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
    const { operator, value } = assignment;
    const target = assignment.target as NameUse | Indexed;
    if (this.expressions.wordCalled(use.name)) {
      const given = value ? this.errors.text(value) : '1';
      const instead = insteadOfWriting(operator, given, this.expressions.wordInWords(target));
      this.errors.add(assignment, `${use.name} is a word: write ${instead}`, instead);
    } else if (this.scopes.registerOf(use.name) !== undefined) {
      this.errors.add(target, `${use.name} is a local: it has no elements`);
    } else if (use.name === 'me' || use.name === 'threads' || this.expressions.constant(use) !== undefined) {
      this.errors.add(use, `cannot assign to ${use.name}: only locals can be assigned`);
    } else {
      this.expressions.unknownName(use);
    }
  }
}
