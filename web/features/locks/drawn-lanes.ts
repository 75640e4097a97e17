// Draws the lanes on their canvas, and describes what a thread did at the shown moment and which
// thread blocked it.
import { counted } from '../../analysis/format';
import type { ChainPath } from '../../analysis/chain-path';
import { holdsAt, holdsWithin } from '../../analysis/latch-moment';
import { spanInWords, threadName, type HolderAtMoment, type Span } from '../../analysis/lane-words';
import { frames } from '../../charts/frames';
import { LaneChart, type LaneSpan } from '../../charts/lane-chart';
import { thread_states } from '../../contract/gen/telemetry-layout';
import type { LaneSegment } from '../../contract/telemetry-states';
import { busy_states } from '../../contract/time-shares';
import type { RunThread } from '../../engine-client/snapshot';
import type { LatchTrack } from '../../recording/latch-trace';
import { drawOnChanges } from '../../widgets/draw-on-changes';
import { laneStyles } from '../../widgets/lane-legend';
import { stateNames } from '../../widgets/state-names';
import { TimeGestures } from '../../widgets/time-gestures';
import type { MomentCursor } from './moment-cursor';

const SCROLL_PX_PER_LANE = 9;
const PAN_PART = 0.2;

/** A description of all lanes. */
export interface Caption {
  /** Describes the lanes. */
  shown: string;
  /** Describes what clients do now. */
  now: string;
  /** Height of the lanes that do not fit, in pixels. */
  scrollSpacePx: number;
}
export const noCaption: Caption = { shown: 'each state change', now: 'No run yet.', scrollSpacePx: 0 };

/** Draws the lanes on their canvas: the shown window of time, and the shown moment. */
export class DrawnLanes {
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
      zoom: reader.zoom,
      pan: reader.pan,
      point: (place) => reader.pointAt(place && chart.laneAt(place.xPx, place.yPx)),
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
    frames.cancel(this.#draw);
    frames.cancel(this.#tellCaption);
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
    if (key === 'ArrowLeft') this.#goBefore(slot, span.fromNs);
    else if (key === 'ArrowRight') this.#lookAt(slot, Math.min(span.toNs, this.#reader.known.nowNs));
    else if (key === 'ArrowUp') this.#goToLane(slot, look.tNs, -1);
    else if (key === 'ArrowDown') this.#goToLane(slot, look.tNs, 1);
    else if (key === 'Enter') this.#reader.goToHolder(span.holder);
    else if (key === 'Backspace') this.#reader.goBack();
    else if (key === 'Escape') this.#reader.lookAway();
    else return false;
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
    frames.schedule('draw', this.#draw);
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
    frames.schedule('draw', this.#tellCaption);
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

function selectSpan(reader: MomentCursor, slot: number, tNs: number): void {
  const segment = reader.session.lanes.at(slot, tNs);
  const words = laneSpanInWords(reader, slot, tNs);
  reader.select(slot, tNs, { words, site: segment?.site ?? -1, fromNs: segment?.from_ns ?? null });
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
  const all = `${clients.length} clients, ${counted(ofServer, 'server thread')}`;
  const shown = rows < threads.length ? `${all}; scroll for more` : all;
  return {
    shown: isHeld ? `${shown} · pinned` : shown,
    now: counts.length === 0 ? 'No client is running.' : `Now: ${counts.join(', ')}.`,
    scrollSpacePx: (threads.length - rows) * SCROLL_PX_PER_LANE,
  };
}

/** What a thread did, with its begin and end; `segment` is null for its present activity. */
interface Found {
  segment: LaneSegment | null;
  fromNs: number;
  toNs: number;
}

function found({ session, known }: MomentCursor, slot: number, tNs: number): Found {
  const segment = session.lanes.at(slot, tNs);
  if (segment !== null) return { segment, fromNs: segment.from_ns, toNs: segment.to_ns };
  const before = session.lanes.before(slot, known.nowNs);
  return { segment, fromNs: before?.to_ns ?? 0, toNs: known.nowNs };
}

/** Returns the latch that a thread waits for, if it is watched. */
const watchedOf = ({ known }: MomentCursor, segment: LaneSegment | null): LatchTrack | null =>
  segment === null || segment.site < 0
    ? null
    : (known.tracks.find((track) => track.latch === segment.latch && track.knownFromNs <= segment.from_ns) ??
      null);

function laneSpan(reader: MomentCursor, slot: number, tNs: number): LaneSpan {
  const { segment, fromNs, toNs } = found(reader, slot, tNs);
  const track = watchedOf(reader, segment);
  const seenFirst = segment === null || segment.holder < 0 ? null : segment.holder;
  return {
    slot,
    fromNs,
    toNs,
    holder: track === null ? seenFirst : (holdsAt(track.holds, tNs)[0]?.slot ?? null),
    holds: track === null ? [] : holdsWithin(track.holds, fromNs, toNs),
  };
}

function laneSpanInWords(reader: MomentCursor, slot: number, tNs: number): string {
  const { threads, names } = reader.known;
  const { segment, fromNs, toNs } = found(reader, slot, tNs);
  const thread = threads.find((one) => one.slot === slot);
  if (thread === undefined) return '';
  const span: Span = {
    fromNs,
    toNs,
    state: thread_states[segment?.state ?? thread.state] ?? 'absent',
    site: segment?.site ?? -1,
    holderSite: segment?.holder_site ?? -1,
    holder: segment === null || segment.holder < 0 ? null : reader.nameOf(segment.holder),
    atMoment: holderAtMoment(reader, watchedOf(reader, segment), tNs, { fromNs, toNs }),
  };
  return spanInWords(reader.nameOf(slot), span, stateNames, names);
}

function holderAtMoment(
  reader: MomentCursor,
  track: LatchTrack | null,
  tNs: number,
  { fromNs, toNs }: { fromNs: number; toNs: number },
): HolderAtMoment | undefined {
  if (track === null) return undefined;
  const [now] = holdsAt(track.holds, tNs);
  const meanwhile = new Set(holdsWithin(track.holds, fromNs, toNs).map(({ slot }) => slot));
  return {
    holder: now === undefined ? null : reader.nameOf(now.slot),
    holderSite: now?.site ?? -1,
    holders: meanwhile.size,
  };
}
