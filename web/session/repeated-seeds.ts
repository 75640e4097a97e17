// Numbers the repeats of a run on the virtual server: each uses the next seed.
import type { Fault } from '../contract/fault';
import { engine_limits } from '../contract/engine-limits';
import { SEED_MAX, type RunSpec } from '../contract/run-spec';

/** How many seeds the engine processes together. */
export const seedsRange = { min: 1, max: engine_limits.repeated_seeds_max };

/** Returns a fault unless the seed of a run leaves room for the following seeds. */
export function seedFaults({ seed }: RunSpec, times: number, word: 'seeds' | 'repeats'): Fault[] {
  const most = SEED_MAX - times + 1;
  if (seed <= most) return [];
  return [
    { field: 'seed', value: String(seed), allowed: `an integer from 0 to ${most}, with ${times} ${word}` },
  ];
}
