import { useEffect, useId, useRef, useState } from 'react';
import { useErrorBoundary } from 'react-error-boundary';

import { spanInWords, threadName } from '../../analysis/lane-words';
import { busy_states } from '../../contract/time-shares';
import { LaneChart, type LaneCursor, type LaneStyle } from '../../charts/lane-chart';
import { thread_states } from '../../contract/gen/telemetry-layout';
import type { RunThread } from '../../engine-client/snapshot';
import type { LaneSegment } from '../../contract/lane-segment';
import type { LanesNow } from '../../recording/lane-history';
import type { Session } from '../../session/session';
import { drawOnChanges, orFault } from '../../widgets/draw-on-changes';
import { scheduleInFrame, unschedule } from '../../widgets/frame-scheduler';
import { Panel } from '../../widgets/panel';
import { useSession } from '../../widgets/session-context';
import { state_names } from '../../widgets/state-names';

/** Drawing some ten thousand segments takes a while; more often nobody can see. */
const DRAW_INTERVAL_MS = 100;
const SCROLL_PX_PER_LANE = 9;

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

/** What each thread does, event by event, in the newest part of virtual time; and who holds up whom. */
export function LanesPanel() {
  const session = useSession();
  const host = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const follower = useRef<LaneFollower>(null);
  const [width_ns, setWidth] = useState(widths[1]!.ns);
  const [caption, setCaption] = useState(no_caption);
  const [words, setWords] = useState('');
  const { showBoundary } = useErrorBoundary();
  const help_id = useId();
  useEffect(() => {
    const follow = new LaneFollower(session, { host: host.current!, scroller: scroller.current! }, width_ns, {
      setCaption,
      setWords,
      onFault: showBoundary,
    });
    follower.current = follow;
    return () => {
      follow.end();
      follower.current = null;
    };
  }, [session, width_ns, showBoundary]);
  return (
    <Panel title="Thread lanes" remark={caption.shown} className="chart-panel chart-panel-lanes">
      <div className="lane-controls">
        <WidthChoice width_ns={width_ns} onChange={setWidth} />
        <LaneLegend />
      </div>
      <div ref={scroller} className="lane-scroller">
        <div
          ref={host}
          className="chart lane-chart"
          // It has keys of its own, as a grid of moments.
          role="application"
          aria-roledescription="thread lanes"
          tabIndex={0}
          aria-label={`What each thread does over virtual time. ${caption.now}`}
          aria-describedby={help_id}
          onPointerMove={(event) => {
            follower.current?.pointAt(event.nativeEvent.offsetX, event.nativeEvent.offsetY);
          }}
          onPointerLeave={() => {
            follower.current?.pointAway();
          }}
          onClick={() => {
            follower.current?.pin();
          }}
          onKeyDown={(event) => {
            if (!event.altKey && !event.ctrlKey && !event.metaKey && follower.current?.key(event.key))
              event.preventDefault();
          }}
        />
        <div className="lane-scroll-room" style={{ height: `${caption.scroll_room_px}px` }} />
      </div>
      <p className="lane-words" role="status">
        {words}
      </p>
      <p id={help_id} className="lane-help">
        Point at a moment, or focus the lanes: arrow keys move, Enter goes to the latch’s holder, Backspace
        back, Escape follows the run again.
      </p>
    </Panel>
  );
}

interface Caption {
  /** Which lanes there are. */
  shown: string;
  /** What clients do now, in words. */
  now: string;
  /** How much further down lanes reach than fits. */
  scroll_room_px: number;
}
const no_caption: Caption = { shown: 'each state change', now: 'Nothing has run yet.', scroll_room_px: 0 };

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

/** What of the lanes is drawn: their newest part, or what the reader looks at. */
class LaneFollower {
  readonly #session: Session;
  readonly #scroller: HTMLElement;
  readonly #width_ns: number;
  readonly #setCaption: (update: (shown: Caption) => Caption) => void;
  readonly #setWords: (words: string) => void;
  readonly #chart: LaneChart;
  readonly #draw: () => void;
  readonly #stopDrawing: () => void;
  #drawn_at_ms = Number.NEGATIVE_INFINITY;
  /** While the reader looks at a moment the picture stands still. */
  #held: LanesNow | null = null;
  #cursor: LaneCursor | null = null;
  #is_pinned = false;
  /** The moments that led here along the chain of waits. */
  #came_from: LaneCursor[] = [];

