import { memo, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useErrorBoundary } from 'react-error-boundary';

import type { ChainPath } from '../../analysis/chain-path';
import { allLaneOrders } from '../../analysis/lane-order';
import { threadName } from '../../analysis/lane-words';
import { LaneChart } from '../../charts/lane-chart';
import { thread_states } from '../../contract/gen/telemetry-layout';
import { busy_states } from '../../contract/time-shares';
import type { RunThread } from '../../engine-client/snapshot';
import { CommandButton } from '../../widgets/command-button';
import { drawOnChanges } from '../../widgets/draw-on-changes';
import { scheduleInFrame, unschedule } from '../../charts/frame-scheduler';
import { writeText } from '../../charts/quiet-dom';
import { LaneLegend, laneStyles } from '../../widgets/lane-legend';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { TimeGestures } from '../../widgets/time-gestures';
import { stateNames } from '../../widgets/state-names';
import { laneSpan, laneSpanInWords } from './lane-spans';
import { useLocks } from './locks-context';
import { orderTitles, orderCommandId, type LocksState } from './locks-state';
import type { MomentCursor } from './moment-cursor';
import { useMomentCursor } from './use-moment-cursor';

const SCROLL_PX_PER_LANE = 9;
const PAN_PART = 0.2;

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
  const locks = useLocks();
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
      <p id={helpId} className="lane-help">
        Click to pin. Drag to move, scroll to zoom. Keys: arrows select, Shift+arrows shift time, + and −
        zoom, Enter goes to the holder, Backspace goes back, Escape follows the run.
      </p>
    </Panel>
  );
}

interface Caption {
  /** Describes the lanes. */
  shown: string;
  /** Describes what clients do now. */
  now: string;
  /** Height of the lanes that do not fit, in pixels. */
  scrollSpacePx: number;
}
const noCaption: Caption = { shown: 'each state change', now: 'No run yet.', scrollSpacePx: 0 };

const legendEntries = laneStyles.map((style) => ({ ...style, name: stateNames[style.state] }));

/** Does not render again when the caption changes with the run. */
const LaneControls = memo(function LaneControls() {
  return (
    <div className="lane-controls">
      <OrderChoice />
      <LaneLegend entries={legendEntries} />
    </div>
  );
});

