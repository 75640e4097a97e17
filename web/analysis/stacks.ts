import type { FoldedStack } from '../contract/live-view';
import { NO_STACK } from './stack-table';
import { frameNames, type ThreadSamples } from './thread-sample';

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
