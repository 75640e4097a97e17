// The code of a workload, with its constants.
import { script_limits, script_operations, script_registers } from '../../contract/workload-operations.ts';
import { CodeWriter } from '../latch-language/code-writer.ts';

export type ScriptOperation = (typeof script_operations)[number]['name'];

export class WorkloadCode extends CodeWriter<ScriptOperation> {
  readonly constants: number[] = [];
  private readonly places = new Map<bigint, number>();

  constructor() {
    super({
      operations: script_operations,
      firstFreeRegister: script_registers.first_free,
      registersMax: script_limits.registers_max,
    });
  }

  /** Writes a constant to a register. */
  constant(target: number, value: bigint): void {
    this.write('constant', { target, immediate: this.placeOf(value) });
  }

  private placeOf(value: bigint): number {
    const known = this.places.get(value);
    if (known !== undefined) return known;
    this.places.set(value, this.constants.length);
    return this.constants.push(Number(value)) - 1;
  }
}
