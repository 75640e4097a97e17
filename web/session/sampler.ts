import { StackCensus } from '../analysis/flame';
import { StackTable } from '../analysis/stack-table';
import type { ThreadSample } from '../analysis/thread-sample';
import { timeShares } from '../analysis/time-shares';
import {
  ratePerSecond,
  windowMax_ns,
  windowPercentiles_ns,
  windowSeconds,
  type Window,
} from '../analysis/window';
import { emptySnapshot, type Snapshot } from '../engine-client/snapshot';
import type { TelemetryReader } from '../engine-client/telemetry-reader';
import type { History } from '../recording/history';
import { LatencyMeter } from './latency-meter';
import type { TimeScale } from '../recording/time-scale';

const SAMPLE_INTERVAL_MS = 100;
/** A longer silence (a hidden tab, a sleeping laptop) says nothing about the rate now: the line gets a gap. */
const SILENCE_MAX_MS = 1_000;
const SNAPSHOTS_KEPT = 224;
/** A slow virtual server is read this often even if it has not come far. */
const VIRTUAL_PATIENCE_MS = 1_000;
/** Nothing is said about a rate over less than this part of a point's window. */
const POINT_WINDOW_PART_MIN = 0.1;
const LOOKS_KEPT = 50;
const POINTS_ON_AXIS = 60;

export interface SamplerOptions {
  telemetry: TelemetryReader;
  history: History;
  operation_counter: string;
  time_scale: TimeScale;
}

/**
 * Samples the telemetry block while clients run: thread states in every animation frame, all totals about ten times a
 * second, or at each reading of a virtual server. Keeps the last seconds of totals, out of which any window can be cut, and
 * appends a row to the history.
 */
export class Sampler {
  readonly stack_table = new StackTable();
  /** What threads did at each of the last looks, oldest first. */
  readonly looks: ThreadSample[][] = [];
  /** What threads did at all looks of this run. */
  readonly census = new StackCensus();
  readonly #looked_at_ns: number[] = [];
  readonly latencies: LatencyMeter;
  readonly #telemetry: TelemetryReader;
  readonly #history: History;
  readonly #operation_counter: string;
  readonly #time_scale: TimeScale;
  readonly #snapshots = Array.from({ length: SNAPSHOTS_KEPT }, emptySnapshot);
  // Snapshots taken since the last break; the newest is number #taken - 1.
  #taken = 0;
  #seen_at_ms: number | null = null;

  constructor({ telemetry, history, operation_counter, time_scale }: SamplerOptions) {
    this.#telemetry = telemetry;
    this.#history = history;
    this.#operation_counter = operation_counter;
    this.#time_scale = time_scale;
    this.latencies = new LatencyMeter(time_scale.interval_s);
  }

