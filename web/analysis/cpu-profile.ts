import type { CpuProfile, ProfileRow } from '../contract/live-view';
import { frameNames, type ThreadSample, type ThreadSamples } from './thread-sample';

/** Computes where client and server threads spend the time in which they run or poll a latch. */
export function cpuProfile(samples: ThreadSamples, rows_max: number): CpuProfile {
  const on_cpu = samples.by_moment.flat().filter(isOnCpu);
  const polling = on_cpu.filter(({ state }) => state === 'spinning').length;
  return {
    samples: on_cpu.length,
    polling: on_cpu.length === 0 ? null : polling / on_cpu.length,
    rows: profileRows(samples, on_cpu).slice(0, rows_max),
  };
}

/** Counts as `perf` does: a core that waits for a cache line is busy. */
const isOnCpu = ({ state }: ThreadSample) =>
  state === 'running' || state === 'stalled' || state === 'spinning';

function profileRows(samples: ThreadSamples, on_cpu: ThreadSample[]): ProfileRow[] {
  const self = new Map<string, number>();
  const children = new Map<string, number>();
  for (const { stack } of on_cpu) {
    const frames = frameNames(samples, stack);
    addOne(self, frames[0] ?? OUTSIDE);
    // A recursive function counts once per sample.
    for (const symbol of new Set(frames.length === 0 ? [OUTSIDE] : frames)) addOne(children, symbol);
  }
  return [...children]
    .map(([symbol, count]) => ({
      symbol,
      children: count / on_cpu.length,
      self: (self.get(symbol) ?? 0) / on_cpu.length,
    }))
    .sort((a, b) => b.self - a.self || b.children - a.children);
}

/**
 * Row for samples without a stack: between two functions of the engine, or in one without a frame.
 */
export const OUTSIDE = '[no frame]';

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
