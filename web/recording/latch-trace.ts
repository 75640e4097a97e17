// Records the events of the watched latches: holders over time, number of waiters, and accesses to
// the cache line.
import { latch_event, latch_event_kinds, no_core } from '../contract/gen/telemetry-layout';
import type { LatchEvent } from '../contract/telemetry-states';
import type { LatchEventBatch, WatchedLatch } from '../engine-client/engine-host';
import { readField } from '../engine-client/plain-field';
import { LatchState, type HoldMode } from './latch-state';
import { Listeners } from './listeners';

/** Maximum number of events per latch; beyond it, the older half is dropped. */
export const EVENTS_KEPT = 1 << 16;
const { bytes: EVENT_BYTES, fields } = latch_event;
const firstAccess = latch_event_kinds.indexOf('load');

/** One hold of a latch by a thread. */
export interface Hold {
  slot: number;
  /** Site of the acquisition; -1 if it was before the first known event. */
  site: number;
  fromNs: number;
  /** null until the release. */
  toNs: number | null;
  mode: HoldMode;
}

/** The number of waiters from this moment on. */
export interface QueueStep {
  atNs: number;
  depth: number;
}

/** The known history of one latch. All lists are in time order. */
export class LatchTrack {
  readonly latch: number;
  readonly holds: Hold[] = [];
  readonly queue: QueueStep[] = [];
  readonly events: LatchEvent[] = [];
  readonly #now = new LatchState();
  readonly #open = new Map<number, Hold[]>();
  /** Threads with at least one known event. */
  readonly #seen = new Set<number>();
  #before = new LatchState();
  #dropped = 0;
  #revision = 0;
  #site = -1;

  constructor(latch: number) {
    this.latch = latch;
  }

  /**
   * State of the latch before the first of `events`, as far as it is known or later events imply
   * it.
   */
  get before(): LatchState {
    return this.#before;
  }

  /** Event n of the run's trace is at index n - `dropped` of `events`. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Changes whenever an event adds information about earlier times. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * A site that wanted or acquired the latch, which leads to the latch's name; -1 while none is
   * known.
   */
  get site(): number {
    return this.#site;
  }

  /** Number of waiters. */
  get depth(): number {
    return this.#now.depth;
  }

  get knownFromNs(): number {
    return this.events[0]?.at_ns ?? Number.POSITIVE_INFINITY;
  }

  add(event: LatchEvent): void {
    this.#insert(event);
    this.#learnOfBefore(event);
    this.#now.take(event);
    switch (event.kind) {
      case 'wants':
        this.#noteDepth(event.at_ns);
        break;
      case 'gets':
        this.#noteDepth(event.at_ns);
        this.#begin(event);
        break;
      case 'gives_back':
        this.#end(event);
        break;
    }
    if (event.site >= 0 && (event.kind === 'wants' || event.kind === 'gets')) this.#site = event.site;
    if (this.events.length > EVENTS_KEPT) this.#dropOlderHalf();
  }

  /**
   * Inserts an event in time order. The engine reports a store when it is issued, so the store may
   * take effect after the next event.
   */
  #insert(event: LatchEvent): void {
    let place = this.events.length;
    while (place > 0 && this.events[place - 1]!.at_ns > event.at_ns) place -= 1;
    if (place === this.events.length) this.events.push(event);
    else this.events.splice(place, 0, event);
  }

  /**
   * Infers the state before the first event: a thread that releases the latch held it, and a thread
   * that sleeps, wakes or polls wanted it.
   */
  #learnOfBefore({ slot, kind, access }: LatchEvent): void {
    if (this.#seen.has(slot) || (access !== null && kind !== 'poll')) return;
    this.#seen.add(slot);
    if (kind === 'gives_back') this.#learnOfHolder(slot);
    if (kind === 'sleeps' || kind === 'wakes' || kind === 'poll')
      this.#learnOfWanting(slot, kind === 'wakes');
  }

  #learnOfHolder(slot: number): void {
    const sinceNs = this.knownFromNs;
    const hold: Hold = { slot, site: -1, fromNs: sinceNs, toNs: null, mode: null };
    this.holds.unshift(hold);
    this.#open.set(slot, [hold]);
    for (const state of [this.#before, this.#now]) state.addHolder({ slot, sinceNs, site: -1, mode: null });
    this.#revision += 1;
  }

  #learnOfWanting(slot: number, isAsleep: boolean): void {
    const sinceNs = this.knownFromNs;
    for (const state of [this.#before, this.#now]) state.addWanting({ slot, sinceNs, site: -1, isAsleep });
    for (const step of this.queue) step.depth += 1;
    if (this.queue[0]?.atNs !== sinceNs) this.queue.unshift({ atNs: sinceNs, depth: this.#before.depth });
    this.#revision += 1;
  }

  #begin({ slot, site, at_ns }: LatchEvent): void {
    const hold: Hold = { slot, site, fromNs: at_ns, toNs: null, mode: this.#now.modeOf(slot) };
    this.holds.push(hold);
    const open = this.#open.get(slot);
    if (open === undefined) this.#open.set(slot, [hold]);
    else open.push(hold);
  }

  /** Ends the thread's newest hold, because a holder may acquire the latch again. */
  #end({ slot, at_ns }: LatchEvent): void {
    const hold = this.#open.get(slot)?.pop();
    if (hold !== undefined) hold.toNs = at_ns;
  }

  #noteDepth(atNs: number): void {
    const { depth } = this.#now;
    if ((this.queue.at(-1)?.depth ?? 0) !== depth) this.queue.push({ atNs, depth });
  }

  #dropOlderHalf(): void {
    const dropped = this.events.splice(0, EVENTS_KEPT / 2);
    this.#before = this.#before.copy();
    for (const event of dropped) this.#before.take(event);
    this.#dropped += dropped.length;
    this.#revision += 1;
    const knownFromNs = this.knownFromNs;
    const heldUntilNs = ({ toNs }: Hold) => toNs ?? Number.POSITIVE_INFINITY;
    this.holds.splice(
      0,
      firstIndex(this.holds, (hold) => heldUntilNs(hold) >= knownFromNs),
    );
    // The first step continues from the depth of the step before it.
    this.queue.splice(0, Math.max(0, firstIndex(this.queue, ({ atNs }) => atNs >= knownFromNs) - 1));
  }
}

