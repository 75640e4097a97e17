import { useEffect, useState } from 'react';

import type { RealServers } from '../analysis/real-servers/count-tables';
import { loadRealServers } from './real-servers';

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
