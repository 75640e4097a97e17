// Provides the shared moment reader to views, and renders them when it changes.
import { useEffect, useState } from 'react';

import { scheduleInFrame, unschedule } from '../../charts/frame-scheduler';
import { useSession } from '../../widgets/session-context';
import { useLocks } from './locks-context';
import { cursorOf, type MomentCursor } from './moment-cursor';

export const useMomentCursor = (): MomentCursor => cursorOf(useLocks(), useSession());

/**
 * Renders the view again, at most once per frame, when the moment or its data change. During a run
 * it has a frame of its own.
 */
export function useMomentOf(reader: MomentCursor): void {
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
