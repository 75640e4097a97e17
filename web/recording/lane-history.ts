// Stores the newest segments of all thread lanes.
import { bisectRight } from 'd3-array';

import { lane_segment, no_core } from '../contract/gen/telemetry-layout';
import type { LaneSegment } from '../contract/lane-segment';
import type { LaneBatch } from '../engine-client/engine-host';
import { fieldOfRecords } from '../engine-client/plain-field';
import type { Names, RunThread } from '../engine-client/snapshot';
import { Listeners } from './listeners';

/** About 5 virtual milliseconds of a busy server; older segments are dropped. */
const SEGMENTS_KEPT = 1 << 18;
const { bytes: SEGMENT_BYTES, fields } = lane_segment;

/** The moment at which lanes end, and the threads then. */
export interface LanesNow {
  now_ns: number;
  threads: RunThread[];
  names: Names;
}

/** The newest part of the lanes of all threads, in the engine's order, oldest first. */
export class LaneHistory {
  /**
   * A ring of segments in the engine's layout. Tens of thousands arrive per second, and few are
   * ever read.
   */
  readonly #segments = new Uint8Array(SEGMENTS_KEPT * SEGMENT_BYTES);
  readonly #field = fieldsOf(this.#segments.buffer);
  /** Offset to subtract from the engine's clock, for each segment. */
  readonly #clock_less_run_ns = new Float64Array(SEGMENTS_KEPT);
  /**
   * The latest end among this segment and all before it. The engine reports stalls when they begin,
   * so ends are not in order.
   */
  readonly #ended_by_ns = new Float64Array(SEGMENTS_KEPT);
  readonly #listeners = new Listeners();
  #generation = -1;
  #written = 0;
  #next = 0;
  #latest_end_ns = 0;
  /** Number of the oldest segment after which none is missing. */
  #unbroken_from = 0;
  /** Earlier segments are unknown. */
  #known_from_ns = 0;
  #cuts = 0;

  get length(): number {
    return this.#written - Math.max(this.#unbroken_from, this.#written - SEGMENTS_KEPT);
  }

  /** Run time from which all segments are present. */
  get known_from_ns(): number {
    return this.#known_from_ns;
  }

