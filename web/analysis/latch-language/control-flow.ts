// Compiles blocks, branches and loops, which both languages of the grammar have.
import type { CodeWriter, Label } from './code-writer.ts';
import type { Errors } from './lab-error.ts';
import type { Scopes } from './scopes.ts';
import type { Block, Expression, Place, Statement } from './syntax-tree.ts';

interface Loop {
  again: Label;
  end: Label;
  depth: number;
}

interface FlowParts {
  errors: Errors;
  code: Pick<CodeWriter<never>, 'line' | 'label' | 'labelHere' | 'put' | 'jump'>;
  scopes: Pick<Scopes<never>, 'enter' | 'leave'>;
  /** Jumps to the label if the condition equals `truth`. */
  jumpIf: (condition: Expression, truth: boolean, to: Label) => void;
  /** What a jump out of statements must end first; nothing if omitted. */
  nesting?: { depth: () => number; endTo: (depth: number) => void };
}

type CommonStatement = 'block' | 'if' | 'while' | 'break' | 'continue' | 'empty';
export type OwnStatement = Exclude<Statement, { kind: CommonStatement }>;

export abstract class ControlFlow {
  private readonly loops: Loop[] = [];

  constructor(private readonly flow: FlowParts) {}

  /** Compiles a statement that only one of the languages has, or has in its own way. */
  protected abstract ownStatement(statement: OwnStatement): void;

  protected statement(statement: Statement): void {
    this.lineOf(statement.from);
    switch (statement.kind) {
      case 'block':
        this.block(statement);
        break;
      case 'if':
        this.branch(statement);
        break;
      case 'while':
        this.loop(statement.from, statement.body, ({ end }) =>
          this.flow.jumpIf(statement.condition, false, end),
        );
        break;
      case 'break':
      case 'continue':
        this.leaveLoop(statement);
        break;
      case 'empty':
        break;
      default:
        this.ownStatement(statement);
    }
  }

  protected lineOf(offset: number): void {
    this.flow.code.line = this.flow.errors.lineOf(offset);
  }

  protected block({ statements }: Block): void {
    this.inScope(() => {
      for (const statement of statements) this.statement(statement);
    });
  }

  protected inScope(write: () => void): void {
    this.flow.scopes.enter();
    write();
    this.flow.scopes.leave();
  }

  /** Compiles a statement with its own scope even without braces. */
  protected body(statement: Statement): void {
    this.inScope(() => this.statement(statement));
  }

  private branch({ condition, then, otherwise }: Statement & { kind: 'if' }): void {
    const { code, jumpIf } = this.flow;
    const [toElse, end] = [code.label(), code.label()];
    jumpIf(condition, false, toElse);
    this.body(then);
    if (otherwise) code.jump('jump', end);
    code.put(toElse);
    if (otherwise) this.body(otherwise);
    code.put(end);
  }

  /** `writeStep` is what comes after each repetition, also after `continue`. */
  protected loop(
    from: number,
    body: Statement,
    writeCondition: (loop: Loop) => void,
    writeStep?: () => void,
  ): void {
    const { code } = this.flow;
    const step = code.label();
    const again = code.labelHere();
    const loop = {
      again: writeStep ? step : again,
      end: code.label(),
      depth: this.flow.nesting?.depth() ?? 0,
    };
    writeCondition(loop);
    this.loops.push(loop);
    this.body(body);
    this.loops.pop();
    this.lineOf(from);
    if (writeStep) {
      code.put(step);
      writeStep();
    }
    code.jump('jump', again);
    code.put(loop.end);
  }

  private leaveLoop({ kind, from, to }: Place & { kind: string }): void {
    const loop = this.loops.at(-1);
    if (loop === undefined) {
      this.flow.errors.add({ from, to }, `${kind} is outside a loop`);
      return;
    }
    this.flow.nesting?.endTo(loop.depth);
    this.flow.code.jump('jump', kind === 'break' ? loop.end : loop.again);
  }
}