const firstIndex = <T>(list: readonly T[], holds: (item: T) => boolean) => {
  const index = list.findIndex(holds);
  return index < 0 ? list.length : index;
};

/** The tracks of the watched latches, by number. */
export class LatchTrace extends Listeners {
  readonly #tracks = new Map<number, LatchTrack>();
  #generation = -1;
  #next = 0;
  #knownFromNs = 0;
  #watched: readonly WatchedLatch[] = [];
  /** Received but not parsed yet: while the server runs, few events are ever read. */
  readonly #unread: Pick<LatchEventBatch, 'first' | 'events' | 'clockLessRunNs'>[] = [];
  #unreadEvents = 0;

  /** Run time from which no event of the latches watched then is missing. */
  get knownFromNs(): number {
    return this.#knownFromNs;
  }

  /** Tracks of all latches with known events, in the order of the watch list. */
  get tracks(): LatchTrack[] {
    this.#readAll();
    return this.#watched.flatMap(({ latch }) => this.#tracks.get(latch) ?? []);
  }

  /** Whether any event of the watched latches is known. */
  get hasEvents(): boolean {
    return this.#unread.length > 0 || this.#watched.some(({ latch }) => this.#tracks.has(latch));
  }

  track(latch: number): LatchTrack | null {
    this.#readAll();
    return this.#tracks.get(latch) ?? null;
  }

  add({ runGeneration, first, isWholeRing, events, watched, clockLessRunNs }: LatchEventBatch): void {
    if (runGeneration !== this.#generation) this.clear();
    this.#generation = runGeneration;
    const count = events.byteLength / EVENT_BYTES;
    const fromNs = count === 0 ? null : eventAt(new DataView(events), 0, clockLessRunNs).at_ns;
    if (isWholeRing || first !== this.#next) this.#beginAnew(fromNs);
    this.#next = first + count;
    if (count > 0) this.#unread.push({ first, events, clockLessRunNs });
    this.#unreadEvents += count;
    const hasDropped = this.#watchOnly(watched);
    if (this.#unreadEvents > EVENTS_KEPT) this.#readAll();
    if (count > 0 || hasDropped) this.notify();
  }

  #readAll(): void {
    if (this.#unread.length === 0) return;
    const watchedSince = new Map(this.#watched.map(({ latch, sinceEvent }) => [latch, sinceEvent]));
    for (const { first, events, clockLessRunNs } of this.#unread) {
      const view = new DataView(events);
      for (let at = 0; at < events.byteLength; at += EVENT_BYTES) {
        const latch = readField(view, at, fields.latch);
        const sinceEvent = watchedSince.get(latch) ?? Number.POSITIVE_INFINITY;
        if (first + at / EVENT_BYTES >= sinceEvent) this.#addTo(eventAt(view, at, clockLessRunNs));
      }
    }
    this.#forgetUnread();
  }

  #forgetUnread(): void {
    this.#unread.length = 0;
    this.#unreadEvents = 0;
  }

  /**
   * Drops latches that are not watched, or were not watched for a while. Returns whether there were
   * any.
   */
  #watchOnly(watched: readonly WatchedLatch[]): boolean {
    const isWatchedSinceLast = ({ latch, sinceEvent }: WatchedLatch) =>
      watched.some((now) => now.latch === latch && now.sinceEvent === sinceEvent);
    const gone = this.#watched.filter((latch) => !isWatchedSinceLast(latch));
    this.#watched = watched;
    return gone.filter(({ latch }) => this.#tracks.delete(latch)).length > 0;
  }

  clear(): void {
    this.#tracks.clear();
    this.#forgetUnread();
    this.#next = 0;
    this.#knownFromNs = 0;
    this.notify();
  }

  /** Discards all tracks, because events are missing. */
  #beginAnew(atNs: number | null): void {
    this.#tracks.clear();
    this.#forgetUnread();
    this.#knownFromNs = atNs ?? this.#knownFromNs;
  }

  #addTo(event: LatchEvent): void {
    let track = this.#tracks.get(event.latch);
    if (track === undefined) {
      track = new LatchTrack(event.latch);
      this.#tracks.set(event.latch, track);
    }
    track.add(event);
  }
}

function eventAt(view: DataView, at: number, clockLessRunNs: number): LatchEvent {
  const kind = readField(view, at, fields.kind);
  const atPs = readField(view, at, fields.at_ps);
  const isAccess = kind >= firstAccess;
  return {
    at_ns: atPs / 1000 - clockLessRunNs,
    kind: latch_event_kinds[kind]!,
    latch: readField(view, at, fields.latch),
    slot: readField(view, at, fields.slot),
    site: isAccess ? -1 : readField(view, at, fields.site),
    access: isAccess ? accessAt(view, at) : null,
  };
}

function accessAt(view: DataView, at: number) {
  const fromCore = readField(view, at, fields.from_core);
  return {
    took_ns: readField(view, at, fields.took_ps) / 1000,
    core: readField(view, at, fields.core),
    from_core: fromCore === no_core ? null : fromCore,
    latch_class: readField(view, at, fields.latch_class),
    line: readField(view, at, fields.line),
    word: readField(view, at, fields.word),
    value: readField(view, at, fields.value),
  };
}
