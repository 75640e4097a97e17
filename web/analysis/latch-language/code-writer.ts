// Writes instructions and allocates registers. Registers form a stack: the last one taken is
// released first.
import { lab_limits, lab_operations, lab_registers } from '../../contract/lab-program.ts';
import type { LabLocal } from '../../contract/latch-program.ts';

export type OperationName = (typeof lab_operations)[number]['name'];

const numbers = new Map<OperationName, number>(lab_operations.map(({ name }, number) => [name, number]));

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

export class CodeWriter {
  readonly code: number[] = [];
  readonly sourceLines: number[] = [];
  readonly locals: LabLocal[] = [];
  /** Number of registers that the code needs. */
  registers: number = lab_registers.first_free;
  line = 0;
  private nextRegister: number = lab_registers.first_free;
  private lastLabel = -1;

  get place(): number {
    return this.sourceLines.length;
  }

  write(operation: OperationName, { target = 0, a = 0, b = 0, immediate = 0 }: Operands = {}): void {
    this.code.push((numbers.get(operation)! | (target << 8) | (a << 16) | (b << 24)) >>> 0, immediate >>> 0);
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

  jump(operation: 'jump' | 'jump_if_zero' | 'jump_if_not_zero', to: Label, a = 0): void {
    if (to.place === undefined) to.jumps.push(this.place);
    this.write(operation, { a, immediate: to.place ?? 0 });
  }

  /**
   * Ends the function that begins at this place, unless it has ended already and nothing jumps
   * here.
   */
  giveBack(begin: number): void {
    const last = this.place > begin ? this.code.at(-2) : undefined;
    const hasEnded = last === numbers.get('give_back') && this.lastLabel !== this.place;
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
    return this.registers > lab_limits.registers_max;
  }
}