  /** Call when a virtual server has been read at a moment that does not depend on this machine, and when its run is over. */
  onReading(now_ms: number): void {
    const newest = this.#newest();
    if (newest === null || this.#telemetry.header().run_ns > newest.run_ns) this.#sample(now_ms);
  }

  /** Call once per animation frame while clients run, or while virtual time goes slowly. Returns whether all totals were read in this one. */
  onFrame(now_ms: number): boolean {
    if (this.#time_scale.row_s !== null) return this.#onVirtualFrame(now_ms, this.#time_scale.row_s);
    if (this.#seen_at_ms !== null && now_ms - this.#seen_at_ms > SILENCE_MAX_MS) this.breakLines();
    this.#seen_at_ms = now_ms;
    this.#telemetry.sampleStates();
    const newest = this.#newest();
    const is_due = newest === null || now_ms - newest.read_at_ms >= SAMPLE_INTERVAL_MS;
    if (is_due) this.#sample(now_ms);
    return is_due;
  }

  // Virtual time stands while nobody looks, and its readings are exact: there is no silence that a line would cross.
  #onVirtualFrame(now_ms: number, row_s: number): boolean {
    const newest = this.#newest();
    const passed_ns = this.#telemetry.header().run_ns - (newest?.run_ns ?? 0);
    const is_slow = newest !== null && now_ms - newest.read_at_ms >= VIRTUAL_PATIENCE_MS;
    const is_due = newest === null || passed_ns >= row_s * 1e9 || (is_slow && passed_ns > 0);
    if (is_due) this.#sample(now_ms);
    return is_due;
  }

  /** Nothing before this moment may be compared with anything after it. */
  breakLines(): void {
    if (this.#time_scale.is_virtual) return;
    if (this.#taken > 0) this.#history.appendGap();
    this.#taken = 0;
    this.#seen_at_ms = null;
    this.looks.length = 0;
    this.#looked_at_ns.length = 0;
    this.latencies.startAgain();
  }

  /**
   * The newest totals and those of up to `seconds` of run time before, but not from before `not_before_ns`; null while
   * there are not two.
   */
  window(seconds: number, not_before_ns = 0): Window | null {
    const after = this.#newest();
    if (after === null) return null;
    const earliest_ns = Math.max(not_before_ns, after.run_ns - seconds * 1e9);
    const oldest_kept = Math.max(0, this.#taken - SNAPSHOTS_KEPT);
    for (let number = oldest_kept; number < this.#taken - 1; number += 1) {
      const before = this.#snapshots[number % SNAPSHOTS_KEPT]!;
      if (before.run_ns >= earliest_ns && before.run_ns < after.run_ns) return { before, after };
    }
    return this.#time_scale.is_virtual ? this.#longLastWindow(after, not_before_ns) : null;
  }

  // Virtual time leaps where no thread has anything to do, or while the page is hidden. Its readings are exact, so an
  // average over the leap is true.
  #longLastWindow(after: Snapshot, not_before_ns: number): Window | null {
    if (this.#taken < 2) return null;
    const before = this.#snapshots[(this.#taken - 2) % SNAPSHOTS_KEPT]!;
    return before.run_ns >= not_before_ns && before.run_ns < after.run_ns ? { before, after } : null;
  }

  /** Run time from the first of the kept looks to the last. */
  get looks_s(): number {
    return ((this.#looked_at_ns.at(-1) ?? 0) - (this.#looked_at_ns[0] ?? 0)) / 1e9;
  }

  #newest(): Snapshot | null {
    return this.#taken === 0 ? null : this.#snapshots[(this.#taken - 1) % SNAPSHOTS_KEPT]!;
  }

  #sample(now_ms: number): void {
    const snapshot = this.#snapshots[this.#taken % SNAPSHOTS_KEPT]!;
    this.#telemetry.read(snapshot, now_ms);
    this.#taken += 1;
    this.#lookAtThreads();
    this.latencies.onReading(snapshot);
    const { point_window_s, is_virtual } = this.#time_scale;
    // The longer the axis, the smoother the line.
    const smoothed_s = is_virtual ? snapshot.run_ns / 1e9 / POINTS_ON_AXIS : 0;
    const window = this.window(Math.max(point_window_s, smoothed_s));
    const span_min_s = is_virtual ? point_window_s * POINT_WINDOW_PART_MIN : 0;
    if (window !== null && windowSeconds(window) >= span_min_s) this.#appendRow(window);
  }

  #lookAtThreads(): void {
    const threads: ThreadSample[] = [];
    this.#telemetry.visitThreads((look, frames, depth) => {
      threads.push({ ...look, stack: this.stack_table.intern(frames, depth) });
    });
    this.looks.push(threads);
    this.census.add(threads);
    this.#looked_at_ns.push(this.#telemetry.header().run_ns);
    if (this.looks.length > LOOKS_KEPT) {
      this.looks.shift();
      this.#looked_at_ns.shift();
    }
  }

  #appendRow(window: Window): void {
    const [p50_ns = null, p95_ns = null, p99_ns = null] = windowPercentiles_ns(window, [50, 95, 99]);
    const shares = timeShares(window);
    this.#history.append({
      t_s: window.after.run_ns / 1e9,
      transactions_per_s: ratePerSecond(window, 'transactions'),
      operations_per_s: ratePerSecond(window, this.#operation_counter),
      p50_ns,
      p95_ns,
      p99_ns,
      max_ns: windowMax_ns(window),
      running: shares?.running ?? null,
      spinning: shares?.spinning ?? null,
      waiting: shares?.waiting ?? null,
      sleeping: shares?.sleeping ?? null,
      io: shares?.io ?? null,
    });
  }
}
