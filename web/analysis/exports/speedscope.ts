// Writes sampled stacks for flamegraph.pl, inferno and https://www.speedscope.app.

/** One stack, and how many samples of a run found a thread in it. */
interface SampledStack {
  /** Outermost function first. */
  frames: readonly string[];
  samples: number;
}

/**
 * Writes collapsed stacks, one per line: frames from the outermost to the innermost, then the number
 * of samples (https://github.com/brendangregg/FlameGraph).
 */
export function collapsedStacks(stacks: readonly SampledStack[]): string {
  return stacks
    .filter(({ frames }) => frames.length > 0)
    .map(({ frames, samples }) => `${frames.map(frameName).join(';')} ${samples}\n`)
    .join('');
}

// A semicolon and a line break are separators of the format.
const frameName = (name: string) => name.replaceAll(';', ':').replaceAll(/[\r\n]+/g, ' ');

const SCHEMA = 'https://www.speedscope.app/file-format-schema.json';

interface SpeedscopeFile {
  $schema: typeof SCHEMA;
  name: string;
  exporter: string;
  activeProfileIndex: number;
  shared: { frames: { name: string }[] };
  profiles: SampledProfile[];
}

interface SampledProfile {
  type: 'sampled';
  name: string;
  /** Weights are sample counts. */
  unit: 'none';
  startValue: number;
  endValue: number;
  /** Indices into the shared frames, outermost function first. */
  samples: number[][];
  weights: number[];
}

/**
 * Returns the file's content. `name` identifies the run, `exporter` the program that wrote the
 * file.
 */
export function speedscopeFile(
  stacks: readonly SampledStack[],
  { name, exporter }: { name: string; exporter: string },
): SpeedscopeFile {
  const names = [...new Set(stacks.flatMap(({ frames }) => frames))];
  const indices = new Map(names.map((frame, index) => [frame, index]));
  const weights = stacks.map(({ samples }) => samples);
  return {
    $schema: SCHEMA,
    name,
    exporter,
    activeProfileIndex: 0,
    shared: { frames: names.map((frame) => ({ name: frame })) },
    profiles: [
      {
        type: 'sampled',
        name,
        unit: 'none',
        startValue: 0,
        endValue: weights.reduce((sum, weight) => sum + weight, 0),
        samples: stacks.map(({ frames }) => frames.map((frame) => indices.get(frame)!)),
        weights,
      },
    ],
  };
}
