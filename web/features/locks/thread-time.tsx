import type { ReactNode } from 'react';

import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { Part } from '../../widgets/part';
import { useIsVirtual } from '../../widgets/run-time';
import { LanesPanel } from './lanes-panel';
import { LatchTrackPanel } from './latch-track-panel';
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

/** Explains why real threads have no latch track, and where to find one. */
function RealThreadsNote() {
  return (
    <Panel title="Latch track" className="real-threads-note">
      <p>
        The latch track needs the virtual server: on real threads, recording each hold would slow the latch.
        Going back needs the virtual server too.{' '}
        <CommandButton command="locks.on_virtual_server" className="button-small">
          Run on the virtual server
        </CommandButton>
      </p>
    </Panel>
  );
}
