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
