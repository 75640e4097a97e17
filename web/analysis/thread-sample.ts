// Defines samples of threads, and names their functions and latches.
import type { Names, SampledThread } from '../engine-client/snapshot';
import type { FoldedStack } from '../contract/live-view';

/** A sample of a thread: its state, and its stack as a number in a StackTable. */
export interface ThreadSample extends SampledThread {
  stack: number;
}

/** Samples of all threads, and the names that describe them. */
export interface ThreadSamples {
  /** One list of samples per moment, oldest first. */
  byMoment: readonly (readonly ThreadSample[])[];
  stackTable: StackTable;
  names: Names;
}

/** Returns names of a stack's functions, innermost first. */
export function frameNames({ stackTable, names }: ThreadSamples, stack: number): string[] {
  return stackTable.frames(stack).map((index) => names.functions[index] ?? `function ${index}`);
}

/** Returns the name of the latch that a site acquires. */
export function latchOfSite({ names }: ThreadSamples, site: number): string {
  const latch = names.latchSites[site]?.latch;
  return (latch === undefined ? undefined : names.latches[latch]) ?? `latch site ${site}`;
}

/** The number of a stack without frames: not recorded, or not readable. */
export const NO_STACK = 0;

/**
 * Assigns a small number to each distinct stack of function indices, so that folding is counting.
 */
export class StackTable {
  // A tree of frames. A caller and a function identify a node.
  readonly #nodes = new Map<number, number>();
  readonly #callers: number[] = [0];
  readonly #functions: number[] = [0];

  /** Returns the number of a stack. REQUIRES: `frames` outermost first. */
  intern(frames: ArrayLike<number>, depth: number): number {
    let node = 0;
    for (let i = 0; i < depth; i += 1) node = this.#callee(node, frames[i]!);
    return node;
  }

  /** Returns the function indices of a stack, innermost first. */
  frames(stack: number): number[] {
    const frames: number[] = [];
    for (let node = stack; node !== 0; node = this.#callers[node]!) frames.push(this.#functions[node]!);
    return frames;
  }

  #callee(caller: number, functionIndex: number): number {
    const functionsMax = 4096;
    const key = caller * functionsMax + functionIndex;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const node = this.#callers.push(caller) - 1;
    this.#functions.push(functionIndex);
    this.#nodes.set(key, node);
    return node;
  }
}

/** Returns the most frequent stacks of clients, most frequent first. */
export function foldStacks(samples: ThreadSamples, rowsMax: number): FoldedStack[] {
  const counts = new Map<number, number>();
  for (const { isClient, stack } of samples.byMoment.flat()) {
    if (isClient && stack !== NO_STACK) counts.set(stack, (counts.get(stack) ?? 0) + 1);
  }
  return [...counts]
    .sort(([stackA, countA], [stackB, countB]) => countB - countA || stackA - stackB)
    .slice(0, rowsMax)
    .map(([stack, count]) => ({ count, frames: frameNames(samples, stack) }));
}
