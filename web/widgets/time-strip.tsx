import { useEffect, useRef } from 'react';
import { useErrorBoundary } from 'react-error-boundary';

import { TimeStripChart, type TimeStripView } from '../charts/time-strip-chart';
import type { ExplorerState } from '../session/store';
import { drawOnChanges } from './draw-on-changes';
import { useSession } from './session-context';
import { TimeGestures, type TimeSurface } from './time-gestures';

const STEP_PART = 0.1;
const LONG_STEP_PART = 0.5;

/** The known time, and a window of it that a reader moves and zooms. */
export interface TimeStripModel extends Pick<TimeSurface, 'grab' | 'press' | 'reset'> {
  view: () => TimeStripView;
  inWords: (view: TimeStripView) => string;
  /** Calls back when there are more data; returns a function that stops it. */
  subscribe: (onData: () => void) => () => void;
  /** Returns whether a change of the page's state changes the strip. */
  concerns?: (state: ExplorerState, before: ExplorerState) => boolean;
  pan: (byNs: number) => void;
  /** Scales the window by `factor` around a moment; by default around the one in the middle. */
  zoom: (factor: number, aroundNs?: number) => void;
  /** Factor of a key. */
  keyFactor: number;
}

interface TimeStripProps {
  model: TimeStripModel;
  label: string;
  /** Describes the keys. */
  keys: string;
  title: string;
}

/** Shows all known time, and the window of it that other charts show. */
export function TimeStrip({ model, label, keys, title }: TimeStripProps) {
  const session = useSession();
  const { showBoundary } = useErrorBoundary();
  const host = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chart = new TimeStripChart(host.current!);
    const gestures = new TimeGestures(handle.current!, { ...model, timeAt: (xPx) => chart.timeAt(xPx) });
    const endDrawing = drawOnChanges(session, chart, {
      draw: () => {
        const view = model.view();
        chart.draw(view);
        describe(handle.current!, view, model.inWords(view));
      },
      subscribe: model.subscribe,
      concerns: model.concerns,
      onFault: showBoundary,
    });
    return () => {
      endDrawing();
      gestures.destroy();
    };
  }, [session, model, showBoundary]);
  return (
    <div className="overview chart-box">
      <div ref={host} className="chart" aria-hidden="true" />
      <div
        ref={handle}
        className="chart-cursor overview-handle"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-description={keys}
        aria-valuenow={0}
        title={title}
        onKeyDown={(event) => {
          if (event.altKey || event.ctrlKey || event.metaKey || !moveByKey(model, event)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
    </div>
  );
}

/** Writes seconds without an exponent, which ARIA does not allow. */
const decimalSeconds = (ns: number) => (ns / 1e9).toFixed(9);

function describe(handle: HTMLElement, { whole, shown }: TimeStripView, words: string): void {
  handle.ariaValueMin = decimalSeconds(whole.fromNs);
  handle.ariaValueMax = decimalSeconds(whole.toNs);
  handle.ariaValueNow = decimalSeconds(shown.fromNs);
  handle.ariaValueText = words;
}

/** Returns whether the strip handles this key. */
function moveByKey(model: TimeStripModel, { key, shiftKey }: { key: string; shiftKey: boolean }): boolean {
  const { whole, shown } = model.view();
  const stepNs = (shown.toNs - shown.fromNs) * (shiftKey ? LONG_STEP_PART : STEP_PART);
  if (key === 'ArrowLeft' || key === 'ArrowDown') model.pan(-stepNs);
  else if (key === 'ArrowRight' || key === 'ArrowUp') model.pan(stepNs);
  else if (key === 'Home') model.pan(whole.fromNs - shown.fromNs);
  else if (key === 'End') model.pan(whole.toNs - shown.toNs);
  else if (key === '+' || key === '=') model.zoom(1 / model.keyFactor);
  else if (key === '-' || key === '_') model.zoom(model.keyFactor);
  else return (key === '0' || key === 'Escape') && model.reset?.() === true;
  return true;
}
