import { realServers } from 'virtual:real-servers';
import { useEffect, useState } from 'react';

import type { RealServers } from '../analysis/real-servers/count-tables';

/** Returns the counts of a bug; null until they are loaded. */
export function useRealServers(scenario: string): RealServers | Error | null {
  const [found, setFound] = useState<RealServers | Error | null>(null);
  useEffect(() => {
    let isLeft = false;
    const set = (loaded: RealServers | Error) => {
      if (!isLeft) setFound(loaded);
    };
    loadRealServers(scenario).then(set, (error: unknown) => {
      set(error instanceof Error ? error : new Error(String(error)));
    });
    return () => {
      isLeft = true;
    };
  }, [scenario]);
  return found;
}

/** Loads the counts of a bug, which the build has checked (web/build/real-servers.ts). */
export async function loadRealServers(scenario: string): Promise<RealServers> {
  const load = (realServers as Record<string, (() => Promise<{ found: RealServers }>) | undefined>)[scenario];
  if (load === undefined) throw new Error(`This build has no measurements for ${scenario}.`);
  return (await load()).found;
}
