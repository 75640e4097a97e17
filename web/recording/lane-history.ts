// Stores the newest segments of all thread lanes.
import { bisectRight } from 'd3-array';

import { lane_segment, no_core } from '../contract/gen/telemetry-layout';
import type { LaneSegment } from '../contract/telemetry-states';
import type { LaneBatch } from '../engine-client/engine-host';
import { fieldOfRecords } from '../engine-client/plain-field';
import type { Names, RunThread } from '../engine-client/snapshot';
import { Listeners } from './listeners';

/** About 5 virtual milliseconds of a busy server; older segments are dropped. */
const SEGMENTS_KEPT = 1 << 18;
const { bytes: SEGMENT_BYTES, fields } = lane_segment;

/** The moment at which lanes end, and the threads then. */
export interface LanesNow {
  nowNs: number;
  threads: RunThread[];
  names: Names;
}

/** The newest part of the lanes of all threads, in the engine's order, oldest first. */
export class LaneHistory extends Listeners {
  /**
   * A ring of segments in the engine's layout. Tens of thousands arrive per second, and few are
   * ever read.
   */
  readonly #segments = new Uint8Array(SEGMENTS_KEPT * SEGMENT_BYTES);
  readonly #field = fieldsOf(this.#segments.buffer);
  /** Offset to subtract from the engine's clock, for each segment. */
  readonly #clockLessRunNs = new Float64Array(SEGMENTS_KEPT);
  /**
   * The latest end among this segment and all before it. The engine reports stalls when they begin,
   * so ends are not in order.
   */
  readonly #endedByNs = new Float64Array(SEGMENTS_KEPT);
  #generation = -1;
  #written = 0;
  #next = 0;
  #latestEndNs = 0;
  /** Number of the oldest segment after which none is missing. */
  #unbrokenFrom = 0;
  /** Earlier segments are unknown. */
  #knownFromNs = 0;
  #cuts = 0;

  get length(): number {
    return this.#written - Math.max(this.#unbrokenFrom, this.#written - SEGMENTS_KEPT);
  }

  /** Run time from which all segments are present. */
  get knownFromNs(): number {
    return this.#knownFromNs;
  }

