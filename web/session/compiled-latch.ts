// A latch of the reader's that comes with a link. Loaded, with the compiler, when there is one.
import { compile } from '../analysis/latch-language/compile';
import type { Fault } from '../contract/fault';

/** Neither, where there is none. */
export interface CompiledLatch {
  program?: object;
  errors?: Fault[];
}

/** Each error is one of the line that it is about. */
export function compiledLatch(source: string): CompiledLatch {
  const { program, errors } = compile(source);
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
