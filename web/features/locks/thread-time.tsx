import { useMemo, type ReactNode } from 'react';

import { formatDurationNs } from '../../analysis/format';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { Part } from '../../widgets/part';
import { useIsVirtual } from '../../widgets/run-time';
import { TimeStrip, type TimeStripModel } from '../../widgets/time-strip';
import { LanesPanel } from './lanes-panel';
import { LatchTrackPanel } from './latch-track-panel';
import type { MomentCursor } from './moment-cursor';
import { exactTime, useMomentCursor } from './use-moment-cursor';
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

/** Shows all recorded time, with a window for the part that track and lanes show. */
function WindowStrip() {
  const reader = useMomentCursor();
  const model = useMemo(() => stripModel(reader), [reader]);
  return (
    <TimeStrip
      model={model}
      label="Visible time of track and lanes"
      keys="Left and right arrows: move by a tenth, with Shift by a half. Plus and minus: zoom. Home and End: start and end of the recorded time."
      title="Drag to move, scroll to zoom"
    />
  );
}

const stripModel = (reader: MomentCursor): TimeStripModel => ({
  view: () => {
    const { knownFromNs, nowNs } = reader.knownTime;
    const whole = { fromNs: knownFromNs, toNs: Math.max(nowNs, knownFromNs + 1) };
    return { whole, shown: reader.range, data: { queue: reader.chosen?.queue ?? [], nowNs } };
  },
  inWords: ({ shown: { fromNs, toNs } }) => {
    const { knownFromNs, nowNs } = reader.knownTime;
    return `${formatDurationNs(toNs - fromNs)} from ${exactTime(fromNs)}, of ${formatDurationNs(nowNs - knownFromNs)} recorded`;
  },
  subscribe: (onData) => reader.subscribe(onData),
  pan: reader.pan,
  zoom: reader.zoom,
  keyFactor: 2,
  // The drag moves the window, not the time below it.
  grab: (fromNs) => {
    let beforeNs = fromNs;
    return (tNs) => {
      reader.pan(tNs - beforeNs);
      beforeNs = tNs;
    };
  },
  press: (_, tNs) => {
    if (tNs !== null) reader.pan(tNs - (reader.range.fromNs + reader.range.toNs) / 2);
  },
});

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
