import { frameNames, type ThreadSamples } from './thread-sample';

/** The number of a stack without frames: it was not seen, or would not stand still. */
export const NO_STACK = 0;

/** Threads that were found with the same stack. */
export interface FoldedStack {
  /** Innermost function first, as in the aggregated thread stacks of bug reports. */
  frames: string[];
  count: number;
}

/** Gives every distinct stack of function indices a small number, so that folding is counting. */
export class StackTable {
  // A tree of frames: a node is known by its caller and its function.
  readonly #nodes = new Map<number, number>();
  readonly #callers: number[] = [0];
  readonly #functions: number[] = [0];

  /** `frames` are outermost first. */
  intern(frames: ArrayLike<number>, depth: number): number {
    let node = 0;
    for (let i = 0; i < depth; i += 1) node = this.#callee(node, frames[i]!);
    return node;
  }

  /** Function indices of a stack, innermost first. */
  frames(stack: number): number[] {
    const frames: number[] = [];
    for (let node = stack; node !== 0; node = this.#callers[node]!) frames.push(this.#functions[node]!);
    return frames;
  }

  #callee(caller: number, function_index: number): number {
    const functions_max = 4096;
    const key = caller * functions_max + function_index;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const node = this.#callers.push(caller) - 1;
    this.#functions.push(function_index);
    this.#nodes.set(key, node);
    return node;
  }
}

/** The most frequent stacks of clients, most frequent first. */
export function foldStacks(samples: ThreadSamples, rows_max: number): FoldedStack[] {
  const counts = new Map<number, number>();
  for (const { is_client, stack } of samples.looks.flat()) {
    if (is_client && stack !== NO_STACK) counts.set(stack, (counts.get(stack) ?? 0) + 1);
  }
  return [...counts]
    .sort(([stack_a, count_a], [stack_b, count_b]) => count_b - count_a || stack_a - stack_b)
    .slice(0, rows_max)
    .map(([stack, count]) => ({ count, frames: frameNames(samples, stack) }));
}