  constructor(
    session: Session,
    places: { host: HTMLElement; scroller: HTMLElement },
    width_ns: number,
    tell: {
      setCaption: (update: (shown: Caption) => Caption) => void;
      setWords: (words: string) => void;
      onFault: (error: unknown) => void;
    },
  ) {
    this.#session = session;
    this.#scroller = places.scroller;
    this.#width_ns = width_ns;
    this.#setCaption = tell.setCaption;
    this.#setWords = tell.setWords;
    this.#chart = new LaneChart(places.host, lane_styles);
    this.#draw = orFault(() => {
      this.#drawWhenDue();
    }, tell.onFault);
    this.#scroller.addEventListener('scroll', this.#drawSoon);
    this.#stopDrawing = drawOnChanges(session, {
      onFault: tell.onFault,
      draw: this.#draw,
      restyle: () => {
        this.#chart.restyle();
      },
      subscribe: (onData) => session.lanes.subscribe(onData),
      concerns: (state, before) => {
        const is_new = state.spec !== before.spec;
        if (is_new) this.#lookAway();
        return is_new || state.run_state !== before.run_state;
      },
    });
  }

  end(): void {
    this.#stopDrawing();
    unschedule(this.#draw);
    this.#scroller.removeEventListener('scroll', this.#drawSoon);
    this.#setWords('');
    this.#chart.destroy();
  }

  pointAt(x_px: number, y_px: number): void {
    if (this.#is_pinned) return;
    const place = this.#chart.placeAt(x_px, y_px);
    if (place === null) this.#lookAway();
    else this.#lookAt(place.slot, place.t_ns);
  }

  pointAway(): void {
    if (!this.#is_pinned) this.#lookAway();
  }

  /** A click holds what is pointed at; another lets it go. */
  pin(): void {
    this.#is_pinned = !this.#is_pinned && this.#cursor !== null;
  }

  /** Returns whether it was a key of the lanes. */
  key(key: string): boolean {
    const cursor = this.#cursor;
    if (cursor === null) return this.#beginByKey(key);
    switch (key) {
      case 'ArrowLeft':
        this.#stepBefore(cursor);
        break;
      case 'ArrowRight':
        this.#lookByKey(cursor.slot, Math.min(cursor.to_ns, this.#now().now_ns));
        break;
      case 'ArrowUp':
      case 'ArrowDown':
        this.#stepLane(cursor, key === 'ArrowUp' ? -1 : 1);
        break;
      case 'Enter':
        this.#goToHolder(cursor);
        break;
      case 'Backspace':
        this.#goBack();
        break;
      case 'Escape':
        this.#lookAway();
        break;
      default:
        return false;
    }
    return true;
  }

  #beginByKey(key: string): boolean {
    if (!key.startsWith('Arrow') && key !== 'Enter') return false;
    const { threads, now_ns } = this.#now();
    const first = threads[this.#firstRow()];
    if (first !== undefined) this.#lookByKey(first.slot, now_ns);
    return true;
  }

  #stepBefore({ slot, from_ns }: LaneCursor): void {
    const before = this.#session.lanes.before(slot, from_ns);
    if (before !== null) this.#lookByKey(slot, before.from_ns);
  }

  #stepLane({ slot, t_ns }: LaneCursor, step: number): void {
    const { threads } = this.#now();
    const next = threads[threads.findIndex((thread) => thread.slot === slot) + step];
    if (next !== undefined) this.#lookByKey(next.slot, t_ns);
  }

  #goToHolder(cursor: LaneCursor): void {
    if (cursor.holder === null) return;
    this.#came_from.push(cursor);
    this.#lookByKey(cursor.holder, cursor.t_ns);
  }

  #goBack(): void {
    const cursor = this.#came_from.pop();
    if (cursor !== undefined) this.#lookByKey(cursor.slot, cursor.t_ns);
  }

  #lookByKey(slot: number, t_ns: number): void {
    this.#is_pinned = true;
    this.#lookAt(slot, t_ns);
    this.#scrollTo(slot);
  }

  #lookAt(slot: number, t_ns: number): void {
    this.#held ??= this.#session.lanesNow();
    const now = this.#now();
    const segment = this.#session.lanes.at(slot, t_ns);
    const since_ns = this.#session.lanes.before(slot, now.now_ns)?.to_ns ?? 0;
    const { from_ns, to_ns } = segment ?? { from_ns: since_ns, to_ns: now.now_ns };
    const holder = segment === null || segment.holder < 0 ? null : segment.holder;
    this.#cursor = { slot, t_ns, from_ns, to_ns, holder };
    this.#setWords(this.#inWords(slot, segment, from_ns, to_ns));
    this.#drawSoon();
  }

  #inWords(slot: number, segment: LaneSegment | null, from_ns: number, to_ns: number): string {
    const { threads, names } = this.#now();
    const thread = threads.find((one) => one.slot === slot);
    if (thread === undefined) return '';
    const holder = threads.find((one) => one.slot === segment?.holder);
    const span = {
      from_ns,
      to_ns,
      state: thread_states[segment?.state ?? thread.state] ?? 'absent',
      site: segment?.site ?? -1,
      holder_site: segment?.holder_site ?? -1,
      holder: holder === undefined ? null : threadName(holder, names),
    };
    return spanInWords(threadName(thread, names), span, state_names, names);
  }

  #lookAway(): void {
    this.#held = null;
    this.#cursor = null;
    this.#is_pinned = false;
    this.#came_from = [];
    this.#setWords('');
    this.#drawSoon();
  }

  #now(): LanesNow {
    return this.#held ?? this.#session.lanesNow() ?? nothing_yet;
  }

  #firstRow(): number {
    const { threads } = this.#now();
    const hidden = threads.length - this.#chart.rowsFor(threads.length);
    const room_px = this.#scroller.scrollHeight - this.#scroller.clientHeight;
    return room_px <= 0 ? 0 : Math.round((this.#scroller.scrollTop / room_px) * Math.max(0, hidden));
  }

  #scrollTo(slot: number): void {
    const { threads } = this.#now();
    const rows = this.#chart.rowsFor(threads.length);
    const row = threads.findIndex((thread) => thread.slot === slot);
    const first = this.#firstRow();
    const hidden = threads.length - rows;
    if (hidden <= 0 || (row >= first && row < first + rows)) return;
    const wanted = Math.min(hidden, Math.max(0, row - Math.floor(rows / 2)));
    this.#scroller.scrollTop =
      (wanted / hidden) * (this.#scroller.scrollHeight - this.#scroller.clientHeight);
  }

  readonly #drawSoon = () => {
    this.#drawn_at_ms = Number.NEGATIVE_INFINITY;
    scheduleInFrame(this.#draw);
  };

  #drawWhenDue(): void {
    if (performance.now() - this.#drawn_at_ms < DRAW_INTERVAL_MS) {
      scheduleInFrame(this.#draw);
      return;
    }
    this.#drawn_at_ms = performance.now();
    const { now_ns, threads, names } = this.#now();
    this.#chart.draw({
      lanes: this.#session.lanes,
      threads: threads.map((thread) => ({
        slot: thread.slot,
        state: thread.state,
        name: threadName(thread, names),
      })),
      first_row: this.#firstRow(),
      now_ns,
      width_ns: this.#width_ns,
      cursor: this.#cursor,
    });
    const caption = captionOf(threads, this.#chart.rowsFor(threads.length), this.#held !== null);
    this.#setCaption((shown) => (JSON.stringify(shown) === JSON.stringify(caption) ? shown : caption));
  }
}

const nothing_yet: LanesNow = {
  now_ns: 0,
  threads: [],
  names: { functions: [], latches: [], latch_sites: [] },
};

function captionOf(threads: readonly RunThread[], rows: number, is_held: boolean): Caption {
  if (threads.length === 0) return no_caption;
  const clients = threads.filter(({ is_client }) => is_client);
  const counts = busy_states
    .map((state) => ({
      state,
      count: clients.filter((seen) => thread_states[seen.state] === state).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${state_names[state]}`);
  const all = `${clients.length} clients, ${threads.length - clients.length} of the server’s own threads`;
  const shown = rows < threads.length ? `${all}; ${rows} fit, scroll for more` : all;
  return {
    shown: is_held ? `${shown} · held while you look` : shown,
    now: counts.length === 0 ? 'No client is under way.' : `Now: ${counts.join(', ')}.`,
    scroll_room_px: (threads.length - rows) * SCROLL_PX_PER_LANE,
  };
}
