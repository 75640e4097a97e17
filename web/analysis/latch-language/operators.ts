// The operation of each operator with two operands, for numbers of 32 bits. Both program formats
// have these.
type Operation =
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'divide'
  | 'remainder'
  | 'bit_and'
  | 'bit_or'
  | 'bit_xor'
  | 'shift_left'
  | 'shift_right'
  | 'equal'
  | 'not_equal'
  | 'less'
  | 'less_or_equal';

/** `a > b` is `b < a`: its operands are swapped. */
export const operationOf: Readonly<Record<string, { operation: Operation; isSwapped?: true }>> = {
  '+': { operation: 'add' },
  '-': { operation: 'subtract' },
  '*': { operation: 'multiply' },
  '/': { operation: 'divide' },
  '%': { operation: 'remainder' },
  '&': { operation: 'bit_and' },
  '|': { operation: 'bit_or' },
  '^': { operation: 'bit_xor' },
  '<<': { operation: 'shift_left' },
  '>>': { operation: 'shift_right' },
  '==': { operation: 'equal' },
  '!=': { operation: 'not_equal' },
  '<': { operation: 'less' },
  '<=': { operation: 'less_or_equal' },
  '>': { operation: 'less', isSwapped: true },
  '>=': { operation: 'less_or_equal', isSwapped: true },
};
