// Which moments of a run the worker keeps, and what going back to one takes.
import type { EngineCalls } from '../contract/gen/engine-abi';
import type { VirtualModule } from './engine-module';
import type { PlaceInRun } from './journey';
import { BLOCK_BYTES, KeyframeStore, type Keyframe } from './keyframes';
import type { PastReadings } from './model-time';

/** Keeping moments may take this part of the time. */
const SHARE_MAX = 0.06;
/** Closer together they would bring nothing. */
const APART_MIN_MS = 100;
const PAGE_BYTES = 4096;
/** On the way to a moment, each copy is so many times closer to it than the one before. */
const CLOSER = 8;

/** What the worker knows of a moment beside the engine's memory. */
export interface ServerPlace {
  reading: number;
  run_ns: number;
  next_reading_ns: number;
  events_at_reading: number;
  host_ms: number;
  watched: readonly number[];
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

  /** The readings that moments begin with. */
  get kept_readings(): number[] {
    return [...new Set(this.#keyframes.all.map(({ note }) => note.reading))];
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
