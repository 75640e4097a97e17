// A sampled profile for https://www.speedscope.app; the format is described by
// https://www.speedscope.app/file-format-schema.json.
import type { SampledStack } from './collapsed-stacks';

const SCHEMA = 'https://www.speedscope.app/file-format-schema.json';

export interface SpeedscopeFile {
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
  /** Weights are counts of samples. */
  unit: 'none';
  startValue: number;
  endValue: number;
  /** Indices into the shared frames, outermost function first. */
  samples: number[][];
  weights: number[];
}

/** `name` says which run it is; `exporter` which program wrote it. */
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
