import { printable } from './printable.ts';

/** One fault of an input, in the form in which the engine, the page and the command line report it. */
export interface FieldError {
  /** Path of the field, such as `parameters.tables` or `actions[0].at_s`. */
  field: string;
  value: string;
  /** What would have been accepted, in words. */
  allowed: string;
}

/** How many faults of one input are reported at most. */
export const FAULTS_TOLD_MAX = 8;

/** The first few faults, for scripts: names and values come from a link, a file or a field. */
export const toldFaults = (errors: readonly FieldError[]): FieldError[] =>
  errors
    .slice(0, FAULTS_TOLD_MAX)
    .map(({ field, value, allowed }) => ({ field: printable(field), value: printable(value), allowed }));

/** The same in sentences, with the number of faults left out. */
export function describeFaults(errors: readonly FieldError[]): string[] {
  const more = errors.length - FAULTS_TOLD_MAX;
  const sentences = toldFaults(errors).map(
    ({ field, value, allowed }) => `${field} is ${value === '' ? 'empty' : value}; allowed: ${allowed}`,
  );
  return more > 0 ? [...sentences, `and ${more.toLocaleString('en')} more`] : sentences;
}
