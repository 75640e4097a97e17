// Loads what the build has made for each bug when a view needs it.
import { realServers } from 'virtual:real-servers';
import { useEffect, useState } from 'react';

import type { RealServers } from '../analysis/real-servers/count-tables';
import { useExplorer } from './session-context';

/** Returns what `load` gives for a key, such as the id of a bug; null until it is loaded. */
export function useLoaded<Loaded>(
  load: (key: string) => Promise<Loaded>,
  key: string,
): Loaded | Error | null {
  const [found, setFound] = useState<Loaded | Error | null>(null);
  useEffect(() => {
    let isLeft = false;
    const set = (loaded: Loaded | Error) => {
      if (!isLeft) setFound(loaded);
    };
    load(key).then(set, (error: unknown) => set(error instanceof Error ? error : new Error(String(error))));
    return () => {
      isLeft = true;
    };
  }, [load, key]);
  return found;
}

/** Loads the counts of a bug, which the build has checked (web/build/real-servers.ts). */
export async function loadRealServers(scenario: string): Promise<RealServers> {
  const load = realServers[scenario];
  if (load === undefined) throw new Error(`This build has no measurements for ${scenario}.`);
  return (await load()).found as RealServers;
}

/** Returns the counts of the shown bug; null until they are loaded. */
export const useRealServers = () =>
  useLoaded(
    loadRealServers,
    useExplorer((state) => state.scenario.manifest.id),
  );
