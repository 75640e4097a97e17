// Copies what the page has not seen yet of a modeled server: its telemetry block, lane segments and
// latch events.
import { lane_segment, latch_event, watched_latch } from '../contract/gen/telemetry-layout';
import type { RunState } from '../contract/telemetry-states';
import { BlockCopier, copyOfRing, SpareBuffers, stateTimes, type Ring } from './block-copy';
import type { LaneBatch, LatchEventBatch, WatchedLatch } from './engine-host';
import type { ModeledEngine } from './modeled-engine';
import { readField } from './plain-field';
import type { Snapshot, Spare } from './virtual-protocol';

/** A snapshot has at most this many of the newest segments. */
const SEGMENTS_SENT_MAX = 30_000;
/** The same limit for latch events while the server runs, low enough that the page keeps up. */
const LATCH_EVENTS_SENT_MAX = 4_096;

/** The worker's view of the run, which a snapshot shows in place of the engine's own. */
interface ShownRun {
  runNs: number;
  runState: RunState;
  /** Time has stopped at a moment, so the page gets all latch events that lead to it. */
  stands: boolean;
}

export class Snapshots {
  readonly #engine: ModeledEngine;
  readonly #copier = new BlockCopier();
  readonly #spareSegments = new SpareBuffers();
  readonly #laneSegments: Ring;
  readonly #latchEvents: Ring;
  readonly #watchedLatches: Ring;
  #segmentsSent = 0;
  #latchEventsSent = 0;
  /** The page has all events that the ring held when time stopped, and all since. */
  #hasSentLatchRing = false;

  constructor(engine: ModeledEngine) {
    this.#engine = engine;
    const { calls } = engine;
    this.#laneSegments = {
      address: calls.lane_segments(),
      records: calls.lane_segments_max(),
      recordBytes: lane_segment.bytes,
    };
    this.#latchEvents = {
      address: calls.latch_events(),
      records: calls.latch_events_max(),
      recordBytes: latch_event.bytes,
    };
    this.#watchedLatches = {
      address: calls.watched_latches(),
      records: calls.watched_latches_max(),
      recordBytes: watched_latch.bytes,
    };
  }

  take({ stands, ...changes }: ShownRun): Omit<Snapshot, 'readings'> {
    const { calls, memory, block } = this.#engine;
    const clockNs = calls.clock_ns();
    const buffer = this.#copier.copy(memory, block, changes);
    const ofBatch = {
      runGeneration: this.#engine.word('run_generation'),
      clockLessRunNs: this.#engine.clockAtNs(0),
    };
    return {
      block: { buffer, stateTimes: stateTimes(buffer, memory, calls.lane_totals(), clockNs) },
      lanes: { ...ofBatch, ...this.#newSegments() },
      latchEvents: { ...ofBatch, ...this.#newLatchEvents(stands), watched: this.#watched() },
    };
  }

  /** Takes back buffers that the page no longer reads. */
  reuse({ block, segments }: Spare): void {
    this.#copier.reuse(block);
    this.#spareSegments.give(segments);
  }

  /** The engine is at another moment. Returns the number of the next lane segment. */
  moveTo(segmentsWritten: number): number {
    this.#segmentsSent = Math.min(this.#segmentsSent, segmentsWritten);
    this.#latchEventsSent = 0;
    this.#hasSentLatchRing = false;
    return this.#segmentsSent;
  }

  #newSegments(): Pick<LaneBatch, 'first' | 'segments'> {
    const { calls, memory } = this.#engine;
    const written = calls.lane_segments_written();
    const first = Math.max(this.#segmentsSent, written - SEGMENTS_SENT_MAX);
    this.#segmentsSent = written;
    const segments = copyOfRing(memory, this.#laneSegments, first, written, (bytes) =>
      this.#spareSegments.take(bytes, (spare) => spare.byteLength >= bytes),
    );
    return { first, segments };
  }

  /**
   * Returns the newest events while time runs. Once it has stopped, returns all events in the ring,
   * which replace those sent before. How many of those the page has depends on the speed of both.
   */
  #newLatchEvents(stands: boolean): Pick<LatchEventBatch, 'first' | 'isWholeRing' | 'events'> {
    const { calls, memory } = this.#engine;
    const written = calls.latch_events_written();
    const oldestKept = Math.max(0, written - this.#latchEvents.records);
    const isWholeRing = stands && !(this.#hasSentLatchRing && this.#latchEventsSent >= oldestKept);
    const newestFrom = stands ? oldestKept : written - LATCH_EVENTS_SENT_MAX;
    const first = isWholeRing ? oldestKept : Math.max(this.#latchEventsSent, newestFrom);
    this.#hasSentLatchRing = stands;
    this.#latchEventsSent = written;
    return { first, isWholeRing, events: copyOfRing(memory, this.#latchEvents, first, written).buffer };
  }

  #watched(): WatchedLatch[] {
    const { address, records, recordBytes } = this.#watchedLatches;
    const view = new DataView(this.#engine.memory, address, records * recordBytes);
    return Array.from({ length: records }, (_, place) => ({
      latch: readField(view, place * recordBytes, watched_latch.fields.latch),
      sinceEvent: readField(view, place * recordBytes, watched_latch.fields.since_event),
    })).filter(({ latch }) => latch !== 0);
  }
}
