// The code of a workload, with its constants.
import { script_operations } from '../../contract/workload-code-operations.ts';
import { script_limits, script_registers } from '../../contract/workload-operations.ts';
import { CodeWriter } from '../latch-language/code-writer.ts';
import type { ValueType } from './values.ts';

export type ScriptOperation = (typeof script_operations)[number]['name'];

/** The register of a value, and its type; no type after an error. */
export interface Typed {
  register: number;
  type: ValueType | undefined;
}

/** Returns the operand of an instruction that sleeps on a word, in a part of the program. */
export const sleepOn = (word: number, site: number): number => word | (site << 24);

export class WorkloadCode extends CodeWriter<ScriptOperation> {
  readonly constants: number[] = [];
  /** Functions inserted so far. */
  private inserted = 0;
  private readonly places = new Map<bigint, number>();

  constructor() {
    super({
      operations: script_operations,
      firstFreeRegister: script_registers.first_free,
      registersMax: script_limits.registers_max,
    });
  }

  /** Returns the register `wanted`, or a new one. */
  target(wanted: number | undefined): number {
    return wanted ?? this.takeRegister();
  }

  /** Returns the value of an expression with an error. */
  unknown(wanted: number | undefined): Typed {
    return { register: this.target(wanted), type: undefined };
  }

  /** Counts the words on which threads sleep, and the pairs of such a word and a part. */
  sleeps(): { words: number; sites: number } {
    const immediates = this.sourceLines.flatMap((_, place) => {
      const { name } = script_operations[this.code[2 * place]! & 0xff]!;
      return name === 'futex_wait' || name === 'wait' ? [this.code[2 * place + 1]!] : [];
    });
    const words = new Set(immediates.map((immediate) => immediate & 0xffff));
    // Without the register of the word's number.
    const sites = new Set(immediates.map((immediate) => immediate & 0xff00_ffff));
    return { words: words.size, sites: sites.size };
  }

  /** Reports whether one more function may be inserted. Calls of calls could insert any number. */
  mayInsert(): boolean {
    this.inserted += 1;
    return this.inserted <= script_limits.instructions_max && this.place <= script_limits.instructions_max;
  }

  /** Writes a constant to a register. */
  constant(target: number, value: bigint): void {
    this.write('constant', { target, immediate: this.placeOf(value) });
  }

  /** Reports whether the program may have one more exponent of zipf. */
  addExponent(value: bigint): boolean {
    if (this.exponents.has(value)) return true;
    if (this.exponents.size === script_limits.zipf_exponents_max) return false;
    this.exponents.add(value);
    return true;
  }
  private readonly exponents = new Set<bigint>();

  /** Returns the place of a constant. */
  placeOf(value: bigint): number {
    const known = this.places.get(value);
    if (known !== undefined) return known;
    this.places.set(value, this.constants.length);
    return this.constants.push(Number(value)) - 1;
  }
}
