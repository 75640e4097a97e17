import { memo, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useErrorBoundary } from 'react-error-boundary';

import { allLaneOrders } from '../../analysis/lane-order';
import { CommandButton } from '../../widgets/command-button';
import { writeText } from '../../charts/quiet-dom';
import { LaneLegend, laneStyles } from '../../widgets/lane-legend';
import { Panel } from '../../widgets/panel';
import { useExplorer, useModel } from '../../widgets/session-context';
import { stateNames } from '../../widgets/state-names';
import { DrawnLanes, noCaption } from './drawn-lanes';
import { orderTitles, orderCommandId } from './locks-state';
import { useMomentCursor } from './use-moment-cursor';

interface LanesPanelProps {
  /** Controls of the pace of virtual time. */
  timeControls?: ReactNode;
}

/**
 * Draws what each thread does, event by event, in a window of virtual time, and which thread blocks
 * which.
 */
export function LanesPanel({ timeControls }: LanesPanelProps) {
  const reader = useMomentCursor();
  const host = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnLanes>(null);
  const [caption, setCaption] = useState(noCaption);
  const words = useRef<HTMLParagraphElement>(null);
  const { showBoundary } = useErrorBoundary();
  const helpId = useId();
  const locks = useModel('locks');
  useEffect(
    () =>
      locks.lanesAreRevealedBy(() => {
        host.current?.scrollIntoView({ block: 'center' });
        host.current?.focus({ preventScroll: true });
      }),
    [locks],
  );
  useEffect(() => {
    const lanes = new DrawnLanes(
      reader,
      { host: host.current!, scroller: scroller.current! },
      {
        setCaption,
        // The words change with every move of the pointer. Written without React, which would
        // render the panel each time.
        setWords: (text) => {
          if (words.current !== null) writeText(words.current, text);
        },
        onFault: showBoundary,
      },
    );
    drawn.current = lanes;
    return () => {
      lanes.end();
      drawn.current = null;
    };
  }, [reader, showBoundary]);
  return (
    <Panel
      title="Thread lanes"
      remark={caption.shown}
      note={timeControls}
      className="chart-panel chart-panel-lanes"
    >
      <LaneControls />
      <div ref={scroller} className="lane-scroller">
        <div
          ref={host}
          className="chart lane-chart"
          // It handles its own keys, as a grid of moments.
          role="application"
          aria-roledescription="thread lanes"
          tabIndex={0}
          aria-label={`Thread states over virtual time. ${caption.now}`}
          aria-describedby={helpId}
          onKeyDown={(event) => {
            if (!event.altKey && !event.ctrlKey && !event.metaKey && drawn.current?.key(event))
              event.preventDefault();
          }}
        />
        <div className="lane-scroll-room" style={{ height: `${caption.scrollSpacePx}px` }} />
      </div>
      <p ref={words} className="lane-words" role="status" />
      <p id={helpId} className="lane-help muted">
        Click to pin. Drag to move, scroll to zoom. Keys: arrows select, Shift+arrows shift time, + and −
        zoom, Enter goes to the holder, Backspace goes back, Escape follows the run.
      </p>
    </Panel>
  );
}

const legendEntries = laneStyles.map((style) => ({ ...style, name: stateNames[style.state] }));

/** Does not render again when the caption changes with the run. */
const LaneControls = memo(function LaneControls() {
  return (
    <div className="row lane-controls">
      <OrderChoice />
      <LaneLegend entries={legendEntries} />
    </div>
  );
});

function OrderChoice() {
  const order = useExplorer((state) => state.locks.order);
  return (
    <span className="lane-order" role="group" aria-label="Lane order">
      <span aria-hidden="true">Sort by</span>
      {allLaneOrders.map((one) => (
        <CommandButton
          key={one}
          command={orderCommandId(one)}
          className="button-small"
          pressed={one === order}
        >
          {orderTitles[one]}
        </CommandButton>
      ))}
    </span>
  );
}