function OrderChoice() {
  const order = useExplorer((state: LocksState) => state.locks.order);
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

/** Draws the lanes on their canvas: the shown window of time, and the shown moment. */
class DrawnLanes {
  readonly #reader: MomentCursor;
  readonly #scroller: HTMLElement;
  readonly #tell: {
    setCaption: (update: (shown: Caption) => Caption) => void;
    setWords: (words: string) => void;
  };
  readonly #chart: LaneChart;
  readonly #gestures: TimeGestures;
  readonly #stopDrawing: () => void;
  readonly #onFault: (error: unknown) => void;
  #scrolledTo: number | null = null;
  #path: ChainPath | null = null;
  /** Key of the last drawing, without the shown moment. */
  #drawn = '';

  constructor(
    reader: MomentCursor,
    { host, scroller }: { host: HTMLElement; scroller: HTMLElement },
    tell: {
      setCaption: (update: (shown: Caption) => Caption) => void;
      setWords: (words: string) => void;
      onFault: (error: unknown) => void;
    },
  ) {
    this.#reader = reader;
    this.#scroller = scroller;
    this.#tell = tell;
    const chart = new LaneChart(host, laneStyles);
    this.#chart = chart;
    this.#onFault = tell.onFault;
    this.#gestures = new TimeGestures(host, {
      timeAt: (xPx) => chart.timeAt(xPx),
      zoom: (factor, aroundNs) => {
        reader.zoom(factor, aroundNs);
      },
      pan: (byNs) => {
        reader.pan(byNs);
      },
      point: (place) => {
        const at = place === null ? null : chart.laneAt(place.xPx, place.yPx);
        if (at === null) reader.pointAway();
        else reader.pointAt(at.tNs, at.slot);
      },
      press: ({ xPx, yPx }) => {
        this.#bringUpToDate();
        const at = chart.laneAt(xPx, yPx);
        if (at !== null && reader.togglePin(at.tNs, at.slot)) selectSpan(reader, at.slot, at.tNs);
      },
    });
    scroller.addEventListener('scroll', this.#drawSoon);
    this.#stopDrawing = drawOnChanges(reader.session, chart, {
      draw: this.#draw,
      subscribe: (onData) =>
        reader.subscribe(() => {
          if (this.#key() === this.#drawn) this.#lookOn();
          else onData();
        }),
      onFault: tell.onFault,
    });
  }

  end(): void {
    this.#stopDrawing();
    unschedule(this.#draw);
    unschedule(this.#tellCaption);
    this.#scroller.removeEventListener('scroll', this.#drawSoon);
    this.#gestures.destroy();
    this.#tell.setWords('');
  }

  /** Returns whether the lanes handle this key. */
  key(event: Pick<KeyboardEvent, 'key' | 'shiftKey'>): boolean {
    const reader = this.#reader;
    const { fromNs, toNs } = reader.range;
    const shiftNs = (toNs - fromNs) * PAN_PART;
    const { key } = event;
    if (key === '+' || key === '=') reader.zoom(0.5);
    else if (key === '-' || key === '_') reader.zoom(2);
    else if (event.shiftKey && key === 'ArrowLeft') reader.pan(-shiftNs);
    else if (event.shiftKey && key === 'ArrowRight') reader.pan(shiftNs);
    else return this.#moveByKey(key);
    return true;
  }

  #moveByKey(key: string): boolean {
    const { look } = this.#reader;
    if (look === null) return this.#beginByKey(key);
    const slot = look.slot ?? this.#reader.threads[this.#firstRow()]?.slot;
    if (slot === undefined) return false;
    const span = laneSpan(this.#reader, slot, look.tNs);
    switch (key) {
      case 'ArrowLeft':
        this.#goBefore(slot, span.fromNs);
        break;
      case 'ArrowRight':
        this.#lookAt(slot, Math.min(span.toNs, this.#reader.known.nowNs));
        break;
      case 'ArrowUp':
      case 'ArrowDown':
        this.#goToLane(slot, look.tNs, key === 'ArrowUp' ? -1 : 1);
        break;
      case 'Enter':
        this.#reader.goToHolder(span.holder);
        break;
      case 'Backspace':
        this.#reader.goBack();
        break;
      case 'Escape':
        this.#reader.lookAway();
        break;
      default:
        return false;
    }
    return true;
  }

  #beginByKey(key: string): boolean {
    if (!key.startsWith('Arrow') && key !== 'Enter') return false;
    const first = this.#reader.threads[this.#firstRow()];
    if (first !== undefined) this.#lookAt(first.slot, this.#reader.known.nowNs);
    return true;
  }

  #goBefore(slot: number, fromNs: number): void {
    const before = this.#reader.session.lanes.before(slot, fromNs);
    if (before !== null) this.#lookAt(slot, before.from_ns);
  }

  #goToLane(slot: number, tNs: number, step: number): void {
    const { threads } = this.#reader;
    const next = threads[threads.findIndex((thread) => thread.slot === slot) + step];
    if (next !== undefined) this.#lookAt(next.slot, tNs);
  }

  #lookAt(slot: number, tNs: number): void {
    this.#reader.lookAt(tNs, slot);
  }

  #rowsFor(threads: number): number {
    return this.#chart.rowsFor(threads, this.#reader.path !== null);
  }

  #firstRow(): number {
    const { length } = this.#reader.known.threads;
    const hidden = length - this.#rowsFor(length);
    const spacePx = this.#scroller.scrollHeight - this.#scroller.clientHeight;
    return spacePx <= 0 ? 0 : Math.round((this.#scroller.scrollTop / spacePx) * Math.max(0, hidden));
  }

  #scrollTo(slot: number): void {
    const { threads } = this.#reader;
    const rows = this.#rowsFor(threads.length);
    const row = threads.findIndex((thread) => thread.slot === slot);
    const first = this.#firstRow();
    const hidden = threads.length - rows;
    if (hidden <= 0 || (row >= first && row < first + rows)) return;
    const wanted = Math.min(hidden, Math.max(0, row - Math.floor(rows / 2)));
    this.#scroller.scrollTop =
      (wanted / hidden) * (this.#scroller.scrollHeight - this.#scroller.clientHeight);
  }

  readonly #drawSoon = (): void => {
    scheduleInFrame(this.#draw);
  };

  /**
   * The run may have gone back since the last frame. Redraw first, so that a press selects a moment
   * of the present run.
   */
  #bringUpToDate(): void {
    if (this.#key() !== this.#drawn) this.#draw();
  }

  readonly #draw = (): void => {
    try {
      this.#drawLanes();
      this.#lookOn();
    } catch (error) {
      this.#onFault(error);
    }
  };

  #key(): string {
    const { known, threads, range, chosen, changes, path, pathPart } = this.#reader;
    const order = threads.map(({ slot }) => slot).join();
    const { fromNs, toNs } = range;
    const pathKey = path === null ? '' : `${path.slot} ${path.fromNs}`;
    const partKey = pathPart === null ? '' : `${pathPart.fromNs} ${pathPart.toNs}`;
    const keys = [known.nowNs, chosen?.latch, this.#firstRow(), order, changes, pathKey, partKey];
    return [fromNs, toNs, ...keys].join(' ');
  }

  /** Scrolls to the threads of a chain, which come first. */
  #goToPath(): void {
    const { path } = this.#reader;
    if (path !== null && path !== this.#path) this.#scroller.scrollTop = 0;
    this.#path = path;
  }

  #drawLanes(): void {
    this.#goToPath();
    const { session, known, threads, range, chosen } = this.#reader;
    this.#drawn = this.#key();
    this.#chart.draw({
      lanes: session.lanes,
      threads: threads.map((thread) => ({
        slot: thread.slot,
        state: thread.state,
        name: threadName(thread, known.names),
      })),
      firstRow: this.#firstRow(),
      nowNs: known.nowNs,
      range,
      holds: chosen?.holds ?? [],
      path: this.#reader.path,
      pathPart: this.#reader.pathPart,
    });
  }

  /** Draws and describes the shown moment. */
  #lookOn(): void {
    const { look } = this.#reader;
    const slot = look?.slot ?? null;
    const goesTo = look?.isPinned === true ? slot : null;
    if (goesTo !== null && goesTo !== this.#scrolledTo) this.#scrollTo(goesTo);
    this.#scrolledTo = goesTo;
    this.#chart.drawCursor(
      look === null
        ? null
        : { tNs: look.tNs, span: slot === null ? null : laneSpan(this.#reader, slot, look.tNs) },
    );
    this.#tell.setWords(
      look === null || slot === null
        ? pathInWords(this.#reader)
        : laneSpanInWords(this.#reader, slot, look.tNs),
    );
    scheduleInFrame(this.#tellCaption);
  }

  /** Runs in a frame of its own, because it changes the document, not the picture. */
  readonly #tellCaption = (): void => {
    const { look, threads } = this.#reader;
    const caption = captionOf(threads, this.#rowsFor(threads.length), look !== null);
    this.#tell.setCaption((shown) => (JSON.stringify(shown) === JSON.stringify(caption) ? shown : caption));
  };
}

function pathInWords(reader: MomentCursor): string {
  const { path } = reader;
  if (path === null) return '';
  const others = path.slots.length - 1;
  const count = others === 1 ? 'one thread' : `${others} threads`;
  return `Chain of a transaction of ${reader.nameOf(path.slot)}: its lane comes first, then ${count} it waited for. Bars below a lane mark where the chain ends.`;
}

/** Selects the thread's activity at that moment for the inspector. */
function selectSpan(reader: MomentCursor, slot: number, tNs: number): void {
  const { session } = reader;
  const { names } = reader.known;
  const segment = session.lanes.at(slot, tNs);
  const latch = names.latchSites[segment?.site ?? -1]?.latch;
  session.select({
    kind: 'span',
    thread: reader.nameOf(slot),
    clientMoment: reader.isClient(slot) ? { slot, tNs } : null,
    words: laneSpanInWords(reader, slot, tNs),
    latch: latch === undefined ? null : (names.latches[latch] ?? null),
    fromNs: segment?.from_ns ?? null,
  });
}

function captionOf(threads: readonly RunThread[], rows: number, isHeld: boolean): Caption {
  if (threads.length === 0) return noCaption;
  const clients = threads.filter(({ isClient }) => isClient);
  const counts = busy_states
    .map((state) => ({
      state,
      count: clients.filter((seen) => thread_states[seen.state] === state).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${stateNames[state]}`);
  const ofServer = threads.length - clients.length;
  const all = `${clients.length} clients, ${ofServer} server ${ofServer === 1 ? 'thread' : 'threads'}`;
  const shown = rows < threads.length ? `${all}; scroll for more` : all;
  return {
    shown: isHeld ? `${shown} · pinned` : shown,
    now: counts.length === 0 ? 'No client is running.' : `Now: ${counts.join(', ')}.`,
    scrollSpacePx: (threads.length - rows) * SCROLL_PX_PER_LANE,
  };
}
