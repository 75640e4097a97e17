import { printable } from './printable.ts';

/** One fault of an input. The engine, the page and the command line report it with the value as text. */
export interface Fault<Value = string> {
  /** Path of the field, such as `parameters.tables` or `actions[0].at_s`; empty for the whole. */
  field: string;
  value: Value;
  /** What would have been accepted, in words. */
  allowed: string;
}

/** How many faults of one input are reported at most. */
export const FAULTS_TOLD_MAX = 8;

/** The first few faults, for scripts: names and values come from a link, a file or a field. */
export const toldFaults = (errors: readonly Fault[]): Fault[] =>
  errors
    .slice(0, FAULTS_TOLD_MAX)
    .map(({ field, value, allowed }) => ({ field: printable(field), value: printable(value), allowed }));

/** The same in sentences, with the number of faults left out. */
export function describeFaults(errors: readonly Fault[]): string[] {
  const more = errors.length - FAULTS_TOLD_MAX;
  const sentences = toldFaults(errors).map(
    ({ field, value, allowed }) => `${field} is ${value === '' ? 'empty' : value}; allowed: ${allowed}`,
  );
  return more > 0 ? [...sentences, `and ${more.toLocaleString('en')} more`] : sentences;
}
