// Defines the faults of inputs, and describes them in sentences.
import { printable } from './printable.ts';

/**
 * One fault of an input. The engine, the page and the command line report it with the value as
 * text.
 */
export interface Fault<Value = string> {
  /**
   * Path of the field, such as `parameters.tables` or `actions[0].at_s`; empty for the whole input.
   */
  field: string;
  value: Value;
  /** The accepted values, in words. */
  allowed: string;
}

/** Maximum number of reported faults per input. */
export const FAULTS_TOLD_MAX = 8;

/**
 * Returns the first faults for scripts. Names and values come from a link, a file or a field, so
 * they are made printable.
 */
export const toldFaults = (errors: readonly Fault[]): Fault[] =>
  errors
    .slice(0, FAULTS_TOLD_MAX)
    .map(({ field, value, allowed }) => ({ field: printable(field), value: printable(value), allowed }));

/** Returns the first faults in sentences, with the number of the others. */
export function describeFaults(errors: readonly Fault[]): string[] {
  const more = errors.length - FAULTS_TOLD_MAX;
  const sentences = toldFaults(errors).map(
    ({ field, value, allowed }) => `${field} is ${value === '' ? 'empty' : value}; allowed: ${allowed}`,
  );
  return more > 0 ? [...sentences, `and ${more.toLocaleString('en')} more`] : sentences;
}
