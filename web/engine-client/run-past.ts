// Which moments of a run the worker keeps, and what going back to one takes.
import type { EngineCalls } from '../contract/gen/engine-abi';
import type { VirtualModule } from './engine-module';
import type { PlaceInRun } from './journey';
import { BLOCK_BYTES, KeyframeStore, type Keyframe } from './keyframes';
import type { PastReadings } from '../contract/model-readings';

/** Keeping moments may take this part of the time. */
const SHARE_MAX = 0.06;
/** Closer together they would bring nothing. */
const APART_MIN_MS = 100;
const PAGE_BYTES = 4096;
/** The page keeps what it knew at as many of the newest readings, at most. */
const READINGS_KEPT_MAX = 512;
/** On the way to a moment, each copy is so many times closer to it than the one before. */
const CLOSER = 8;

/** What the worker knows of a moment beside the engine's memory. */
export interface ServerPlace {
  reading: number;
  run_ns: number;
  next_reading_ns: number;
  events_at_reading: number;
  host_ms: number;
  /** How many of the changes of this course have been made. */
  changes: number;
}

/** From a kept moment towards another one. */
interface WayToMoment {
  from: Keyframe<ServerPlace>;
  /** Events after which to keep moments; the next one first. */
  stops: number[];
}

/** The moments of the current run that can be gone back to. */
export class RunPast {
  readonly #keyframes: KeyframeStore<ServerPlace>;
  readonly #now_ms: () => number;
  /** What the last one took. */
  #cost_ms = 0;
  #taken_at_ms = Number.NEGATIVE_INFINITY;
  #lacks_memory = false;
  #furthest: PlaceInRun = { events: 0, run_ns: 0 };

  constructor(module: VirtualModule, calls: EngineCalls, budget_bytes: number, now_ms: () => number) {
    const memory = {
      bytes: () => new Uint8Array(module.wasmMemory.buffer),
      hash: (from: number, bytes: number) => calls.hash_of_memory(from, bytes),
    };
    this.#keyframes = new KeyframeStore(memory, budget_bytes, zeroHashes(module, calls));
    this.#now_ms = now_ms;
  }

  get readings(): Omit<PastReadings, 'part_done'> {
    const { all, bytes, budget_bytes } = this.#keyframes;
    const { events: furthest_events, run_ns: furthest_run_ns } = this.#furthest;
    const keyframes = this.#lacks_memory ? null : all.length;
    return { keyframes, bytes, budget_bytes, furthest_events, furthest_run_ns };
  }

  /** False if not even the first one fits. */
  get has_room(): boolean {
    return !this.#lacks_memory;
  }

  /** Whether one is to be taken at the next reading. The first is that of the beginning: what comes after builds on it. */
  isDue(is_beginning: boolean): boolean {
    if (this.#lacks_memory) return false;
    if (this.#keyframes.all.length === 0) return is_beginning;
    const apart_ms = Math.max(APART_MIN_MS, this.#cost_ms / SHARE_MAX);
    return this.#now_ms() - this.#taken_at_ms >= apart_ms;
  }

  /** Keeps the moment after these events, unless it is kept already. */
  keep(events: number, note: ServerPlace): void {
    const began_ms = this.#now_ms();
    const is_first = this.#keyframes.all.length === 0;
    const is_kept = this.#keyframes.newest((keyframe) => keyframe.events === events) !== null;
    const has_room = is_kept || this.#keyframes.take({ events, worked_ms: note.host_ms, note });
    if (is_first && !has_room) this.#lacks_memory = true;
    this.#taken_at_ms = this.#now_ms();
    // The first has to copy all of memory, those after it only what has changed.
    if (!is_first) this.#cost_ms = this.#taken_at_ms - began_ms;
  }

  /** Keeps the present moment until `release`, to come back to it; null if there is no room. */
  hold(events: number, note: ServerPlace): Keyframe<ServerPlace> | null {
    this.keep(events, note);
    const held = this.#keyframes.newest((keyframe) => keyframe.events === events);
    this.#keyframes.pin(held);
    return held;
  }

  release(held: Keyframe<ServerPlace>): void {
    this.#keyframes.pin(null);
    // What clients do after the end of a run is no part of it.
    if (held.events > this.#furthest.events) this.#keyframes.drop(held);
  }

  /** How far the run has been on its present course. */
  get furthest(): PlaceInRun {
    return this.#furthest;
  }

  /** Events of the first moment that is kept; null if there is none. */
  get first_events(): number | null {
    return this.#keyframes.all[0]?.events ?? null;
  }

  /** The last kept moment of which this holds. */
  nearest(holds: (keyframe: Keyframe<ServerPlace>) => boolean): Keyframe<ServerPlace> | null {
    return this.#keyframes.newest(holds);
  }

  restore(keyframe: Keyframe<ServerPlace>): void {
    this.#keyframes.restore(keyframe);
  }

  /** Another run begins. */
  beginAnew(): void {
    this.#keyframes.clear();
    this.#lacks_memory = false;
    this.#furthest = { events: 0, run_ns: 0 };
  }

  /** The run takes another course from here on. */
  changesAfter(here: PlaceInRun): void {
    this.#keyframes.dropAfter(here.events);
    this.#furthest = here;
  }

  /** The run has come here. */
  note(here: PlaceInRun): void {
    if (here.events > this.#furthest.events) this.#furthest = here;
  }

  /**
   * The readings that moments begin with, and those of the last moment before `events` on, for closer moments may be laid
   * there. `newest_reading`: the one before `events`.
   */
  keptReadings(events: number, newest_reading: number): number[] {
    const readings = new Set(this.#keyframes.all.map(({ note }) => note.reading));
    const nearest = this.nearest((keyframe) => keyframe.events <= events);
    const oldest = Math.max(nearest?.note.reading ?? newest_reading, newest_reading - READINGS_KEPT_MAX);
    for (let reading = oldest; reading <= newest_reading; reading += 1) readings.add(reading);
    return [...readings];
  }

  /**
   * The moment from which closer ones can be laid before `events`, and after how many events; null if the nearest one is close
   * enough, or the page does not know the readings since.
   */
  wayTo(events: number, newest_reading: number, apart_min: number): WayToMoment | null {
    const from = this.nearest((keyframe) => keyframe.events < events);
    if (from === null || newest_reading - from.note.reading > READINGS_KEPT_MAX) return null;
    const stops = stopsBetween(from.events, events, apart_min);
    return stops.length === 0 ? null : { from, stops };
  }
}

/**
 * After how many events to lay copies on the way from here to there: ever closer before it, for the next steps back begin there; none
 * so close that the events after it are done as fast as a copy is restored.
 */
export function stopsBetween(events: number, target_events: number, apart_min: number): number[] {
  const stops: number[] = [];
  for (let left = (target_events - events) / CLOSER; left > apart_min; left /= CLOSER)
    stops.push(target_events - Math.round(left));
  return stops;
}

/** Of pieces of memory that hold nothing but zeros: the engine grows its memory by such. */
function zeroHashes(module: VirtualModule, calls: EngineCalls) {
  const bytes = new Uint8Array(module.wasmMemory.buffer);
  for (let from = bytes.length - BLOCK_BYTES; from > 0; from -= BLOCK_BYTES) {
    if (bytes.subarray(from, from + BLOCK_BYTES).every((byte) => byte === 0))
      return {
        page_hash: calls.hash_of_memory(from, PAGE_BYTES),
        block_hash: calls.hash_of_memory(from, BLOCK_BYTES),
      };
  }
  // Without any: all pages are kept as they are.
  return { page_hash: -1, block_hash: -1 };
}
