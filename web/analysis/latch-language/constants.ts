// Evaluates constant expressions: unsigned 32-bit values.
import type { Errors } from './lab-error.ts';
import type { Call, Expression } from './syntax-tree.ts';
import type { OperationName } from './lab-code.ts';

export const builtInConstants: Readonly<Record<string, number>> = { nobody: 0, all: 0xffffffff };

const bit = (truth: boolean) => (truth ? 1 : 0);

const binaryOperators: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => (a + b) >>> 0,
  '-': (a, b) => (a - b) >>> 0,
  '*': (a, b) => Math.imul(a, b) >>> 0,
  '/': (a, b) => Math.floor(a / b),
  '%': (a, b) => a % b,
  '&': (a, b) => (a & b) >>> 0,
  '|': (a, b) => (a | b) >>> 0,
  '^': (a, b) => (a ^ b) >>> 0,
  '<<': (a, b) => (b < 32 ? (a << b) >>> 0 : 0),
  '>>': (a, b) => (b < 32 ? a >>> b : 0),
  '==': (a, b) => bit(a === b),
  '!=': (a, b) => bit(a !== b),
  '<': (a, b) => bit(a < b),
  '<=': (a, b) => bit(a <= b),
  '>': (a, b) => bit(a > b),
  '>=': (a, b) => bit(a >= b),
  '&&': (a, b) => bit(a !== 0 && b !== 0),
  '||': (a, b) => bit(a !== 0 || b !== 0),
};

const unaryOperators: Readonly<Record<string, (a: number) => number>> = {
  '!': (a) => bit(a === 0),
  '-': (a) => -a >>> 0,
  '~': (a) => ~a >>> 0,
};

/** Parses a number literal; undefined if the text is not a number, or needs more than 32 bits. */
export function valueOfDigits(text: string): number | undefined {
  if (!/^(\d+|0[xX][0-9a-fA-F]+)$/.test(text)) return undefined;
  const value = Number(text);
  return value <= 0xffffffff ? value : undefined;
}

/** Returns undefined if the value is known only at run time, or divides by zero. */
export function constantValue(
  expression: Expression,
  named: (name: string) => number | undefined,
): number | undefined {
  switch (expression.kind) {
    case 'number':
      return valueOfDigits(expression.text);
    case 'name':
      return named(expression.name);
    case 'unary': {
      const operand = constantValue(expression.operand, named);
      return operand === undefined ? undefined : unaryOperators[expression.operator]?.(operand);
    }
    case 'binary': {
      const left = constantValue(expression.left, named);
      const right = left === undefined ? undefined : constantValue(expression.right, named);
      if (left === undefined || right === undefined) return undefined;
      if (right === 0 && /[/%]/.test(expression.operator)) return undefined;
      return binaryOperators[expression.operator]!(left, right);
    }
    default:
      return undefined;
  }
}

export interface BuiltIn {
  operation: OperationName;
  /** The word that it accesses, then its values, as error messages name them. */
  parameters: readonly string[];
  hasWord: boolean;
  givesValue: boolean;
  /** Default value of the last parameter, if that is optional. */
  leftOut?: number;
}

const onWord = (operation: OperationName, givesValue: boolean, ...values: string[]): BuiltIn => ({
  operation,
  parameters: ['word', ...values],
  hasWord: true,
  givesValue,
});
const plain = (operation: OperationName, givesValue: boolean, ...parameters: string[]): BuiltIn => ({
  operation,
  parameters,
  hasWord: false,
  givesValue,
});

export const builtIns: Readonly<Record<string, BuiltIn>> = {
  load: onWord('load', true),
  store: onWord('store', false, 'value'),
  exchange: onWord('exchange', true, 'value'),
  compare_exchange: onWord('compare_exchange', true, 'expected', 'desired'),
  fetch_add: onWord('fetch_add', true, 'value'),
  fetch_sub: onWord('fetch_sub', true, 'value'),
  fetch_and: onWord('fetch_and', true, 'value'),
  fetch_or: onWord('fetch_or', true, 'value'),
  fetch_xor: onWord('fetch_xor', true, 'value'),
  futex_wait: onWord('futex_wait', false, 'expected'),
  futex_wake: onWord('futex_wake', true, 'count'),
  fence: plain('fence', false),
  pause: { ...plain('pause', false, 'count'), leftOut: 1 },
  yield: plain('yield', false),
  random: plain('random', true, 'limit'),
  check: plain('check', false, 'condition'),
};

/** Reports a call with too few or too many arguments. */
export function hasRightCount(errors: Errors, call: Call, { parameters, leftOut }: BuiltIn): boolean {
  const least = parameters.length - (leftOut === undefined ? 0 : 1);
  if (call.given.length >= least && call.given.length <= parameters.length) return true;
  const { name } = call.callee;
  const shapes = [...(leftOut === undefined ? [] : [`${name}()`]), `${name}(${parameters.join(', ')})`];
  errors.add(call, `${name} got ${call.given.length} arguments: write ${shapes.join(' or ')}`);
  return false;
}

/**
 * Rejects the result of compare_exchange as a condition. In C++ it reports whether it wrote. Here it
 * is the value found, whose truth is often the opposite.
 */
export function refuseExchangeAsTruth(errors: Errors, condition: Expression): void {
  const isNegated = condition.kind === 'unary' && condition.operator === '!';
  const call = isNegated ? condition.operand : condition;
  if (call.kind !== 'call' || call.callee.name !== 'compare_exchange' || call.given.length !== 3) return;
  const meant = `${errors.text(call)} ${isNegated ? '!=' : '=='} ${errors.text(call.given[1]!)}`;
  errors.add(
    condition,
    `compare_exchange() returns the value it found, not whether it wrote: write ${meant}`,
    meant,
  );
}
