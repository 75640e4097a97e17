// Holds the moment that the reader looks at: one state for the latch track, the lanes and the lock
// picture. Steps move from one recorded event to the next, and the views show recorded events only.
import type { StoreApi } from 'zustand/vanilla';

import type { ChainPath, PathPart } from '../../analysis/chain-path';
import { holdsAt, heldBySlot } from '../../analysis/latch-holders';
import { LatchReplay, eventsUntil, type LatchMoment } from '../../analysis/latch-moment';
import { inLaneOrder, waitedBySlot, type LaneOrder } from '../../analysis/lane-order';
import { stepAlong, type Followed } from '../../analysis/latch-steps';
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
import { storeWithSlice } from '../../session/feature';
import type { Session } from '../../session/session';
import { scheduleForHand, scheduleInFrame, unschedule } from '../../charts/frame-scheduler';
import type { Locks, LocksSlice, LocksState, MomentControls } from './locks-state';
import { latchNames, reachesInto } from './known-latches';

/** Milliseconds per event while events play. */
const PLAYED_EVENT_MS = 450;
/** Time shown before and after a transaction, or a part of it, relative to its duration. */
const AROUND_PATH = 0.03;
const AROUND_PATH_PART = 0.25;
/** While virtual time runs, more frequent updates would be invisible. */
const LIVE_INTERVAL_MS = 500;

/** The data of a run up to a moment. */
export interface Known extends LanesNow {
  tracks: readonly LatchTrack[];
}

const nothing_known: Known = {
  nowNs: 0,
  threads: [],
  names: { functions: [], latches: [], latchSites: [] },
  tracks: [],
};

const readers = new WeakMap<Locks, MomentReader>();

/** Returns the page's only reader, which the first shown view creates. */
export function readerOf(locks: Locks, session: Session): MomentReader {
  const reader = readers.get(locks) ?? new MomentReader(locks, session);
  readers.set(locks, reader);
  locks.moment = reader;
  return reader;
}

export class MomentReader implements MomentControls {
  readonly session: Session;
  readonly #locks_of_page: Locks;
  /** The shown part of time, and the shown moment. */
  readonly window: ThreadWindowStore = createThreadWindowStore();
  readonly #store: StoreApi<LocksState>;
  readonly #replays = new WeakMap<LatchTrack, LatchReplay>();
  /** The last data read; null once there are newer data. */
  #read: Known | null = null;
  /** The data when the reader chose the moment, stored while that moment is shown. */
  #held: Known | null = null;
  #came_from: Look[] = [];
  #order: { key: string; threads: readonly RunThread[] } = { key: '', threads: [] };
  #played_at_ms = 0;

