import type { CpuProfile, ProfileRow } from '../contract/live-view';
import { frameNames, type ThreadSample, type ThreadSamples } from './thread-sample';

/** Computes where client and server threads spend the time in which they run or poll a latch. */
export function cpuProfile(samples: ThreadSamples, rowsMax: number): CpuProfile {
  const onCpu = samples.byMoment.flat().filter(isOnCpu);
  const polling = onCpu.filter(({ state }) => state === 'spinning').length;
  return {
    samples: onCpu.length,
    polling: onCpu.length === 0 ? null : polling / onCpu.length,
    rows: profileRows(samples, onCpu).slice(0, rowsMax),
  };
}

/** Counts as `perf` does: a core that waits for a cache line is busy. */
const isOnCpu = ({ state }: ThreadSample) =>
  state === 'running' || state === 'stalled' || state === 'spinning';

function profileRows(samples: ThreadSamples, onCpu: ThreadSample[]): ProfileRow[] {
  const self = new Map<string, number>();
  const children = new Map<string, number>();
  for (const { stack } of onCpu) {
    const frames = frameNames(samples, stack);
    addOne(self, frames[0] ?? OUTSIDE);
    // A recursive function counts once per sample.
    for (const symbol of new Set(frames.length === 0 ? [OUTSIDE] : frames)) addOne(children, symbol);
  }
  return [...children]
    .map(([symbol, count]) => ({
      symbol,
      children: count / onCpu.length,
      self: (self.get(symbol) ?? 0) / onCpu.length,
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
