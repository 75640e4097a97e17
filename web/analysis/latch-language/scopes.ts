// Tracks the locals of a function, block by block.
import type { CodeWriter } from './code-writer.ts';
import type { Named } from './syntax-tree.ts';

export interface DeclaredLocal<Type> {
  type: Type;
  register: number;
  line: number;
  begin: number;
}

/** Says where a name is declared, as error messages do; undefined if it is free. */
type TakenBy = (name: string) => string | undefined;

export class Scopes<Type> {
  private readonly blocks: { locals: Map<string, DeclaredLocal<Type>>; mark: number }[] = [];
  private readonly ended = new Map<string, number>();

  /** `checkName` reports a name that cannot be declared. */
  constructor(
    private readonly writer: Pick<CodeWriter<never>, 'mark' | 'place' | 'locals' | 'releaseTo'>,
    private readonly checkName: (named: Named, takenBy: TakenBy) => void,
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

  declare(named: Named, register: number, type: Type, line: number): void {
    this.checkName(named, (name) => this.takenBy(name));
    this.blocks.at(-1)!.locals.set(named.name, { type, register, line, begin: this.writer.place });
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

  find(name: string): DeclaredLocal<Type> | undefined {
    return this.blocks.findLast(({ locals }) => locals.has(name))?.locals.get(name);
  }

  private takenBy(name: string): string | undefined {
    const local = this.find(name);
    return local ? `in line ${local.line}` : undefined;
  }
}
