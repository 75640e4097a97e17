/** One fault of an input, in the form in which the engine, the page and the command line report it. */
export interface FieldError {
  /** Path of the field, such as `parameters.tables` or `actions[0].at_s`. */
  field: string;
  value: string;
  /** What would have been accepted, in words. */
  allowed: string;
}

export function describeFieldError({ field, value, allowed }: FieldError): string {
  return `${field} is ${value === '' ? 'empty' : value}; allowed: ${allowed}`;
}
