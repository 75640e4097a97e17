// Compiles the reader's latch of a link. Loaded only for links with a latch.
import type { Fault } from '../contract/fault';
import { compileLatch } from './source-compiler';

/** Both are omitted if there is no latch. */
export interface CompiledLatch {
  program?: object;
  errors?: Fault[];
}

/** Reports each error with its line. */
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
