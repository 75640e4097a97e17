import type { Names, SampledThread } from '../engine-client/snapshot';
import type { StackTable } from './stack-table';

/** One look at a thread: what it did, its stack as a number of a StackTable. */
export interface ThreadSample extends SampledThread {
  stack: number;
}

/** Samples of all threads, and what is needed to put them in words. */
export interface ThreadSamples {
  /** The samples of each moment, oldest first. */
  by_moment: readonly (readonly ThreadSample[])[];
  stack_table: StackTable;
  names: Names;
}

/** Names of a stack's functions, innermost first. */
export function frameNames({ stack_table, names }: ThreadSamples, stack: number): string[] {
  return stack_table.frames(stack).map((index) => names.functions[index] ?? `function ${index}`);
}

/** Name of the latch that is taken at a site. */
export function latchOfSite({ names }: ThreadSamples, site: number): string {
  const latch = names.latch_sites[site]?.latch;
  return (latch === undefined ? undefined : names.latches[latch]) ?? `latch site ${site}`;
}
