import { useEffect, useRef, useState } from 'react';

import { busy_states } from '../analysis/time-shares';
import { LaneChart, type LaneStyle } from '../charts/lane-chart';
import { thread_states } from '../engine-client/gen/telemetry-layout';
import type { Session } from '../state/session';
import { drawOnChanges } from './draw-on-changes';
import { scheduleInFrame } from './frame-scheduler';
import { Panel } from './panel';
import { useSession } from './session-context';
import { state_names } from './state-names';

/** Drawing some ten thousand segments takes a while; more often nobody can see. */
const DRAW_INTERVAL_MS = 100;

const widths = [
  { title: '50 µs', ns: 50_000 },
  { title: '500 µs', ns: 500_000 },
  { title: '5 ms', ns: 5_000_000 },
];

const heights = { running: 1, spinning: 0.78, waiting: 0.5, sleeping: 0.16, io: 0.32 };
const lane_styles = busy_states.map((state) => ({
  state,
  color: `--state-${state}`,
  height: heights[state],
})) satisfies LaneStyle[];

/** What each client does, event by event, in the newest part of virtual time. */
export function LanesPanel() {
  const session = useSession();
  const host = useRef<HTMLDivElement>(null);
  const [width_ns, setWidth] = useState(widths[1]!.ns);
  const [caption, setCaption] = useState(no_caption);
  useEffect(() => {
    const chart = new LaneChart(host.current!, lane_styles);
    const stop = followLanes(chart, session, width_ns, setCaption);
    return () => {
      stop();
      chart.destroy();
    };
  }, [session, width_ns]);
  return (
    <Panel title="Thread lanes" remark={caption.shown} className="chart-panel chart-panel-lanes">
      <div className="lane-controls">
        <WidthChoice width_ns={width_ns} onChange={setWidth} />
        <LaneLegend />
      </div>
      <div
        ref={host}
        className="chart"
        role="img"
        aria-label={`What each client thread does over virtual time. ${caption.now}`}
      />
    </Panel>
  );
}

interface Caption {
  /** Which lanes there are. */
  shown: string;
  /** What clients do now, in words. */
  now: string;
}
const no_caption: Caption = { shown: 'each state change', now: 'Nothing has run yet.' };

function WidthChoice({ width_ns, onChange }: { width_ns: number; onChange: (ns: number) => void }) {
  return (
    <fieldset className="lane-width">
      <legend className="visually-hidden">Virtual time shown</legend>
      {widths.map(({ title, ns }) => (
        <label key={ns}>
          <input
            type="radio"
            name="lane-width"
            checked={ns === width_ns}
            onChange={() => {
              onChange(ns);
            }}
          />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  );
}

function LaneLegend() {
  return (
    <span className="legend">
      {lane_styles.map(({ state, color, height }) => (
        <span key={state} className="legend-entry">
          <svg width="18" height="12" aria-hidden="true">
            <rect width="18" y={12 - 12 * height} height={12 * height} fill={`var(${color})`} />
          </svg>
          {state_names[state]}
        </span>
      ))}
    </span>
  );
}

/** Returns the function that ends it. */
function followLanes(
  chart: LaneChart,
  session: Session,
  width_ns: number,
  setCaption: (update: (shown: Caption) => Caption) => void,
): () => void {
  let drawn_at_ms = Number.NEGATIVE_INFINITY;
  const draw = () => {
    if (performance.now() - drawn_at_ms < DRAW_INTERVAL_MS) {
      scheduleInFrame(draw);
      return;
    }
    drawn_at_ms = performance.now();
    const { clients, now_ns } = session.lanesNow();
    chart.draw({ lanes: session.lanes, states_now: clients, now_ns, width_ns });
    const caption = captionOf(clients, chart.rowsFor(clients.length));
    setCaption((shown) => (shown.now === caption.now && shown.shown === caption.shown ? shown : caption));
  };
  return drawOnChanges(session, {
    draw,
    restyle: () => {
      chart.restyle();
    },
    subscribe: (onData) => session.lanes.subscribe(onData),
    concerns: (state, before) => state.run_state !== before.run_state,
  });
}

function captionOf(clients: readonly number[], rows: number): Caption {
  if (clients.length === 0) return no_caption;
  const counts = busy_states
    .map((state) => ({
      state,
      count: clients.filter((seen) => thread_states[seen] === state).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${state_names[state]}`);
  return {
    shown:
      rows < clients.length ? `the first ${rows} of ${clients.length} clients` : `${clients.length} clients`,
    now: counts.length === 0 ? 'No client is under way.' : `Now: ${counts.join(', ')}.`,
  };
}
