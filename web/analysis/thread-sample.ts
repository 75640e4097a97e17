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