  /** Adds a batch. REQUIRES: at most SEGMENTS_KEPT segments; the engine's own ring holds fewer. */
  add({ runGeneration, first, segments, clockLessRunNs }: LaneBatch): void {
    if (runGeneration !== this.#generation) this.clear();
    this.#generation = runGeneration;
    const count = segments.byteLength / SEGMENT_BYTES;
    const hasGap = first !== this.#next;
    this.#next = first + count;
    if (hasGap) {
      this.#unbrokenFrom = this.#written;
      this.#knownFromNs = Number.NaN;
    }
    if (count > 0) this.#append(segments, count, clockLessRunNs);
    this.notify();
  }

  #append(segments: Uint8Array, count: number, clockLessRunNs: number): void {
    const lastOverwritten = this.#written + count - 1 - SEGMENTS_KEPT;
    if (lastOverwritten >= this.#unbrokenFrom)
      this.#knownFromNs = this.#toNs(lastOverwritten % SEGMENTS_KEPT);
    const start = this.#written % SEGMENTS_KEPT;
    const untilEnd = Math.min(count, SEGMENTS_KEPT - start);
    this.#segments.set(segments.subarray(0, untilEnd * SEGMENT_BYTES), start * SEGMENT_BYTES);
    this.#segments.set(segments.subarray(untilEnd * SEGMENT_BYTES));
    this.#clockLessRunNs.fill(clockLessRunNs, start, start + untilEnd);
    this.#clockLessRunNs.fill(clockLessRunNs, 0, count - untilEnd);
    // After a gap, segments arrive in the order of their ends: none with a later end is missing.
    if (Number.isNaN(this.#knownFromNs)) this.#knownFromNs = this.#toNs(start);
    this.#noteEnds(count);
    this.#written += count;
  }

  #noteEnds(count: number): void {
    for (let number = this.#written; number < this.#written + count; number += 1) {
      const index = number % SEGMENTS_KEPT;
      this.#latestEndNs = Math.max(this.#latestEndNs, this.#toNs(index));
      this.#endedByNs[index] = this.#latestEndNs;
    }
  }

  #toNs(index: number): number {
    return this.#field.toNs(index) - this.#clockLessRunNs[index]!;
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
    const oldestKept = this.#oldest;
    const last = Math.max(oldestKept, this.#written - Math.max(0, this.#next - number));
    this.#unbrokenFrom = oldestKept;
    this.#written = last;
    this.#next = number;
    const index = (last - 1 + SEGMENTS_KEPT) % SEGMENTS_KEPT;
    this.#latestEndNs = last === oldestKept ? 0 : this.#endedByNs[index]!;
    if (last === oldestKept && oldestKept > 0) this.#knownFromNs = Number.NaN;
    this.notify();
  }

  /** Calls `visit` for each segment that ends after `from_ns`, newest first. */
  visitSince(fromNs: number, visit: (segment: LaneSegment) => void): void {
    const segment = { ...emptySegment };
    const oldest = this.#firstEndingAfter(fromNs);
    for (let number = this.#written - 1; number >= oldest; number -= 1) {
      const index = number % SEGMENTS_KEPT;
      if (this.#toNs(index) <= fromNs) continue;
      this.#read(index, segment);
      visit(segment);
    }
  }

  /** Returns a thread's segment at a moment; null if it is unknown or has not ended. */
  at(slot: number, tNs: number): LaneSegment | null {
    const next = this.#firstOfThreadEndingAfter(slot, tNs);
    if (next === null) return null;
    const segment = this.#segment(next);
    return segment.from_ns <= tNs ? segment : null;
  }

  /** Returns a thread's last segment before a moment; null if it is unknown. */
  before(slot: number, tNs: number): LaneSegment | null {
    const next = this.#firstOfThreadEndingAfter(slot, tNs) ?? this.#written;
    for (let number = next - 1; number >= this.#oldest; number -= 1)
      if (this.#field.slot(number % SEGMENTS_KEPT) === slot) return this.#segment(number);
    return null;
  }

  /**
   * Returns the number of a thread's first segment that ends after `tNs`; null if there is none.
   * The segments of one thread are in time order.
   */
  #firstOfThreadEndingAfter(slot: number, tNs: number): number | null {
    for (let number = this.#firstEndingAfter(tNs); number < this.#written; number += 1) {
      const index = number % SEGMENTS_KEPT;
      if (this.#field.slot(index) === slot && this.#toNs(index) > tNs) return number;
    }
    return null;
  }

  /**
   * Returns the number of the oldest segment that ends later than this; no segment before it does.
   */
  #firstEndingAfter(tNs: number): number {
    const seam = Math.max(this.#oldest, this.#written - (this.#written % SEGMENTS_KEPT));
    const begin = seam > this.#oldest && this.#endedByNs[SEGMENTS_KEPT - 1]! > tNs ? this.#oldest : seam;
    const end = begin === seam ? this.#written : seam;
    if (begin === end) return begin;
    const start = begin % SEGMENTS_KEPT;
    return begin + bisectRight(this.#endedByNs, tNs, start, start + end - begin) - start;
  }

  get #oldest(): number {
    return this.#written - this.length;
  }

  #segment(number: number): LaneSegment {
    const segment = { ...emptySegment };
    this.#read(number % SEGMENTS_KEPT, segment);
    return segment;
  }

  #read(index: number, segment: LaneSegment): void {
    const field = this.#field;
    const clockLessRunNs = this.#clockLessRunNs[index]!;
    const core = field.core(index);
    segment.from_ns = field.fromNs(index) - clockLessRunNs;
    segment.to_ns = field.toNs(index) - clockLessRunNs;
    segment.slot = field.slot(index);
    segment.state = field.state(index);
    segment.core = core === no_core ? -1 : core;
    segment.holder_site = field.holderSite(index) - 1;
    segment.holder = field.holder(index) - 1;
    segment.site = field.waitSite(index) - 1;
    segment.latch = field.waitLatch(index);
  }

  clear(): void {
    this.#written = 0;
    this.#next = 0;
    this.#latestEndNs = 0;
    this.#unbrokenFrom = 0;
    this.#knownFromNs = 0;
    this.notify();
  }
}

const fieldsOf = (records: ArrayBuffer) => ({
  fromNs: fieldOfRecords(records, SEGMENT_BYTES, fields.from_ns),
  toNs: fieldOfRecords(records, SEGMENT_BYTES, fields.to_ns),
  slot: fieldOfRecords(records, SEGMENT_BYTES, fields.slot),
  core: fieldOfRecords(records, SEGMENT_BYTES, fields.core),
  state: fieldOfRecords(records, SEGMENT_BYTES, fields.state),
  holderSite: fieldOfRecords(records, SEGMENT_BYTES, fields.holder_site),
  holder: fieldOfRecords(records, SEGMENT_BYTES, fields.holder),
  waitSite: fieldOfRecords(records, SEGMENT_BYTES, fields.wait_site),
  waitLatch: fieldOfRecords(records, SEGMENT_BYTES, fields.wait_latch),
});

const emptySegment: LaneSegment = {
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
