// The code of a latch.
import { lab_limits, lab_operations, lab_registers } from '../../contract/lab-program.ts';
import { CodeWriter } from './code-writer.ts';

export type OperationName = (typeof lab_operations)[number]['name'];

export type LabCode = CodeWriter<OperationName>;

export const labCode = (): LabCode =>
  new CodeWriter<OperationName>({
    operations: lab_operations,
    firstFreeRegister: lab_registers.first_free,
    registersMax: lab_limits.registers_max,
  });
