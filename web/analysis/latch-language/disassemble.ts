// Lists a program, one instruction per line.
import { lab_functions, lab_operations, lab_registers } from '../../contract/lab-program.ts';
import type { LabProgram } from '../../contract/latch-program.ts';

const registerName = (number: number): string => {
  if (number === lab_registers.thread_number) return 'me';
  return number === lab_registers.threads ? 'threads' : `r${number}`;
};

/** Returns text such as `exchange r2, locked, r2`. */
function describeInstruction(program: LabProgram, place: number): string {
  const [packed, immediate] = [program.code[place * 2]!, program.code[place * 2 + 1]!];
  const operation = lab_operations[packed & 0xff]!;
  const [target, a, b] = [8, 16, 24].map((shift) => registerName((packed >>> shift) & 0xff));
  const operands = [
    ...(operation.has_target ? [target!] : []),
    ...(operation.immediate === 'nothing' ? [] : [immediateInWords(program, operation.immediate, immediate)]),
    ...(operation.has_a ? [a!] : []),
    ...(operation.has_b ? [b!] : []),
  ];
  return [operation.name, operands.join(', ')].join(' ').trimEnd();
}

function immediateInWords(program: LabProgram, kind: string, immediate: number): string {
  if (kind === 'function') return lab_functions[immediate]!;
  if (kind === 'place') return `-> ${immediate}`;
  if (kind === 'number') return String(immediate);
  const { name } = program.words[immediate & 0xffff]!;
  const index = (immediate >>> 16) & 0xff;
  return index === lab_registers.no_index ? name : `${name}[${registerName(index)}]`;
}

/** Returns the lines of one function: place and instruction. */
export function listFunction(program: LabProgram, name: keyof LabProgram['functions']): string[] {
  const [begin, end] = program.functions[name] ?? [0, 0];
  return Array.from(
    { length: end - begin },
    (_, i) => `${String(begin + i).padStart(4)}  ${describeInstruction(program, begin + i)}`,
  );
}

/** Lists the whole program, each instruction with its source line. */
export function disassemble(program: LabProgram): string {
  const lines = lab_functions.flatMap((name) => {
    const range = program.functions[name];
    if (!range) return [];
    const listed = listFunction(program, name).map((text, i) =>
      `${text.padEnd(48)} line ${program.source_lines[range[0] + i]!}`.trimEnd(),
    );
    return [`${name}:`, ...listed];
  });
  return `${lines.join('\n')}\n`;
}
