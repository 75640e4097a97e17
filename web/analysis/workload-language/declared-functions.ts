// Declares functions, and knows what may be called.
import { script_limits } from '../../contract/workload-operations.ts';
import type { Errors } from '../latch-language/lab-error.ts';
import type { Block, Named, OwnFunctionNode, Place, WorkloadPart } from '../latch-language/syntax-tree.ts';
import { calls, reservedCalls, type DeclaredNames } from './declared-names.ts';
import type { FunctionSymbol } from './functions.ts';
import type { ValueType } from './values.ts';

const localTypes: Readonly<Record<string, ValueType>> = { uint: 'uint', duration: 'duration', size: 'size' };
/** Of the compiler’s tree: the deepest source without functions has about half of it. */
const DEPTH_MAX = 800;

export class DeclaredFunctions {
  hasTooManyInstructions = false;
  /** Lines of functions that are declared later, or just now, by their names. */
  private readonly later = new Map<string, number>();
  private readonly depths = new Map<string, number>();

  constructor(
    private readonly errors: Errors,
    private readonly names: DeclaredNames,
  ) {}

  /** Notes all functions of a file before the first is declared. */
  expect(parts: readonly WorkloadPart[]): void {
    for (const part of parts)
      if (part.kind === 'function') this.later.set(part.named.name, this.errors.lineOf(part.named.from));
  }

  /** Declares a function. Its name is known only after `check`, which reports the errors of its body. */
  add(node: OwnFunctionNode, check: (symbol: FunctionSymbol) => void): void {
    const { type, named, taken, body } = node;
    const { name } = named;
    const before = this.errors.found.length;
    if (calls.includes(name) && !reservedCalls.includes(name))
      this.errors.add(named, `the name ${name} is already used by the language: choose another name`);
    this.names.reserve(named);
    const symbol: FunctionSymbol = {
      ...{ kind: 'function', name, body, isWrong: false },
      taken: taken.map((one) => ({ named: one.named, type: this.typeOfLocal(one.type, 'a function takes') })),
      returns: type.name === 'void' ? undefined : this.typeOfLocal(type, 'a function returns'),
    };
    if (this.checkDepth(node)) check(symbol);
    symbol.isWrong = this.errors.found.length > before;
    this.later.delete(name);
    this.names.symbols.set(name, symbol);
  }

  /** Returns the type of a local or of a function. `what` begins the sentence of an error. */
  typeOfLocal(type: Named, what: string): ValueType {
    if (Object.hasOwn(localTypes, type.name)) return localTypes[type.name]!;
    this.errors.add(type, `${what} a uint, a duration or a size: write uint instead of ${type.name}`, 'uint');
    return 'uint';
  }

  /** Reports a body or a function that is nested too deeply, together with what it calls. */
  checkDepth({ named, body }: { named: Named; body: Block }): boolean {
    const depth = depthOf(body, (name) => this.depths.get(name) ?? 0);
    this.depths.set(named.name, depth);
    if (depth <= DEPTH_MAX) return true;
    this.errors.add(named, `${named.name} is nested too deeply, together with the functions that it calls`);
    return false;
  }

  /** Says why a name cannot be called although the file declares it. */
  whyNotCalled(name: string): string | undefined {
    const line = this.later.get(name);
    if (line === undefined) return undefined;
    return this.names.isDeclared(name)
      ? `${name} calls itself: the language has no recursion, so write a loop`
      : `${name} is declared in line ${line}: declare it before its call`;
  }

  reportTooMany(call: Place): void {
    if (this.hasTooManyInstructions) return;
    this.hasTooManyInstructions = true;
    const most = script_limits.instructions_max;
    const sentence = `a workload has at most ${most} instructions; each call adds those of its function, and here there are more`;
    this.errors.noting('', () => this.errors.add(call, sentence));
  }
}

/**
 * Returns how deep a part of the tree is nested. A call is as deep as its function, which `ofFunction`
 * returns.
 */
function depthOf(part: Block, ofFunction: (name: string) => number): number {
  const inside = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const deepest = Object.values(value).reduce<number>((most, one) => Math.max(most, inside(one)), 0);
    return 1 + deepest + (isCall(value) ? ofFunction(value.callee.name) : 0);
  };
  return inside(part);
}

const isCall = (value: object): value is Place & { kind: 'call'; callee: Named } =>
  'kind' in value && value.kind === 'call';
