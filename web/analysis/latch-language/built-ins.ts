// Lists the built-in functions of the language.
import type { OperationName } from './code-writer.ts';

export interface BuiltIn {
  operation: OperationName;
  /** The word that it accesses, then its values, as error messages name them. */
  parameters: readonly string[];
  has_word: boolean;
  gives_value: boolean;
  /** Default value of the last parameter, if that is optional. */
  left_out?: number;
}

const onWord = (operation: OperationName, gives_value: boolean, ...values: string[]): BuiltIn => ({
  operation,
  parameters: ['word', ...values],
  has_word: true,
  gives_value,
});
const plain = (operation: OperationName, gives_value: boolean, ...parameters: string[]): BuiltIn => ({
  operation,
  parameters,
  has_word: false,
  gives_value,
});

export const built_ins: Readonly<Record<string, BuiltIn>> = {
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
  pause: { ...plain('pause', false, 'count'), left_out: 1 },
  yield: plain('yield', false),
  random: plain('random', true, 'limit'),
  check: plain('check', false, 'condition'),
};
