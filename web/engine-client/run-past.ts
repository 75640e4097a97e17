// Decides which moments of a run the worker stores as checkpoints, and how to return to one.
import type { PlaceInRun } from './journey';
import { BLOCK_BYTES, KeyframeStore, type HashedMemory, type Keyframe } from './keyframes';
import type { ModeledEngine } from './modeled-engine';
import type { PastReadings } from '../contract/page-readings';

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
  runNs: number;
  nextReadingNs: number;
  eventsAtReading: number;
  hostMs: number;
  /** The reading at the end of the run was taken. */
  hasEnded: boolean;
  /** Number of interactive changes of the current branch already applied. */
  changes: number;
}

/** The way from a checkpoint to a later moment. */
interface WayToMoment {
  from: Keyframe<ServerPlace>;
  /** Event counts at which to store checkpoints, the next one first. */
  stops: number[];
}

/** The moments of the current run that can be returned to. */
export class RunPast {
  readonly #keyframes: KeyframeStore<ServerPlace>;
  readonly #nowMs: () => number;
  /** Host time of the last checkpoint, in milliseconds. */
  #costMs = 0;
  #takenAtMs = Number.NEGATIVE_INFINITY;
  #lacksMemory = false;
  #furthest: PlaceInRun = { events: 0, runNs: 0 };

  constructor(engine: ModeledEngine, budgetBytes: number, nowMs: () => number) {
    const memory = {
      bytes: () => new Uint8Array(engine.memory),
      hash: (from: number, bytes: number) => engine.calls.hash_of_memory(from, bytes),
    };
    this.#keyframes = new KeyframeStore(memory, budgetBytes, zeroHashes(memory));
    this.#nowMs = nowMs;
  }

  get readings(): Omit<PastReadings, 'part_done'> {
    const { all, bytes, budgetBytes } = this.#keyframes;
    const { events: furthestEvents, runNs: furthestRunNs } = this.#furthest;
    const keyframes = this.#lacksMemory ? null : all.length;
    return {
      keyframes,
      bytes,
      budget_bytes: budgetBytes,
      furthest_events: furthestEvents,
      furthest_run_ns: furthestRunNs,
    };
  }

  /** False if not even the first checkpoint fits into the budget. */
  get hasSpace(): boolean {
    return !this.#lacksMemory;
  }

  /**
   * Returns whether the next reading needs a checkpoint. The first checkpoint is at the beginning;
   * later ones share its pages.
   */
  isDue(isBeginning: boolean): boolean {
    if (this.#lacksMemory) return false;
    if (this.#keyframes.all.length === 0) return isBeginning;
    const apartMs = Math.max(APART_MIN_MS, this.#costMs / SHARE_MAX);
    return this.#nowMs() - this.#takenAtMs >= apartMs;
  }

  /** Stores a checkpoint after `events`, unless one exists already. */
  keep(events: number, note: ServerPlace): void {
    const beganMs = this.#nowMs();
    const isFirst = this.#keyframes.all.length === 0;
    const isKept = this.#keyframes.newest((keyframe) => keyframe.events === events) !== null;
    const hasSpace = isKept || this.#keyframes.take({ events, workedMs: note.hostMs, note });
    if (isFirst && !hasSpace) this.#lacksMemory = true;
    this.#takenAtMs = this.#nowMs();
    // The first checkpoint copies all of memory, later ones only the changes.
    if (!isFirst) this.#costMs = this.#takenAtMs - beganMs;
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
  get firstEvents(): number | null {
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
    this.#lacksMemory = false;
    this.#furthest = { events: 0, runNs: 0 };
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
   * `newestReading` is the last one before `events`.
   */
  keptReadings(events: number, newestReading: number): number[] {
    const readings = new Set(this.#keyframes.all.map(({ note }) => note.reading));
    const nearest = this.nearest((keyframe) => keyframe.events <= events);
    const oldest = Math.max(nearest?.note.reading ?? newestReading, newestReading - READINGS_KEPT_MAX);
    for (let reading = oldest; reading <= newestReading; reading += 1) readings.add(reading);
    return [...readings];
  }

  /**
   * Returns the checkpoint from which closer ones can be stored before `events`, and at which event
   * counts. Returns null if the nearest checkpoint is close enough, or if the page lacks the
   * readings since it.
   */
  wayTo(events: number, newestReading: number, apartMin: number): WayToMoment | null {
    const from = this.nearest((keyframe) => keyframe.events < events);
    if (from === null || newestReading - from.note.reading > READINGS_KEPT_MAX) return null;
    const stops = stopsBetween(from.events, events, apartMin);
    return stops.length === 0 ? null : { from, stops };
  }
}

/**
 * Returns the event counts at which to store checkpoints on the way to `targetEvents`. They get
 * ever closer to it, because the next steps back start there. No interval is so short that running
 * its events is as fast as restoring a checkpoint.
 */
export function stopsBetween(events: number, targetEvents: number, apartMin: number): number[] {
  const stops: number[] = [];
  for (let left = (targetEvents - events) / CLOSER; left > apartMin; left /= CLOSER)
    stops.push(targetEvents - Math.round(left));
  return stops;
}

/** Returns hashes of memory that contains only zeros, such as the engine's newly grown memory. */
function zeroHashes(memory: HashedMemory) {
  const bytes = memory.bytes();
  for (let from = bytes.length - BLOCK_BYTES; from > 0; from -= BLOCK_BYTES) {
    if (bytes.subarray(from, from + BLOCK_BYTES).every((byte) => byte === 0))
      return { pageHash: memory.hash(from, PAGE_BYTES), blockHash: memory.hash(from, BLOCK_BYTES) };
  }
  // Without a zero block, these values match nothing, so all pages are stored as they are.
  return { pageHash: -1, blockHash: -1 };
}
