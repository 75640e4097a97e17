// Decides which moments of a run the worker stores as checkpoints, and how to return to one.
import type { EngineCalls } from '../contract/gen/engine-abi';
import type { VirtualModule } from './engine-module';
import type { PlaceInRun } from './journey';
import { BLOCK_BYTES, KeyframeStore, type Keyframe } from './keyframes';
import type { PastReadings } from '../contract/model-readings';

/** Storing checkpoints may take this part of the host's time. */
const SHARE_MAX = 0.06;
/** A smaller distance between checkpoints, in milliseconds, has no benefit. */
const APART_MIN_MS = 100;
const PAGE_BYTES = 4096;
/** The page stores its state for at most this many of the newest readings. */
const READINGS_KEPT_MAX = 512;
/** On the way to a target, each checkpoint is this many times closer to it than the one before. */
const CLOSER = 8;

/** The worker's own state at a checkpoint, in addition to the engine's memory. */
export interface ServerPlace {
  reading: number;
  run_ns: number;
  next_reading_ns: number;
  events_at_reading: number;
  host_ms: number;
  /** Number of interactive changes of the current branch already applied. */
  changes: number;
}

/** The way from a checkpoint towards a later moment. */
interface WayToMoment {
  from: Keyframe<ServerPlace>;
  /** Event counts at which to store checkpoints, the next one first. */
  stops: number[];
}

/** The moments of the current run that can be returned to. */
export class RunPast {
  readonly #keyframes: KeyframeStore<ServerPlace>;
  readonly #now_ms: () => number;
  /** Host time of the last checkpoint, in milliseconds. */
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

  /** False if not even the first checkpoint fits into the budget. */
  get has_room(): boolean {
    return !this.#lacks_memory;
  }

  /**
   * Returns whether the next reading needs a checkpoint. The first checkpoint is at the beginning;
   * later ones share its pages.
   */
  isDue(is_beginning: boolean): boolean {
    if (this.#lacks_memory) return false;
    if (this.#keyframes.all.length === 0) return is_beginning;
    const apart_ms = Math.max(APART_MIN_MS, this.#cost_ms / SHARE_MAX);
    return this.#now_ms() - this.#taken_at_ms >= apart_ms;
  }

  /** Stores a checkpoint after `events`, unless one exists already. */
  keep(events: number, note: ServerPlace): void {
    const began_ms = this.#now_ms();
    const is_first = this.#keyframes.all.length === 0;
    const is_kept = this.#keyframes.newest((keyframe) => keyframe.events === events) !== null;
    const has_room = is_kept || this.#keyframes.take({ events, worked_ms: note.host_ms, note });
    if (is_first && !has_room) this.#lacks_memory = true;
    this.#taken_at_ms = this.#now_ms();
    // The first checkpoint copies all of memory, later ones only the changes.
    if (!is_first) this.#cost_ms = this.#taken_at_ms - began_ms;
  }

  /**
   * Stores the present moment until `release`, so that the caller can return to it. Returns null if
   * it does not fit.
   */
  hold(events: number, note: ServerPlace): Keyframe<ServerPlace> | null {
    this.keep(events, note);
    const held = this.#keyframes.newest((keyframe) => keyframe.events === events);
    this.#keyframes.pin(held);
    return held;
  }

  release(held: Keyframe<ServerPlace>): void {
    this.#keyframes.pin(null);
    // Activity of clients after the end of a run is not part of the run.
    if (held.events > this.#furthest.events) this.#keyframes.drop(held);
  }

  /** How far the run has advanced on its present branch. */
  get furthest(): PlaceInRun {
    return this.#furthest;
  }

  /** Event count of the first checkpoint; null if there is none. */
  get first_events(): number | null {
    return this.#keyframes.all[0]?.events ?? null;
  }

  /** Returns the last checkpoint for which `holds` is true. */
  nearest(holds: (keyframe: Keyframe<ServerPlace>) => boolean): Keyframe<ServerPlace> | null {
    return this.#keyframes.newest(holds);
  }

  restore(keyframe: Keyframe<ServerPlace>): void {
    this.#keyframes.restore(keyframe);
  }

  /** Forgets everything, because another run begins. */
  beginAnew(): void {
    this.#keyframes.clear();
    this.#lacks_memory = false;
    this.#furthest = { events: 0, run_ns: 0 };
  }

  /** Drops everything after `here`, because the run continues on another branch. */
  changesAfter(here: PlaceInRun): void {
    this.#keyframes.dropAfter(here.events);
    this.#furthest = here;
  }

  /** Records that the run has reached `here`. */
  note(here: PlaceInRun): void {
    if (here.events > this.#furthest.events) this.#furthest = here;
  }

  /**
   * Returns the readings that the page must store. These are the readings of checkpoints, and all
   * readings since the last checkpoint before `events`, where closer checkpoints may follow.
   * `newest_reading` is the last one before `events`.
   */
  keptReadings(events: number, newest_reading: number): number[] {
    const readings = new Set(this.#keyframes.all.map(({ note }) => note.reading));
    const nearest = this.nearest((keyframe) => keyframe.events <= events);
    const oldest = Math.max(nearest?.note.reading ?? newest_reading, newest_reading - READINGS_KEPT_MAX);
    for (let reading = oldest; reading <= newest_reading; reading += 1) readings.add(reading);
    return [...readings];
  }

  /**
   * Returns the checkpoint from which closer ones can be stored before `events`, and at which event
   * counts. Returns null if the nearest checkpoint is close enough, or if the page lacks the
   * readings since it.
   */
  wayTo(events: number, newest_reading: number, apart_min: number): WayToMoment | null {
    const from = this.nearest((keyframe) => keyframe.events < events);
    if (from === null || newest_reading - from.note.reading > READINGS_KEPT_MAX) return null;
    const stops = stopsBetween(from.events, events, apart_min);
    return stops.length === 0 ? null : { from, stops };
  }
}

/**
 * Returns the event counts at which to store checkpoints on the way to `target_events`. They get
 * ever closer to it, because the next steps back start there. No interval is so short that running
 * its events is as fast as restoring a checkpoint.
 */
export function stopsBetween(events: number, target_events: number, apart_min: number): number[] {
  const stops: number[] = [];
  for (let left = (target_events - events) / CLOSER; left > apart_min; left /= CLOSER)
    stops.push(target_events - Math.round(left));
  return stops;
}

/** Returns hashes of memory that contains only zeros, such as the engine's newly grown memory. */
function zeroHashes(module: VirtualModule, calls: EngineCalls) {
  const bytes = new Uint8Array(module.wasmMemory.buffer);
  for (let from = bytes.length - BLOCK_BYTES; from > 0; from -= BLOCK_BYTES) {
    if (bytes.subarray(from, from + BLOCK_BYTES).every((byte) => byte === 0))
      return {
        page_hash: calls.hash_of_memory(from, PAGE_BYTES),
        block_hash: calls.hash_of_memory(from, BLOCK_BYTES),
      };
  }
  // Without a zero block, these values match nothing, so all pages are stored as they are.
  return { page_hash: -1, block_hash: -1 };
}
