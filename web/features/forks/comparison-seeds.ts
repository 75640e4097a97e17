import type { Fault } from '../../contract/fault';
import type { RunSpec } from '../../contract/run-spec';
import { integerInWords } from '../../contract/schema-parts';
import { describeValue } from '../../contract/versions';
import { seedFaults, seedsRange } from '../../session/repeated-seeds';

/** Returns faults unless both branches can run with this number of seeds. */
export function comparisonFaults(spec: RunSpec, seeds: unknown): Fault[] {
  if (!isNumberOfSeeds(seeds)) {
    const allowed = integerInWords(seedsRange.min, seedsRange.max);
    return [{ field: 'seeds', value: describeValue(seeds), allowed }];
  }
  return seedFaults(spec, seeds, 'seeds');
}

export const isNumberOfSeeds = (seeds: unknown): seeds is number =>
  Number.isInteger(seeds) && Number(seeds) >= seedsRange.min && Number(seeds) <= seedsRange.max;
