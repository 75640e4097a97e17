// Lists the built-in functions of the language.
import type { OperationName } from './code-writer.ts';

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
