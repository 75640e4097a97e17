// Holds the moment that the reader looks at: one state for the latch track, the lanes and the lock
// picture. Steps move from one recorded event to the next, and the views show recorded events only.

import type { ChainPath, PathPart } from '../../analysis/chain-path';
import {
  eventsUntil,
  heldBySlot,
  holdsAt,
  LatchReplay,
  stepAlong,
  type Followed,
  type LatchMoment,
} from '../../analysis/latch-moment';
import { inLaneOrder, waitedBySlot, type LaneOrder } from '../../analysis/lane-order';
import { threadName } from '../../analysis/lane-words';
import {
  createThreadWindowStore,
  holdWindow,
  initialThreadWindow,
  WIDTH_MAX_NS,
  WIDTH_MIN_NS,
  panWindow,
  windowRange,
  windowWith,
  zoomWindow,
  type KnownTime,
  type Look,
  type ThreadWindowStore,
} from '../../charts/thread-window';
import type { Names, RunThread } from '../../engine-client/snapshot';
import type { LatchTrack } from '../../recording/latch-trace';
import type { LanesNow } from '../../recording/lane-history';
import type { Session } from '../../session/session';
import { frames } from '../../charts/frames';
import { EventPlayer, mayPlay } from './event-player';
import type { Locks, LocksSlice, MomentControls } from './locks-state';
import type { ExplorerStore } from '../../session/store';

/** Time shown before and after a transaction, or a part of it, relative to its duration. */
const AROUND_PATH = 0.03;
const AROUND_PATH_PART = 0.25;
/** While virtual time runs, more frequent updates would be invisible. */
const LIVE_INTERVAL_MS = 500;

/** The data of a run up to a moment. */
export interface Known extends LanesNow {
  tracks: readonly LatchTrack[];
}

const nothingKnown: Known = {
  nowNs: 0,
  threads: [],
  names: { functions: [], latches: [], latchSites: [] },
  tracks: [],
};

const readers = new WeakMap<Locks, MomentCursor>();

/** Returns the page's only reader, which the first shown view creates. */
export function cursorOf(locks: Locks, session: Session): MomentCursor {
  const reader = readers.get(locks) ?? new MomentCursor(locks, session);
  readers.set(locks, reader);
  locks.moment = reader;
  return reader;
}

