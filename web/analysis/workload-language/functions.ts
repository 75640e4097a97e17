// The functions that a workload declares. Each call inserts the code of its function.
import type { Block, Named, Statement } from '../latch-language/syntax-tree.ts';
import type { ValueType } from './values.ts';

export interface TakenValue {
  named: Named;
  type: ValueType;
}

export interface FunctionSymbol {
  kind: 'function';
  name: string;
  taken: readonly TakenValue[];
  /** Absent: it returns no value. */
  returns: ValueType | undefined;
  body: Block;
  /** Whether its declaration has errors: then no call inserts it. */
  isWrong: boolean;
  /** Whether it is none of the file: then its errors are those of the call. */
  isOfLanguage?: true;
}

/** Returns how a call is written, such as `slot(uint i)`. */
export const callInWords = ({ name, taken }: FunctionSymbol) =>
  `${name}(${taken.map(({ named, type }) => `${type} ${named.name}`).join(', ')})`;

/** Reports whether a statement always returns, or never ends. */
export function alwaysReturns(statement: Statement): boolean {
  switch (statement.kind) {
    case 'return':
      return true;
    case 'block':
      return statement.statements.some(alwaysReturns);
    case 'if':
      return statement.otherwise !== undefined && [statement.then, statement.otherwise].every(alwaysReturns);
    case 'in':
    case 'hold':
      return alwaysReturns(statement.body);
    case 'try':
      return statement.otherwise !== undefined && [statement.body, statement.otherwise].every(alwaysReturns);
    default:
      return false;
  }
}
