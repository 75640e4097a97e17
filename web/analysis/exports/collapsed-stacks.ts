// Collapsed stacks, a line for each: frames from the outermost to the innermost, then how often it was found.
// The input of flamegraph.pl (https://github.com/brendangregg/FlameGraph), inferno and speedscope.

/** Threads that were found with one stack during a run. */
export interface SampledStack {
  /** Outermost function first. */
  frames: readonly string[];
  samples: number;
}

export function collapsedStacks(stacks: readonly SampledStack[]): string {
  return stacks
    .filter(({ frames }) => frames.length > 0)
    .map(({ frames, samples }) => `${frames.map(frameName).join(';')} ${samples}\n`)
    .join('');
}

// The two characters that have a meaning of their own.
const frameName = (name: string) => name.replaceAll(';', ':').replaceAll(/[\r\n]+/g, ' ');
