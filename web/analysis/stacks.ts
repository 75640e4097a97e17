import type { FoldedStack } from '../contract/live-view';
import { NO_STACK } from './stack-table';
import { frameNames, type ThreadSamples } from './thread-sample';

/** Returns the most frequent stacks of clients, most frequent first. */
export function foldStacks(samples: ThreadSamples, rows_max: number): FoldedStack[] {
  const counts = new Map<number, number>();
  for (const { isClient, stack } of samples.by_moment.flat()) {
    if (isClient && stack !== NO_STACK) counts.set(stack, (counts.get(stack) ?? 0) + 1);
  }
  return [...counts]
    .sort(([stack_a, count_a], [stack_b, count_b]) => count_b - count_a || stack_a - stack_b)
    .slice(0, rows_max)
    .map(([stack, count]) => ({ count, frames: frameNames(samples, stack) }));
}
