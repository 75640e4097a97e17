import type { ReactNode } from 'react';

import { Part } from '../../widgets/part';
import { useIsVirtual } from '../../widgets/run-time';
import { LanesPanel } from './lanes-panel';
import { LatchTrackPanel } from './latch-track-panel';
import { RealThreadsNote } from './real-threads-note';
import { WindowStrip } from './window-strip';
import './locks.css';

/**
 * Shows latches and threads on one axis of virtual time, and which part of the recorded time it
 * covers.
 */
export function ThreadTime({ timeControls }: { timeControls?: ReactNode }) {
  if (!useIsVirtual()) return <RealThreadsNote />;
  return (
    <>
      <Part name="The latch track">
        <LatchTrackPanel />
      </Part>
      <Part name="The thread lanes">
        <LanesPanel timeControls={timeControls} />
      </Part>
      <Part name="The time window">
        <WindowStrip />
      </Part>
    </>
  );
}
