// Compiles the sources of a link: the reader's latch and workload. Loaded only for links with one.
import type { LabError } from '../analysis/latch-language/lab-error';
import type { Fault } from '../contract/fault';
import type { CompiledSources, SourceField } from '../contract/run-spec-pairs';
import { compileLatch, compileWorkload } from './source-compiler';

export interface CompiledLink {
  compiled: CompiledSources;
  errors?: Fault[];
}

/** Reports each error with its line. */
export async function compiledSources(sources: Partial<Record<SourceField, string>>): Promise<CompiledLink> {
  const compiled: CompiledSources = {};
  const errors: Fault[] = [];
  for (const [field, source] of Object.entries(sources) as [SourceField, string][]) {
    const outcome = await (field === 'latch' ? compileLatch(source) : compileWorkload(source));
    if (outcome.program !== undefined) compiled[field] = outcome.program;
    else errors.push(...faultsOf(field, source, outcome.errors));
  }
  return errors.length > 0 ? { compiled, errors } : { compiled };
}

function faultsOf(field: SourceField, source: string, errors: readonly LabError[]): Fault[] {
  const lines = source.split('\n');
  return errors.map(({ line, sentence }) => ({
    field: `${field}, line ${line}`,
    value: lines[line - 1]?.trim() ?? '',
    allowed: sentence,
  }));
}