export class MomentCursor implements MomentControls {
  readonly session: Session;
  readonly #locksOfPage: Locks;
  /** The shown part of time, and the shown moment. */
  readonly window: ThreadWindowStore = createThreadWindowStore();
  readonly #store: ExplorerStore;
  readonly #replays = new WeakMap<LatchTrack, LatchReplay>();
  /** The last data read; null once there are newer data. */
  #read: Known | null = null;
  /** The data when the reader chose the moment, stored while that moment is shown. */
  #held: Known | null = null;
  #cameFrom: Look[] = [];
  #order: { key: string; threads: readonly RunThread[] } = { key: '', threads: [] };
  readonly #player = new EventPlayer(
    () => this.step(1),
    (isPlaying) => this.#set({ isPlaying }),
  );

  constructor(locks: Locks, session: Session) {
    this.#locksOfPage = locks;
    this.session = session;
    this.#store = session.store;
    session.store.subscribe((state, before) => {
      if (state.spec === before.spec && state.run_state === before.run_state) return;
      this.#read = null;
      if (state.spec !== before.spec) this.#forget();
    });
    let cuts = session.lanes.cuts;
    session.lanes.subscribe(() => {
      this.#read = null;
      if (session.lanes.cuts !== cuts) this.pointAt(null);
      cuts = session.lanes.cuts;
    });
    session.latchTrace.subscribe(() => {
      this.#read = null;
      this.#noteEvents();
    });
    this.onPath();
  }

  // The chain of a transaction.

  get path(): ChainPath | null {
    return this.#locksOfPage.path;
  }

  /** The shown part of the chain. */
  get pathPart(): PathPart | null {
    return this.#locksOfPage.pathPart;
  }

  /** Shows the whole transaction, or one part of it, with some time around it. */
  onPath(): void {
    const { path, pathPart } = this;
    this.#order = { key: '', threads: [] };
    if (path === null) {
      if (this.look === null) this.lookAway();
      return;
    }
    const { fromNs, toNs } = pathPart ?? path;
    const aroundNs = (toNs - fromNs) * (pathPart === null ? AROUND_PATH : AROUND_PATH_PART);
    const wantedNs = Math.max(WIDTH_MIN_NS, toNs - fromNs + 2 * aroundNs);
    const widthNs = Math.min(WIDTH_MAX_NS, wantedNs);
    this.window.setState({ look: null, widthNs, endNs: toNs + aroundNs });
    this.#held ??= this.#live();
    this.#noteHeld();
  }

  // Data of the run.

  get known(): Known {
    return this.#held ?? this.#live();
  }

  // Reading it also reads the names of all functions, so it is read only once per shown moment.
  #live(): Known {
    if (this.#read === null) {
      const now = this.session.lanesNow();
      this.#read = now === null ? nothingKnown : { ...now, tracks: this.session.latchTrace.tracks };
    }
    return this.#read;
  }

  /** Changes when data appear or disappear, but not while the data of a moment are held. */
  get changes(): string {
    const { lanes, latchTrace } = this.session;
    return this.#held === null ? `${lanes.changes} ${latchTrace.changes}` : 'held';
  }

  get names(): Names {
    return this.known.names;
  }

  /** The watched latches, the most expensive first. */
  get tracks(): readonly LatchTrack[] {
    return this.known.tracks;
  }

  /** The shown latch; null while there is none. */
  get chosen(): LatchTrack | null {
    const { tracks } = this;
    return tracks.find(({ latch }) => latch === this.#locks.latch) ?? tracks[0] ?? null;
  }

  #thread(slot: number): RunThread | undefined {
    return this.known.threads.find((thread) => thread.slot === slot);
  }

  nameOf(slot: number): string {
    const thread = this.#thread(slot);
    return thread === undefined ? `thread ${slot}` : threadName(thread, this.names);
  }

  /** Adds the latch's number to a name that several latches have. */
  latchName(track: LatchTrack): string {
    const { tracks, names } = this.known;
    const name = nameOfLatch(track, names);
    const isOneOfMany = tracks.filter((one) => nameOfLatch(one, names) === name).length > 1;
    return isOneOfMany ? `${name} (no. ${track.latch})` : name;
  }

  /**
   * Threads in the order of their lanes, by their activity in the window. The order changes when
   * time has stopped, not while it runs.
   */
  get threads(): readonly RunThread[] {
    const { threads } = this.known;
    const { order } = this.#locks;
    const key = `${threads.length} ${order} ${this.#standsAt()}`;
    if (key !== this.#order.key) this.#order = { key, threads: this.#sorted(order) };
    const bySlot = new Map(threads.map((thread) => [thread.slot, thread]));
    // Use the present state of each thread in that order.
    return this.#order.threads.flatMap(({ slot }) => bySlot.get(slot) ?? []);
  }

  #sorted(order: LaneOrder): readonly RunThread[] {
    const { threads, names, tracks } = this.known;
    const { range } = this;
    const heldNs = new Map<number, number>();
    for (const { holds } of tracks) {
      for (const [slot, ns] of heldBySlot(holds, range)) heldNs.set(slot, (heldNs.get(slot) ?? 0) + ns);
    }
    const sorted = inLaneOrder(threads, names, order, {
      waitedNs: waitedBySlot(this.session.lanes, range),
      heldNs,
    });
    const onPath = new Map(this.path?.slots.map((slot, place) => [slot, place]));
    const placeOf = ({ slot }: RunThread) => onPath.get(slot) ?? onPath.size;
    return sorted.sort((a, b) => placeOf(a) - placeOf(b));
  }

  /** Returns the moment at which time has stopped, or a text for running time. */
  #standsAt(): string {
    const { run_state } = this.session.store.getState();
    const stands = this.#held !== null || run_state !== 'running';
    return stands ? String(this.known.nowNs) : 'runs';
  }

  // The window of time.

  get range(): { fromNs: number; toNs: number } {
    return windowRange(this.window.getState(), this.known.nowNs);
  }

  get knownTime(): KnownTime {
    const { nowNs, tracks } = this.known;
    const ofLanesNs = Math.min(this.session.lanes.knownFromNs, this.path?.fromNs ?? Infinity);
    const knownFromNs = tracks.reduce((from, track) => Math.min(from, track.knownFromNs), ofLanesNs);
    return { knownFromNs, nowNs };
  }

  readonly zoom = (factor: number, aroundNs?: number): void => {
    const { fromNs, toNs } = this.range;
    const look = this.window.getState().look;
    const isLookShown = look !== null && look.tNs >= fromNs && look.tNs <= toNs;
    const middleNs = isLookShown ? look.tNs : (fromNs + toNs) / 2;
    this.window.setState((window) => zoomWindow(window, this.knownTime, factor, aroundNs ?? middleNs));
  };

  readonly pan = (byNs: number): void =>
    this.window.setState((window) => panWindow(window, this.knownTime, byNs));

  // The moment.

  get held(): { slot: number; tNs: number } | null {
    const { look } = this;
    if (look?.isPinned !== true || look.slot === null) return null;
    return { slot: look.slot, tNs: look.tNs };
  }

  get look(): Look | null {
    return this.window.getState().look;
  }

  /** Follows a pointer, or its leaving, unless a moment is held. */
  pointAt(place: { tNs: number; slot: number | null } | null): void {
    if (this.look?.isPinned === true) return;
    if (place !== null) this.#lookAt({ ...place, event: null, isPinned: false });
    else if (this.look !== null) this.lookAway();
  }

  /** Holds a moment, or releases the held one. Returns whether one is held now. */
  togglePin(tNs: number, slot: number | null): boolean {
    const isHeld = this.look?.isPinned !== true;
    if (isHeld) {
      this.lookAt(tNs, slot);
    } else {
      // The pointer is still there.
      this.lookAway();
      this.pointAt({ tNs, slot });
    }
    return isHeld;
  }

  lookAt(tNs: number, slot: number | null, event: number | null = null): void {
    this.#lookAt({ tNs, slot, event, isPinned: true });
    this.window.setState((window) => windowWith(window, this.knownTime, tNs));
  }

  #lookAt(look: Look): void {
    this.#held ??= this.#live();
    this.window.setState((window) => ({ ...holdWindow(window, this.knownTime), look }));
    this.#noteHeld();
  }

  #noteEvents(): void {
    const hasEvents = this.#held === null ? this.session.latchTrace.hasEvents : this.#held.tracks.length > 0;
    if (hasEvents !== this.#locks.hasEvents) this.#set({ hasEvents });
  }

  #noteHeld(): void {
    const holdsMoment = this.look?.isPinned === true;
    if (holdsMoment !== this.#locks.holdsMoment) this.#set({ holdsMoment });
  }

  /** Follows the run again. */
  lookAway(): void {
    this.#held = null;
    this.#cameFrom = [];
    this.#player.stop();
    this.window.setState({ look: null, endNs: null });
    this.#noteHeld();
  }

  #forget(): void {
    this.#held = null;
    this.#cameFrom = [];
    this.window.setState({ ...initialThreadWindow, widthNs: this.window.getState().widthNs });
    const { hasEvents } = this.session.latchTrace;
    this.#player.stop();
    this.#set({ latch: null, holdsMoment: false, hasEvents });
  }

  /** Selects a thread's activity at a moment for the inspector. */
  select(slot: number, tNs: number, span: { words: string; site: number; fromNs: number | null }): void {
    const { latchSites, latches } = this.names;
    this.session.select({
      kind: 'span',
      thread: this.nameOf(slot),
      clientMoment: this.#thread(slot)?.isClient === true ? { slot, tNs } : null,
      words: span.words,
      latch: latches[latchSites[span.site]?.latch ?? -1] ?? null,
      fromNs: span.fromNs,
    });
  }

  choose(latch: number): void {
    this.#set({ latch });
    const { look } = this;
    if (look !== null) this.#lookAt({ ...look, event: null });
  }

  /** Moves to the thread that blocks the shown thread at this moment. */
  goToHolder(holder: number | null): void {
    const { look } = this;
    if (look === null || holder === null) return;
    this.#cameFrom.push(look);
    this.lookAt(look.tNs, holder, look.event);
  }

  goBack(): void {
    const look = this.#cameFrom.pop();
    if (look !== undefined) this.lookAt(look.tNs, look.slot, look.event);
  }

  /**
   * The state of the selected latch at the shown moment, or else now; null while it has no events.
   */
  get moment(): LatchMoment | null {
    const track = this.chosen;
    if (track === null) return null;
    const replay = this.#replays.get(track) ?? new LatchReplay(track);
    this.#replays.set(track, replay);
    return replay.momentAfter(this.#happened(track), this.look?.tNs ?? this.known.nowNs);
  }

  #happened(track: LatchTrack): number {
    const { look } = this;
    if (look === null) return eventsUntil(track.events, this.known.nowNs);
    if (look.event === null) return eventsUntil(track.events, look.tNs);
    return Math.min(Math.max(0, look.event + 1 - track.dropped), track.events.length);
  }

  // Steps from event to event.

  follow(followed: Followed): void {
    this.#set({ followed });
  }

  sortBy(order: LaneOrder): void {
    this.#set({ order });
  }

  /** Returns whether there was an event to move to. */
  step(direction: 1 | -1): boolean {
    const track = this.chosen;
    if (track === null) return false;
    const count = this.#happened(track);
    const slot = this.#followedSlot(track, count);
    const next = stepAlong(track.events, count, direction, { followed: this.#locks.followed, slot });
    const event = next === null ? undefined : track.events[next - 1];
    if (next === null || event === undefined || event.at_ns > this.known.nowNs) return false;
    this.lookAt(event.at_ns, event.slot, next - 1 + track.dropped);
    return true;
  }

  /** Returns the shown thread, else the latch's holder. */
  #followedSlot(track: LatchTrack, count: number): number | null {
    const { look } = this;
    if (look?.slot != null) return look.slot;
    const last = track.events[count - 1];
    return holdsAt(track.holds, look?.tNs ?? this.known.nowNs)[0]?.slot ?? last?.slot ?? null;
  }

  mayPlay(): boolean {
    return mayPlay();
  }

  togglePlay(): void {
    this.#player.toggle();
  }

  // Subscriptions of views.

  /**
   * Calls back when a view may change. Reports new data of a run at most every `LIVE_INTERVAL_MS`.
   * During a run, changes of the window wait for a frame of the reader's input.
   */
  subscribe(listener: () => void): () => void {
    let toldAtMs = Number.NEGATIVE_INFINITY;
    let frame = 0;
    const tell = () => {
      toldAtMs = performance.now();
      listener();
    };
    const tellWhenDue = () => {
      frame = 0;
      if (performance.now() - toldAtMs >= LIVE_INTERVAL_MS) tell();
      else frame = requestAnimationFrame(tellWhenDue);
    };
    const onData = () => {
      if (frame === 0) tellWhenDue();
    };
    const ends = [
      this.session.lanes.subscribe(onData),
      this.session.latchTrace.subscribe(onData),
      this.window.subscribe(() => {
        if (this.#store.getState().run_state === 'running') frames.schedule('input', tell);
        else tell();
      }),
      this.#store.subscribe((state, before) => {
        if (
          state.locks !== before.locks ||
          state.run_state !== before.run_state ||
          state.spec !== before.spec
        )
          tell();
      }),
    ];
    this.#noteEvents();
    return () => {
      cancelAnimationFrame(frame);
      frames.cancel(tell);
      for (const end of ends) end();
    };
  }

  get #locks(): LocksSlice['locks'] {
    return this.#store.getState().locks;
  }

  #set(change: Partial<LocksSlice['locks']>): void {
    this.#store.setState(({ locks }) => ({ locks: { ...locks, ...change } }));
  }
}

const nameOfLatch = ({ site, latch }: LatchTrack, { latches, latchSites }: Names): string =>
  latches[latchSites[site]?.latch ?? -1] ?? `latch ${latch}`;
