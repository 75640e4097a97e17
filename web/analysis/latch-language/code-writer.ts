// Writes instructions and allocates registers. Registers form a stack: the last one taken is
// released first.
import type { LabLocal } from '../../contract/latch-program.ts';

/** What a program's format determines. */
export interface CodeFormat<Operation extends string> {
  operations: readonly { readonly name: Operation }[];
  firstFreeRegister: number;
  registersMax: number;
}

/** Every format has these. */
type CommonOperation = 'jump' | 'jump_if_zero' | 'jump_if_not_zero' | 'give_back';

interface Operands {
  target?: number;
  a?: number;
  b?: number;
  immediate?: number;
}

/** A jump target, which jumps may reference before its place is known. */
export interface Label {
  place: number | undefined;
  jumps: number[];
}

export class CodeWriter<Operation extends string> {
  readonly code: number[] = [];
  readonly sourceLines: number[] = [];
  readonly locals: LabLocal[] = [];
  /** Number of registers that the code needs. */
  registers: number;
  line = 0;
  private nextRegister: number;
  private lastLabel = -1;
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly registersMax: number;

  constructor({ operations, firstFreeRegister, registersMax }: CodeFormat<Operation | CommonOperation>) {
    this.registers = this.nextRegister = firstFreeRegister;
    this.registersMax = registersMax;
    this.numbers = new Map(operations.map(({ name }, number) => [name, number]));
  }

  get place(): number {
    return this.sourceLines.length;
  }

  write(
    operation: Operation | CommonOperation,
    { target = 0, a = 0, b = 0, immediate = 0 }: Operands = {},
  ): void {
    this.code.push(
      (this.numbers.get(operation)! | (target << 8) | (a << 16) | (b << 24)) >>> 0,
      immediate >>> 0,
    );
    this.sourceLines.push(this.line);
  }

  label(): Label {
    return { place: undefined, jumps: [] };
  }

  labelHere(): Label {
    const label = this.label();
    this.put(label);
    return label;
  }

  put(label: Label): void {
    label.place = this.lastLabel = this.place;
    for (const jump of label.jumps) this.code[jump * 2 + 1] = label.place;
  }

  jump(operation: Exclude<CommonOperation, 'give_back'>, to: Label, a = 0): void {
    if (to.place === undefined) to.jumps.push(this.place);
    this.write(operation, { a, immediate: to.place ?? 0 });
  }

  /**
   * Ends the function that begins at this place, unless it has ended already and nothing jumps
   * here.
   */
  giveBack(begin: number): void {
    const last = this.place > begin ? this.code.at(-2) : undefined;
    const hasEnded = last === this.numbers.get('give_back') && this.lastLabel !== this.place;
    if (!hasEnded) this.write('give_back');
  }

  takeRegister(): number {
    const register = this.nextRegister++;
    this.registers = Math.max(this.registers, this.nextRegister);
    return register;
  }

  /** Releases all registers taken since `mark` was read. */
  releaseTo(mark: number): void {
    this.nextRegister = mark;
  }

  get mark(): number {
    return this.nextRegister;
  }

  /** Allocates only registers from here on that no earlier code uses. */
  keepEarlierRegisters(): void {
    this.nextRegister = this.registers;
  }

  get hasTooManyRegisters(): boolean {
    return this.registers > this.registersMax;
  }
}
