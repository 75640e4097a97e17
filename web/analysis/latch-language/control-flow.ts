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

export abstract class ControlFlow {
  private readonly loops: Loop[] = [];

  constructor(private readonly flow: FlowParts) {}

  protected abstract statement(statement: Statement): void;

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

  protected branch({ condition, then, otherwise }: Statement & { kind: 'if' }): void {
    const { code, jumpIf } = this.flow;
    const [toElse, end] = [code.label(), code.label()];
    jumpIf(condition, false, toElse);
    this.body(then);
    if (otherwise) code.jump('jump', end);
    code.put(toElse);
    if (otherwise) this.body(otherwise);
    code.put(end);
  }

  protected whileLoop({ from, condition, body }: Statement & { kind: 'while' }): void {
    this.loop(from, body, ({ end }) => this.flow.jumpIf(condition, false, end));
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

  protected leaveLoop({ kind, from, to }: Place & { kind: string }): void {
    const loop = this.loops.at(-1);
    if (loop === undefined) {
      this.flow.errors.add({ from, to }, `${kind} is outside a loop`);
      return;
    }
    this.flow.nesting?.endTo(loop.depth);
    this.flow.code.jump('jump', kind === 'break' ? loop.end : loop.again);
  }
}
