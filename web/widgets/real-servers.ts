// Loads counts of real servers, which the build reads and checks (web/build/real-servers.ts).
import { realServers } from 'virtual:real-servers';

import type { RealServers } from '../analysis/real-servers/count-tables';

/** Loads the counts of a bug. */
export async function loadRealServers(scenario: string): Promise<RealServers> {
  const load = (realServers as Record<string, (() => Promise<{ found: RealServers }>) | undefined>)[scenario];
  if (load === undefined) throw new Error(`This build has no measurements for ${scenario}.`);
  return (await load()).found;
}
