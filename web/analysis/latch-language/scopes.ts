// Tracks the locals of a function, block by block.
import type { CodeWriter } from './code-writer.ts';
import type { Declarations } from './declarations.ts';
import { checkName } from './declarations.ts';
import type { Errors } from './lab-error.ts';
import type { Named } from './syntax-tree.ts';

interface DeclaredLocal {
  register: number;
  line: number;
  begin: number;
}

export class Scopes {
  private readonly blocks: { locals: Map<string, DeclaredLocal>; mark: number }[] = [];
  private readonly ended = new Map<string, number>();

  constructor(
    private readonly errors: Errors,
    private readonly globals: Declarations,
    private readonly writer: CodeWriter,
  ) {}

  enter(): void {
    this.blocks.push({ locals: new Map(), mark: this.writer.mark });
  }

  leave(): void {
    const { locals, mark } = this.blocks.pop()!;
    for (const [name, { register, line, begin }] of locals) {
      this.writer.locals.push({ name, register, begin, end: this.writer.place });
      this.ended.set(name, line);
    }
    this.writer.releaseTo(mark);
  }

  declare(named: Named, register: number): void {
    checkName(this.errors, named, (name) => this.takenBy(name));
    const line = this.errors.lineOf(named.from);
    this.blocks.at(-1)!.locals.set(named.name, { register, line, begin: this.writer.place });
  }

  registerOf(name: string): number | undefined {
    return this.find(name)?.register;
  }

  /** Returns the line of a local whose block has ended. */
  endedLocal(name: string): number | undefined {
    return this.ended.get(name);
  }

  names(): string[] {
    return this.blocks.flatMap(({ locals }) => [...locals.keys()]);
  }

  private find(name: string): DeclaredLocal | undefined {
    return this.blocks.findLast(({ locals }) => locals.has(name))?.locals.get(name);
  }

  private takenBy(name: string): string | undefined {
    const local = this.find(name);
    return local ? `in line ${local.line}` : this.globals.takenBy(name);
  }
}