  /** Adds a batch. REQUIRES: at most SEGMENTS_KEPT segments; the engine's own ring holds fewer. */
  add({ runGeneration, first, segments, clockLessRunNs }: LaneBatch): void {
    if (runGeneration !== this.#generation) this.clear();
    this.#generation = runGeneration;
    const count = segments.byteLength / SEGMENT_BYTES;
    const has_gap = first !== this.#next;
    this.#next = first + count;
    if (has_gap) {
      this.#unbroken_from = this.#written;
      this.#known_from_ns = Number.NaN;
    }
    if (count > 0) this.#append(segments, count, clockLessRunNs);
    this.#listeners.notify();
  }

  #append(segments: Uint8Array, count: number, clock_less_run_ns: number): void {
    const last_overwritten = this.#written + count - 1 - SEGMENTS_KEPT;
    if (last_overwritten >= this.#unbroken_from)
      this.#known_from_ns = this.#to_ns(last_overwritten % SEGMENTS_KEPT);
    const start = this.#written % SEGMENTS_KEPT;
    const until_end = Math.min(count, SEGMENTS_KEPT - start);
    this.#segments.set(segments.subarray(0, until_end * SEGMENT_BYTES), start * SEGMENT_BYTES);
    this.#segments.set(segments.subarray(until_end * SEGMENT_BYTES));
    this.#clock_less_run_ns.fill(clock_less_run_ns, start, start + until_end);
    this.#clock_less_run_ns.fill(clock_less_run_ns, 0, count - until_end);
    // After a gap, segments arrive in the order of their ends: none with a later end is missing.
    if (Number.isNaN(this.#known_from_ns)) this.#known_from_ns = this.#to_ns(start);
    this.#noteEnds(count);
    this.#written += count;
  }

  #noteEnds(count: number): void {
    for (let number = this.#written; number < this.#written + count; number += 1) {
      const index = number % SEGMENTS_KEPT;
      this.#latest_end_ns = Math.max(this.#latest_end_ns, this.#to_ns(index));
      this.#ended_by_ns[index] = this.#latest_end_ns;
    }
  }

  #to_ns(index: number): number {
    return this.#field.to_ns(index) - this.#clock_less_run_ns[index]!;
  }

  /** Counts how often the run moved to another moment. */
  get cuts(): number {
    return this.#cuts;
  }

  /**
   * Drops all segments from the engine's segment `number` on: the engine will report them again.
   */
  cutFrom(number: number): void {
    this.#cuts += 1;
    const oldest_kept = this.#oldest;
    const last = Math.max(oldest_kept, this.#written - Math.max(0, this.#next - number));
    this.#unbroken_from = oldest_kept;
    this.#written = last;
    this.#next = number;
    const index = (last - 1 + SEGMENTS_KEPT) % SEGMENTS_KEPT;
    this.#latest_end_ns = last === oldest_kept ? 0 : this.#ended_by_ns[index]!;
    if (last === oldest_kept && oldest_kept > 0) this.#known_from_ns = Number.NaN;
    this.#listeners.notify();
  }

  /** Calls `visit` for each segment that ends after `from_ns`, newest first. */
  visitSince(from_ns: number, visit: (segment: LaneSegment) => void): void {
    const segment = { ...empty_segment };
    const oldest = this.#firstEndingAfter(from_ns);
    for (let number = this.#written - 1; number >= oldest; number -= 1) {
      const index = number % SEGMENTS_KEPT;
      if (this.#to_ns(index) <= from_ns) continue;
      this.#read(index, segment);
      visit(segment);
    }
  }

  /** Returns a thread's segment at a moment; null if it is unknown or has not ended. */
  at(slot: number, t_ns: number): LaneSegment | null {
    const next = this.#firstOfThreadEndingAfter(slot, t_ns);
    if (next === null) return null;
    const segment = this.#segment(next);
    return segment.from_ns <= t_ns ? segment : null;
  }

  /** Returns a thread's last segment before a moment; null if it is unknown. */
  before(slot: number, t_ns: number): LaneSegment | null {
    const next = this.#firstOfThreadEndingAfter(slot, t_ns) ?? this.#written;
    for (let number = next - 1; number >= this.#oldest; number -= 1)
      if (this.#field.slot(number % SEGMENTS_KEPT) === slot) return this.#segment(number);
    return null;
  }

  /**
   * Returns the number of a thread's first segment that ends after `t_ns`; null if there is none.
   * The segments of one thread are in time order.
   */
  #firstOfThreadEndingAfter(slot: number, t_ns: number): number | null {
    for (let number = this.#firstEndingAfter(t_ns); number < this.#written; number += 1) {
      const index = number % SEGMENTS_KEPT;
      if (this.#field.slot(index) === slot && this.#to_ns(index) > t_ns) return number;
    }
    return null;
  }

  /**
   * Returns the number of the oldest segment that ends later than this; no segment before it does.
   */
  #firstEndingAfter(t_ns: number): number {
    const seam = Math.max(this.#oldest, this.#written - (this.#written % SEGMENTS_KEPT));
    const begin = seam > this.#oldest && this.#ended_by_ns[SEGMENTS_KEPT - 1]! > t_ns ? this.#oldest : seam;
    const end = begin === seam ? this.#written : seam;
    if (begin === end) return begin;
    const start = begin % SEGMENTS_KEPT;
    return begin + bisectRight(this.#ended_by_ns, t_ns, start, start + end - begin) - start;
  }

  get #oldest(): number {
    return this.#written - this.length;
  }

  #segment(number: number): LaneSegment {
    const segment = { ...empty_segment };
    this.#read(number % SEGMENTS_KEPT, segment);
    return segment;
  }

  #read(index: number, segment: LaneSegment): void {
    const field = this.#field;
    const clock_less_run_ns = this.#clock_less_run_ns[index]!;
    const core = field.core(index);
    segment.from_ns = field.from_ns(index) - clock_less_run_ns;
    segment.to_ns = field.to_ns(index) - clock_less_run_ns;
    segment.slot = field.slot(index);
    segment.state = field.state(index);
    segment.core = core === no_core ? -1 : core;
    segment.holder_site = field.holder_site(index) - 1;
    segment.holder = field.holder(index) - 1;
    segment.site = field.wait_site(index) - 1;
    segment.latch = field.wait_latch(index);
  }

  clear(): void {
    this.#written = 0;
    this.#next = 0;
    this.#latest_end_ns = 0;
    this.#unbroken_from = 0;
    this.#known_from_ns = 0;
    this.#listeners.notify();
  }

  /** Changes with every change of the segments. */
  get changes(): number {
    return this.#listeners.notices;
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    return this.#listeners.subscribe(listener);
  }
}

const fieldsOf = (records: ArrayBuffer) => ({
  from_ns: fieldOfRecords(records, SEGMENT_BYTES, fields.from_ns),
  to_ns: fieldOfRecords(records, SEGMENT_BYTES, fields.to_ns),
  slot: fieldOfRecords(records, SEGMENT_BYTES, fields.slot),
  core: fieldOfRecords(records, SEGMENT_BYTES, fields.core),
  state: fieldOfRecords(records, SEGMENT_BYTES, fields.state),
  holder_site: fieldOfRecords(records, SEGMENT_BYTES, fields.holder_site),
  holder: fieldOfRecords(records, SEGMENT_BYTES, fields.holder),
  wait_site: fieldOfRecords(records, SEGMENT_BYTES, fields.wait_site),
  wait_latch: fieldOfRecords(records, SEGMENT_BYTES, fields.wait_latch),
});

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