  constructor(locks: Locks, session: Session) {
    this.#locks_of_page = locks;
    this.session = session;
    this.#store = storeWithSlice<LocksState>(session.store);
    session.store.subscribe((state, before) => {
      if (state.spec === before.spec && state.run_state === before.run_state) return;
      this.#read = null;
      if (state.spec !== before.spec) this.#forget();
    });
    let cuts = session.lanes.cuts;
    session.lanes.subscribe(() => {
      this.#read = null;
      if (session.lanes.cuts !== cuts) this.pointAway();
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
    return this.#locks_of_page.path;
  }

  /** The shown part of the chain. */
  get path_part(): PathPart | null {
    return this.#locks_of_page.path_part;
  }

  /** Shows the whole transaction, or one part of it, with some time around it. */
  onPath(): void {
    const { path, path_part } = this;
    this.#order = { key: '', threads: [] };
    if (path === null) {
      if (this.look === null) this.lookAway();
      return;
    }
    const { fromNs, toNs } = path_part ?? path;
    const around_ns = (toNs - fromNs) * (path_part === null ? AROUND_PATH : AROUND_PATH_PART);
    const wanted_ns = Math.max(WIDTH_MIN_NS, toNs - fromNs + 2 * around_ns);
    const width_ns = Math.min(WIDTH_MAX_NS, wanted_ns);
    this.window.setState({ look: null, widthNs: width_ns, endNs: toNs + around_ns });
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
      this.#read = now === null ? nothing_known : { ...now, tracks: this.session.latchTrace.tracks };
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

  isClient(slot: number): boolean {
    return this.known.threads.some((thread) => thread.slot === slot && thread.isClient);
  }

  nameOf(slot: number): string {
    const thread = this.known.threads.find((one) => one.slot === slot);
    return thread === undefined ? `thread ${slot}` : threadName(thread, this.names);
  }

  latchName(track: LatchTrack): string {
    return latchNames(this.known.tracks, this.names).get(track.latch)!;
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
    const by_slot = new Map(threads.map((thread) => [thread.slot, thread]));
    // Use the present state of each thread in that order.
    return this.#order.threads.flatMap(({ slot }) => by_slot.get(slot) ?? []);
  }

  #sorted(order: LaneOrder): readonly RunThread[] {
    const { threads, names, tracks } = this.known;
    const { range } = this;
    const held_ns = new Map<number, number>();
    for (const { holds } of tracks) {
      for (const [slot, ns] of heldBySlot(holds, range)) held_ns.set(slot, (held_ns.get(slot) ?? 0) + ns);
    }
    const sorted = inLaneOrder(threads, names, order, {
      waitedNs: waitedBySlot(this.session.lanes, range),
      heldNs: held_ns,
    });
    const on_path = new Map(this.path?.slots.map((slot, place) => [slot, place]));
    const placeOf = ({ slot }: RunThread) => on_path.get(slot) ?? on_path.size;
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
    const of_lanes_ns = Math.min(this.session.lanes.knownFromNs, this.path?.fromNs ?? Infinity);
    const known_from_ns = tracks.reduce((from, track) => Math.min(from, track.knownFromNs), of_lanes_ns);
    return { knownFromNs: known_from_ns, nowNs };
  }

  zoom(factor: number, around_ns?: number): void {
    const { fromNs, toNs } = this.range;
    const look = this.window.getState().look;
    const middle_ns = look !== null && reachesInto(look.tNs, this.range) ? look.tNs : (fromNs + toNs) / 2;
    this.window.setState((window) => zoomWindow(window, this.knownTime, factor, around_ns ?? middle_ns));
  }

  pan(by_ns: number): void {
    this.window.setState((window) => panWindow(window, this.knownTime, by_ns));
  }

  /** Shows another part of time, with the width of the given range. */
  show({ from_ns, to_ns }: { from_ns: number; to_ns: number }): void {
    const width_ns = to_ns - from_ns;
    this.window.setState((window) => ({
      ...zoomWindow({ ...window, widthNs: width_ns, endNs: to_ns }, this.knownTime, 1, to_ns),
    }));
  }

  // The moment.

  get held(): { slot: number; tNs: number } | null {
    const { look } = this;
    if (look?.isPinned !== true || look.slot === null) return null;
    return { slot: look.slot, tNs: look.tNs };
  }

  get look(): Look | null {
    return this.window.getState().look;
  }

  /** Follows a pointer, unless a moment is held. */
  pointAt(t_ns: number, slot: number | null): void {
    if (this.look?.isPinned !== true) this.#lookAt({ tNs: t_ns, slot, event: null, isPinned: false });
  }

  pointAway(): void {
    if (this.look !== null && !this.look.isPinned) this.lookAway();
  }

  /** Holds a moment, or releases the held one. Returns whether one is held now. */
  togglePin(t_ns: number, slot: number | null): boolean {
    const is_held = this.look?.isPinned !== true;
    if (is_held) {
      this.lookAt(t_ns, slot);
    } else {
      // The pointer is still there.
      this.lookAway();
      this.pointAt(t_ns, slot);
    }
    return is_held;
  }

  lookAt(t_ns: number, slot: number | null, event: number | null = null): void {
    this.#lookAt({ tNs: t_ns, slot, event, isPinned: true });
    this.window.setState((window) => windowWith(window, this.knownTime, t_ns));
  }

  #lookAt(look: Look): void {
    this.#held ??= this.#live();
    this.window.setState((window) => ({ ...holdWindow(window, this.knownTime), look }));
    this.#noteHeld();
  }

  #noteEvents(): void {
    const has_events = this.#held === null ? this.session.latchTrace.hasEvents : this.#held.tracks.length > 0;
    if (has_events !== this.#locks.has_events) this.#set({ has_events });
  }

  #noteHeld(): void {
    const holds_moment = this.look?.isPinned === true;
    if (holds_moment !== this.#locks.holds_moment) this.#set({ holds_moment });
  }

  /** Follows the run again. */
  lookAway(): void {
    this.#held = null;
    this.#came_from = [];
    this.#stopPlaying();
    this.window.setState({ look: null, endNs: null });
    this.#noteHeld();
  }

  #forget(): void {
    this.#held = null;
    this.#came_from = [];
    this.window.setState({ ...initialThreadWindow, widthNs: this.window.getState().widthNs });
    const { hasEvents } = this.session.latchTrace;
    this.#set({ latch: null, is_playing: false, holds_moment: false, has_events: hasEvents });
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
    this.#came_from.push(look);
    this.lookAt(look.tNs, holder, look.event);
  }

  goBack(): void {
    const look = this.#came_from.pop();
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
    if (next === null || event === undefined || event.at_ns > this.known.nowNs) {
      this.#stopPlaying();
      return false;
    }
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

  /** Readers who prefer reduced motion can only step. */
  mayPlay(): boolean {
    return !matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  togglePlay(): void {
    if (this.#locks.is_playing) {
      this.#stopPlaying();
      return;
    }
    if (!this.mayPlay()) return;
    this.#set({ is_playing: true });
    this.#played_at_ms = performance.now();
    if (this.step(1)) scheduleInFrame(this.#playOn);
  }

  readonly #playOn = (): void => {
    if (!this.#locks.is_playing) return;
    const now_ms = performance.now();
    if (now_ms - this.#played_at_ms >= PLAYED_EVENT_MS) {
      this.#played_at_ms = now_ms;
      if (!this.step(1)) return;
    }
    scheduleInFrame(this.#playOn);
  };

  #stopPlaying(): void {
    unschedule(this.#playOn);
    if (this.#locks.is_playing) this.#set({ is_playing: false });
  }

  // Subscriptions of views.

  /**
   * Calls back when a view may change. Reports new data of a run at most every `LIVE_INTERVAL_MS`.
   * During a run, changes of the window wait for a frame of the reader's input.
   */
  subscribe(listener: () => void): () => void {
    let told_at_ms = Number.NEGATIVE_INFINITY;
    let frame = 0;
    const tell = () => {
      told_at_ms = performance.now();
      listener();
    };
    const tellWhenDue = () => {
      frame = 0;
      if (performance.now() - told_at_ms >= LIVE_INTERVAL_MS) tell();
      else frame = requestAnimationFrame(tellWhenDue);
    };
    const onData = () => {
      if (frame === 0) tellWhenDue();
    };
    const ends = [
      this.session.lanes.subscribe(onData),
      this.session.latchTrace.subscribe(onData),
      this.window.subscribe(() => {
        if (this.#store.getState().run_state === 'running') scheduleForHand(tell);
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
      unschedule(tell);
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
