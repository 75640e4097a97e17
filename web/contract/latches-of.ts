import { engine_latches, scenario_latches } from './engine-latches.ts';
import type { Manifest } from './manifest.ts';
import type { LatchSites } from './run-spec-fields.ts';
import { sitesOfProgram } from './workload-manifest.ts';

/**
 * Returns the latches of a scenario's server or workload, in order, and the sites of each. The server
 * may have a latch that no run of this build has reached.
 */
export function latchesOf({ id, workload }: Pick<Manifest, 'id' | 'workload'>): LatchSites {
  if (workload !== undefined) return sitesOfProgram(workload.program);
  const sites: LatchSites = engine_latches;
  const latches = scenario_latches[id] ?? Object.keys(sites);
  return Object.fromEntries(latches.map((latch) => [latch, sites[latch] ?? []]));
}
