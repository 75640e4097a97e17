// A latch of the reader's that comes with a link. Loaded when there is one.
import type { Fault } from '../contract/fault';
import { compileLatch } from './latch-compiler';

/** Neither, where there is none. */
export interface CompiledLatch {
  program?: object;
  errors?: Fault[];
}

/** Each error is one of the line that it is about. */
export async function compiledLatch(source: string): Promise<CompiledLatch> {
  const { program, errors } = await compileLatch(source);
  if (program !== undefined) return { program };
  const lines = source.split('\n');
  return {
    errors: errors.map(({ line, sentence }) => ({
      field: `latch, line ${line}`,
      value: lines[line - 1]?.trim() ?? '',
      allowed: sentence,
    })),
  };
}
