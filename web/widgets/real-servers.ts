// Loads counts of real servers, which the build reads and checks (web/build/real-servers.ts).
import { real_servers } from 'virtual:real-servers';

import type { RealServers } from '../analysis/real-servers/beside';

/** Loads the counts of a bug. */
export async function loadRealServers(scenario: string): Promise<RealServers> {
  const load = (real_servers as Record<string, (() => Promise<{ found: RealServers }>) | undefined>)[
    scenario
  ];
  if (load === undefined) throw new Error(`This build has no measurements for ${scenario}.`);
  return (await load()).found;
}
