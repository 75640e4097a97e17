// Provides the shared moment to views, renders them when it changes, and describes it in words.
import { useEffect, useState } from 'react';

import { formatDurationNs } from '../../analysis/format';
import { frames } from '../../charts/frames';
import { useModel, useSession } from '../../widgets/session-context';
import { cursorOf, type MomentCursor } from './moment-cursor';

export const useMomentCursor = (): MomentCursor => cursorOf(useModel('locks'), useSession());

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
      if (reader.session.store.getState().run_state === 'running') frames.schedule('draw', again);
      else again();
    });
    return () => {
      unsubscribe();
      frames.cancel(again);
    };
  }, [reader]);
}

/** Shown while there are no events: no latch was watched, or no thread has used one since. */
export const NO_LATCH_ACTIVITY = 'No latch activity yet.';

/** Shown before the first run. */
export const RUN_TO_TRACE = 'Run to trace the hottest latches.';

/** Formats run time to the nanosecond, in milliseconds below a second and in seconds above. */
export const exactTime = (tNs: number): string =>
  tNs < 1e9 ? `${(tNs / 1e6).toFixed(6)} ms` : `${(tNs / 1e9).toFixed(9)} s`;

/** Describes the shown part of time, and the shown moment. */
export function momentInWords({ look, range, known }: MomentCursor): string {
  const width = formatDurationNs(range.toNs - range.fromNs);
  if (look !== null) return `at ${exactTime(look.tNs)} · ${width} shown · pinned`;
  return `${width} up to ${exactTime(Math.min(range.toNs, known.nowNs))}`;
}
