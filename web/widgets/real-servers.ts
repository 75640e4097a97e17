// What was counted on real servers, read and checked when the page is built (web/build/real-servers.ts).
import { real_servers } from 'virtual:real-servers';

import type { RealServers } from '../analysis/real-servers/beside';

/** Loads what was counted of a bug. */
export async function loadRealServers(scenario: string): Promise<RealServers> {
  const load = (real_servers as Record<string, (() => Promise<{ found: RealServers }>) | undefined>)[
    scenario
  ];
  if (load === undefined) throw new Error(`This build has no measurements for ${scenario}.`);
  return (await load()).found;
}
