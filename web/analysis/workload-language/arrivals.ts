// Compiles arrivals of requests.
import type { Call, Expression, Statement } from '../latch-language/syntax-tree.ts';
import type { BodyState } from './body-state.ts';
import type { WorkloadExpressions } from './expressions.ts';
import type { NamesInBody } from './names-in-body.ts';

export class Arrivals {
  private hasArrived = false;

  constructor(
    private readonly state: BodyState,
    private readonly names: NamesInBody,
    private readonly expressions: WorkloadExpressions,
  ) {}

  /** `arrive(exponential(100us));`, directly in the body of clients. */
  add(call: Call, { hasTransaction, hasBegun }: { hasTransaction: boolean; hasBegun: boolean }): void {
    const { expressions } = this;
    const { errors, code, group } = this.state;
    const [given] = call.given;
    if (!expressions.calls.isAllowedHere(call)) return;
    if (!hasTransaction) {
      errors.add(call, 'requests arrive at the clients: only a body with a transaction has arrive');
      return;
    }
    if (hasBegun) errors.add(call, 'arrive belongs before the transaction that the request begins');
    if (this.hasArrived) errors.add(call, `${group.named.name} has two arrivals: one is allowed`);
    this.hasArrived = true;
    if (!expressions.calls.hasOneArgument(call, 'exponential(100us)')) return;
    const isExponential = given!.kind === 'call' && given!.callee.name === 'exponential';
    const [interval = given!] = isExponential ? given!.given : [];
    if (isExponential && given!.given.length !== 1) expressions.value(given!);
    else if (!isSameForAll(interval, (name) => this.names.isLocal(name)))
      errors.add(
        interval,
        'all clients share one stream of requests: write its interval as arrive(100us) or arrive(exponential(100us)), with constants, parameters and knobs',
      );
    const { mark } = code;
    const a = expressions.valueOf('duration', isExponential ? 'exponential takes' : 'arrive takes', interval);
    code.releaseTo(mark);
    code.write(isExponential ? 'arrive_exponential' : 'arrive', { a });
  }
}

export const arrivalIn = (statement: Statement): Call | undefined =>
  statement.kind === 'expression' &&
  statement.expression.kind === 'call' &&
  statement.expression.callee.name === 'arrive'
    ? statement.expression
    : undefined;

/** Reports whether a value is the same for all clients and all their transactions. */
function isSameForAll(value: Expression, isLocal: (name: string) => boolean): boolean {
  switch (value.kind) {
    case 'number':
      return true;
    case 'name':
      return !isLocal(value.name) && value.name !== 'me' && value.name !== 'index';
    case 'unary':
      return isSameForAll(value.operand, isLocal);
    case 'binary':
      return isSameForAll(value.left, isLocal) && isSameForAll(value.right, isLocal);
    default:
      return false;
  }
}
