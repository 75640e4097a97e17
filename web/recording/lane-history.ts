import { lane_segment, no_core } from '../contract/gen/telemetry-layout';
import type { LaneSegment } from '../contract/lane-segment';
import type { LaneBatch } from '../engine-client/engine-host';
import { readField } from '../engine-client/plain-field';
import type { Names, RunThread } from '../engine-client/snapshot';
import { Listeners } from './listeners';

/** Segments of about 5 virtual milliseconds of a busy server; of more the oldest are dropped. */
const SEGMENTS_KEPT = 1 << 18;
const { bytes: SEGMENT_BYTES, fields } = lane_segment;

/** Where lanes end. */
export interface LanesNow {
  now_ns: number;
  threads: RunThread[];
  names: Names;
}

/** The newest part of the lanes of all threads, as the engine told them, oldest first. */
export class LaneHistory {
  readonly #from_ns = new Float64Array(SEGMENTS_KEPT);
  readonly #to_ns = new Float64Array(SEGMENTS_KEPT);
  /** The latest end of this segment and of all before it. Stalls are reported when they begin, so ends are not in order. */
  readonly #ended_by_ns = new Float64Array(SEGMENTS_KEPT);
  readonly #slots = new Uint16Array(SEGMENTS_KEPT);
  readonly #cores = new Uint16Array(SEGMENTS_KEPT);
  readonly #states = new Uint8Array(SEGMENTS_KEPT);
  readonly #holder_sites = new Uint8Array(SEGMENTS_KEPT);
  readonly #holders = new Uint16Array(SEGMENTS_KEPT);
  readonly #wait_sites = new Uint32Array(SEGMENTS_KEPT);
  readonly #wait_latches = new Uint32Array(SEGMENTS_KEPT);
  readonly #listeners = new Listeners();
  #generation = -1;
  #written = 0;
  #next = 0;
  #latest_end_ns = 0;
  /** Number of the oldest segment after which none is missing. */
  #unbroken_from = 0;
  /** Nothing is known of what came before this. */
  #known_from_ns = 0;
  #cuts = 0;

  get length(): number {
    return this.#written - Math.max(this.#unbroken_from, this.#written - SEGMENTS_KEPT);
  }

  /** Run time from which on every segment is here. */
  get known_from_ns(): number {
    return this.#known_from_ns;
  }

  add({ run_generation, first, segments, clock_less_run_ns }: LaneBatch): void {
    if (run_generation !== this.#generation) this.clear();
    this.#generation = run_generation;
    const view = new DataView(segments);
    const count = segments.byteLength / SEGMENT_BYTES;
    if (first !== this.#next) {
      this.#unbroken_from = this.#written;
      this.#known_from_ns = Number.NaN;
    }
    this.#next = first + count;
    for (let i = 0; i < count; i += 1) {
      const at = i * SEGMENT_BYTES;
      const index = this.#written % SEGMENTS_KEPT;
      const to_ns = readField(view, at, fields.to_ns) - clock_less_run_ns;
      // After a gap, segments come in the order of their ends: none that ends later is missing.
      if (Number.isNaN(this.#known_from_ns)) this.#known_from_ns = to_ns;
      if (this.#written - this.#unbroken_from >= SEGMENTS_KEPT) this.#known_from_ns = this.#to_ns[index]!;
      this.#from_ns[index] = readField(view, at, fields.from_ns) - clock_less_run_ns;
      this.#to_ns[index] = to_ns;
      this.#latest_end_ns = Math.max(this.#latest_end_ns, to_ns);
      this.#ended_by_ns[index] = this.#latest_end_ns;
      this.#slots[index] = readField(view, at, fields.slot);
      this.#cores[index] = readField(view, at, fields.core);
      this.#states[index] = readField(view, at, fields.state);
      this.#holder_sites[index] = readField(view, at, fields.holder_site);
      this.#holders[index] = readField(view, at, fields.holder);
      this.#wait_sites[index] = readField(view, at, fields.wait_site);
      this.#wait_latches[index] = readField(view, at, fields.wait_latch);
      this.#written += 1;
    }
    this.#listeners.notify();
  }

  /** How often the run was taken to another moment. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Forgets all from this number of the engine's on: they will be told anew. */
  cutFrom(number: number): void {
    this.#cuts += 1;
    const oldest_kept = this.#written - this.length;
    const last = Math.max(oldest_kept, this.#written - Math.max(0, this.#next - number));
    this.#unbroken_from = oldest_kept;
    this.#written = last;
    this.#next = number;
    const index = (last - 1 + SEGMENTS_KEPT) % SEGMENTS_KEPT;
    this.#latest_end_ns = last === oldest_kept ? 0 : this.#ended_by_ns[index]!;
    if (last === oldest_kept && oldest_kept > 0) this.#known_from_ns = Number.NaN;
    this.#listeners.notify();
  }

  /** Calls `visit` for each segment that ends after `from_ns`, the newest first. */
  visitSince(from_ns: number, visit: (segment: LaneSegment) => void): void {
    const segment = { ...empty_segment };
    for (let number = this.#written - 1; number >= this.#written - this.length; number -= 1) {
      const index = number % SEGMENTS_KEPT;
      if (this.#ended_by_ns[index]! <= from_ns) return;
      if (this.#to_ns[index]! <= from_ns) continue;
      this.#read(index, segment);
      visit(segment);
    }
  }

  /** What a thread did at a moment; null if that is not known, or has not ended. */
  at(slot: number, t_ns: number): LaneSegment | null {
    return this.#newestOf(slot, t_ns, ({ from_ns }) => from_ns <= t_ns);
  }

  /** The last thing that a thread did before a moment; null if that is not known. */
  before(slot: number, t_ns: number): LaneSegment | null {
    return this.#newestOf(slot, Number.NEGATIVE_INFINITY, ({ to_ns }) => to_ns <= t_ns);
  }

  #newestOf(slot: number, ends_after_ns: number, is_it: (segment: LaneSegment) => boolean) {
    const segment = { ...empty_segment };
    for (let number = this.#written - 1; number >= this.#written - this.length; number -= 1) {
      const index = number % SEGMENTS_KEPT;
      if (this.#ended_by_ns[index]! <= ends_after_ns) return null;
      if (this.#slots[index] !== slot || this.#to_ns[index]! <= ends_after_ns) continue;
      this.#read(index, segment);
      if (is_it(segment)) return segment;
    }
    return null;
  }

  #read(index: number, segment: LaneSegment): void {
    segment.from_ns = this.#from_ns[index]!;
    segment.to_ns = this.#to_ns[index]!;
    segment.slot = this.#slots[index]!;
    segment.state = this.#states[index]!;
    segment.core = this.#cores[index] === no_core ? -1 : this.#cores[index]!;
    segment.holder_site = this.#holder_sites[index]! - 1;
    segment.holder = this.#holders[index]! - 1;
    segment.site = this.#wait_sites[index]! - 1;
    segment.latch = this.#wait_latches[index]!;
  }

  clear(): void {
    this.#written = 0;
    this.#next = 0;
    this.#latest_end_ns = 0;
    this.#unbroken_from = 0;
    this.#known_from_ns = 0;
    this.#listeners.notify();
  }

  /** Differs when more is known, or less. */
  get changes(): number {
    return this.#listeners.notices;
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    return this.#listeners.subscribe(listener);
  }
}

const empty_segment: LaneSegment = {
  from_ns: 0,
  to_ns: 0,
  slot: 0,
  state: 0,
  core: -1,
  site: -1,
  latch: 0,
  holder: -1,
  holder_site: -1,
};
