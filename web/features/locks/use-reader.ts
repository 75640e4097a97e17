import { useEffect, useState } from 'react';

import { scheduleInFrame, unschedule } from '../../charts/frame-scheduler';
import { useSession } from '../../widgets/session-context';
import { useLocks } from './locks-context';
import { readerOf, type MomentReader } from './moment-reader';

export const useReader = (): MomentReader => readerOf(useLocks(), useSession());

/**
 * The view renders again, at most once in a frame, when the moment or what is known of it changes. While the run goes on it has
 * a frame of its own.
 */
export function useMomentOf(reader: MomentReader): void {
  const [, setTimes] = useState(0);
  useEffect(() => {
    const again = () => {
      setTimes((times) => times + 1);
    };
    const unsubscribe = reader.subscribe(() => {
      if (reader.session.store.getState().run_state === 'running') scheduleInFrame(again);
      else again();
    });
    return () => {
      unsubscribe();
      unschedule(again);
    };
  }, [reader]);
}
