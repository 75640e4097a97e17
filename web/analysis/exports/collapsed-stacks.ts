// Writes collapsed stacks, one per line: frames from the outermost to the innermost, then the
// number of samples. flamegraph.pl (https://github.com/brendangregg/FlameGraph), inferno and
// speedscope read them.

/** One stack, and how many samples of a run found a thread in it. */
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

// A semicolon and a line break are separators of the format.
const frameName = (name: string) => name.replaceAll(';', ':').replaceAll(/[\r\n]+/g, ' ');
