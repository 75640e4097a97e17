import { useEffect, useRef } from 'react';
import { useErrorBoundary } from 'react-error-boundary';

import { formatDurationNs } from '../../analysis/format';
import { WindowStripChart } from '../../charts/window-strip-chart';
import { drawOnChanges } from '../../widgets/draw-on-changes';
import type { MomentCursor } from './moment-cursor';
import { exactTime } from './moment-words';
import { useMomentCursor } from './use-moment-cursor';
import { WindowGestures } from './window-gestures';

const KEYS =
  'Left and right arrows: move by a tenth, with Shift by a half. Plus and minus: zoom. Home and End: start and end of the recorded time.';
const STEP_PART = 0.1;
const LONG_STEP_PART = 0.5;

/**
 * Shows the whole recorded time of threads and latches, with a window for the part that track and
 * lanes show. The window can be moved and zoomed.
 */
export function WindowStrip() {
  const reader = useMomentCursor();
  const host = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLDivElement>(null);
  const { showBoundary } = useErrorBoundary();
  useEffect(() => {
    const chart = new WindowStripChart(host.current!);
    const slider = handle.current!;
    const showAround = (tNs: number) => {
      reader.pan(tNs - (reader.range.fromNs + reader.range.toNs) / 2);
    };
    const gestures = new WindowGestures(slider, {
      timeAt: (xPx) => chart.timeAt(xPx),
      zoom: (factor, aroundNs) => {
        reader.zoom(factor, aroundNs);
      },
      // The drag moves the window, not the time below it.
      pan: (byNs) => {
        reader.pan(-byNs);
      },
      point: () => undefined,
      press: ({ xPx }) => {
        const time = chart.timeAt(xPx);
        if (time !== null) showAround(time.tNs);
      },
    });
    const end = drawOnChanges(reader.session, {
      draw: () => {
        const { knownFromNs, nowNs } = reader.knownTime;
        const known = { fromNs: knownFromNs, toNs: Math.max(nowNs, knownFromNs + 1) };
        chart.draw({ queue: reader.chosen?.queue ?? [], known, nowNs, shown: reader.range });
        describe(slider, reader);
      },
      restyle: () => {
        chart.restyle();
      },
      subscribe: (onData) => reader.subscribe(onData),
      concerns: () => false,
      onFault: showBoundary,
    });
    return () => {
      end();
      gestures.destroy();
      chart.destroy();
    };
  }, [reader, showBoundary]);
  return (
    <div className="overview chart-box window-strip">
      <div ref={host} className="chart" aria-hidden="true" />
      <div
        ref={handle}
        className="chart-cursor overview-handle"
        role="slider"
        tabIndex={0}
        aria-label="Visible time of track and lanes"
        aria-description={KEYS}
        aria-valuenow={0}
        title="Drag to move, scroll to zoom"
        onKeyDown={(event) => {
          if (event.altKey || event.ctrlKey || event.metaKey || !moveByKey(reader, event)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
    </div>
  );
}

/** Returns whether the strip handles this key. */
function moveByKey(reader: MomentCursor, event: { key: string; shiftKey: boolean }): boolean {
  const { key } = event;
  const { fromNs, toNs } = reader.range;
  const { knownFromNs, nowNs } = reader.knownTime;
  const stepNs = (toNs - fromNs) * (event.shiftKey ? LONG_STEP_PART : STEP_PART);
  if (key === 'ArrowLeft' || key === 'ArrowDown') reader.pan(-stepNs);
  else if (key === 'ArrowRight' || key === 'ArrowUp') reader.pan(stepNs);
  else if (key === 'Home') reader.pan(knownFromNs - fromNs);
  else if (key === 'End') reader.pan(nowNs - toNs);
  else if (key === '+' || key === '=') reader.zoom(0.5);
  else if (key === '-' || key === '_') reader.zoom(2);
  else return false;
  return true;
}

function describe(handle: HTMLElement, { range, knownTime: { knownFromNs, nowNs } }: MomentCursor): void {
  const { fromNs, toNs } = range;
  handle.ariaValueMin = String(knownFromNs / 1e9);
  handle.ariaValueMax = String(nowNs / 1e9);
  handle.ariaValueNow = String(fromNs / 1e9);
  handle.ariaValueText = `${formatDurationNs(toNs - fromNs)} from ${exactTime(fromNs)}, of ${formatDurationNs(nowNs - knownFromNs)} recorded`;
}
