// Defines samples of threads, and names their functions and latches.
import type { Names, SampledThread } from '../engine-client/snapshot';
import type { StackTable } from './stack-table';

/** A sample of a thread: its state, and its stack as a number in a StackTable. */
export interface ThreadSample extends SampledThread {
  stack: number;
}

/** Samples of all threads, and the names that describe them. */
export interface ThreadSamples {
  /** One list of samples per moment, oldest first. */
  by_moment: readonly (readonly ThreadSample[])[];
  stack_table: StackTable;
  names: Names;
}

/** Returns names of a stack's functions, innermost first. */
export function frameNames({ stack_table, names }: ThreadSamples, stack: number): string[] {
  return stack_table.frames(stack).map((index) => names.functions[index] ?? `function ${index}`);
}

/** Returns the name of the latch that a site acquires. */
export function latchOfSite({ names }: ThreadSamples, site: number): string {
  const latch = names.latchSites[site]?.latch;
  return (latch === undefined ? undefined : names.latches[latch]) ?? `latch site ${site}`;
}
