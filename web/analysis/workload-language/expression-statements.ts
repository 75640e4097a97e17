// Compiles statements that are calls or assignments.
import type { Errors } from '../latch-language/lab-error.ts';
import type { Assignment, Call, Expression, Indexed, NameUse } from '../latch-language/syntax-tree.ts';
import { insteadOfWriting } from '../latch-language/word-operands.ts';
import { siteOf, type BodyState } from './body-state.ts';
import { draws, ownNames } from './declared-names.ts';
import type { WorkloadExpressions } from './expressions.ts';
import type { NamesInBody } from './names-in-body.ts';
import { exampleOf, UINT_MAX, type ValueType } from './values.ts';
import { sleepOn, type ScriptOperation, type WorkloadCode } from './workload-code.ts';

interface Effect {
  operation: ScriptOperation;
  takes: ValueType;
}

const effects: Readonly<Record<string, Effect>> = {
  work: { operation: 'work', takes: 'duration' },
  think: { operation: 'think', takes: 'duration' },
  sleep: { operation: 'sleep', takes: 'duration' },
  check: { operation: 'check', takes: 'uint' },
  led_by: { operation: 'led_by', takes: 'uint' },
};

const HOUR_PS = 3_600_000_000_000_000n;
const conditionCalls = ['wait', 'signal', 'broadcast'];

export class ExpressionStatements {
  private readonly errors: Errors;
  private readonly code: WorkloadCode;

  constructor(
    private readonly state: BodyState,
    private readonly names: NamesInBody,
    private readonly expressions: WorkloadExpressions,
  ) {
    this.errors = state.errors;
    this.code = state.code;
  }

  compile(expression: Expression): void {
    const { mark } = this.code;
    if (expression.kind === 'assignment') this.assignment(expression);
    else if (expression.kind === 'call' && Object.hasOwn(effects, expression.callee.name))
      this.effect(expression, effects[expression.callee.name]!);
    else if (expression.kind === 'call' && conditionCalls.includes(expression.callee.name))
      this.onCondition(expression);
    else if (expression.kind === 'call' && expression.callee.name === 'arrive')
      this.errors.add(
        expression,
        'arrive belongs directly in the body of the clients, before the transaction',
      );
    else if (expression.kind === 'call' && !draws.includes(expression.callee.name))
      this.expressions.calls.call(expression, false);
    else {
      const found = this.errors.found.length;
      this.expressions.value(expression);
      if (this.errors.found.length === found)
        this.errors.add(expression, 'this does nothing: a statement is a call or an assignment');
    }
    this.code.releaseTo(mark);
  }

  private effect(call: Call, { operation, takes }: Effect): void {
    const { name } = call.callee;
    if (!this.expressions.calls.isAllowedHere(call)) return;
    if (!this.expressions.calls.hasOneArgument(call, exampleOf[takes])) return;
    if (name === 'think' && this.state.isInTransaction)
      this.errors.add(call, 'think is time between transactions: inside of one, write sleep');
    if (name === 'think' && this.state.nesting.includes('hold'))
      this.errors.add(call, 'nothing may be held during think');
    if (name === 'led_by' && !this.state.isInTransaction && !this.state.isAlone)
      this.errors.add(call, 'led_by belongs in a transaction: it ends with it');
    const [given] = call.given;
    const constant = this.names.constant(given!);
    if (takes === 'duration' && constant?.type === 'duration' && constant.value > HOUR_PS)
      this.errors.add(given!, `${name} takes at most 1h, not ${this.errors.text(given!)}`);
    const a = this.expressions.valueOf(takes, `${name} takes`, given!);
    this.code.write(operation, { a });
  }

  /** `wait(c)`, `signal(c)` or `broadcast(c)`. */
  private onCondition(call: Call): void {
    const { name } = call.callee;
    if (!this.expressions.calls.isAllowedHere(call)) return;
    const [example = 'ready'] = this.names.globals.namesOf('condition');
    if (!this.expressions.calls.hasOneArgument(call, example)) return;
    if (name === 'wait' && !this.state.nesting.includes('hold') && !this.state.isAlone)
      this.errors.add(call, 'wait releases the latch taken last while it sleeps: write it inside hold L { }');
    const immediate = this.expressions.conditions.operand(call.given[0]!, name);
    if (name === 'wait') {
      const site = siteOf(this.state, call.callee);
      this.code.write('wait', { immediate: sleepOn(immediate, site) });
      return;
    }
    const [found, count] = [this.code.takeRegister(), this.code.takeRegister()];
    this.code.constant(count, 1n);
    this.code.write('fetch_add', { target: found, a: count, immediate });
    if (name === 'broadcast') this.code.constant(count, UINT_MAX);
    this.code.write('futex_wake', { target: found, a: count, immediate });
  }

  private assignment({ operator, target, value, ...place }: Assignment): void {
    const local = target.kind === 'name' ? this.names.locals.find(target.name) : undefined;
    const word = this.wordIn(target);
    if (word !== undefined) {
      const given = value === undefined ? '1' : this.errors.text(value);
      const instead = insteadOfWriting(operator, given, this.expressions.words.wordInWords(word));
      this.errors.add(place, `${this.errors.text(target)} is a word: write ${instead}`, instead);
      return;
    }
    const counter = target.kind === 'name' && this.names.globalOf('counter', target.name);
    if (counter) {
      const meant = `count(${target.name})`;
      this.errors.add(place, `${target.name} is a counter: write ${meant}`, meant);
      return;
    }
    if (target.kind !== 'name' || (local === undefined && this.isKnown(target.name))) {
      this.errors.add(target, `cannot assign to ${this.errors.text(target)}: only locals can be assigned`);
      return;
    }
    if (local === undefined) {
      this.names.unknown(target);
      return;
    }
    if (operator !== '=' || value === undefined) {
      const text = this.errors.text(target);
      const added = value === undefined ? '1' : this.errors.text(value);
      const meant = `${text} = ${text} ${operator[0]!} ${added}`;
      this.errors.add(place, `the language has no ${operator}: write ${meant}`, meant);
      return;
    }
    this.expressions.valueInto(local.type, `${target.name} is`, value, local.register);
  }

  /** Returns the word that the expression names. */
  private wordIn(target: Expression): NameUse | Indexed | undefined {
    if (target.kind !== 'name' && target.kind !== 'indexed') return undefined;
    const { name } = target.kind === 'indexed' ? target.name : target;
    return this.names.wordOf('word', name) && target;
  }

  private isKnown(name: string): boolean {
    return this.names.globals.symbols.has(name) || ownNames.includes(name);
  }
}
