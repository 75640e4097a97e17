import { StackCensus } from '../analysis/flame';
import { StackTable } from '../analysis/stack-table';
import type { ThreadSample } from '../analysis/thread-sample';
import { timeShares } from '../analysis/time-shares';
import { timeSharesOf } from '../contract/time-shares';
import { firstReadingFrom, rateWindow } from '../analysis/rate-window';
import { ratePerSecond, windowLatencies, windowSeconds, type Window } from '../analysis/window';
import { counterIndex, type Snapshot } from '../engine-client/snapshot';
import type { TelemetryReader } from '../engine-client/telemetry-reader';
import type { History } from '../recording/history';
import { LatencyMeter, type LatencyMeterCheckpoint } from './latency-meter';
import { SnapshotTrail } from './snapshot-trail';
import type { TimeScale } from '../recording/time-scale';

const SAMPLE_INTERVAL_MS = 100;
/** After a longer time without samples (a hidden tab, a sleeping laptop) the line has a gap. */
const SILENCE_MAX_MS = 1_000;
/** The page reads a slow virtual server this often, even if it has made little progress. */
const VIRTUAL_PATIENCE_MS = 1_000;
/** No rate is computed over less than this part of a point's window. */
const POINT_WINDOW_PART_MIN = 0.1;
/**
 * The same after a mark, where a point's window restarts. Until then the line keeps its value from
 * before the mark.
 */
const PART_MIN_AFTER_MARK = 0.5;
const MOMENTS_KEPT = 50;
const POINTS_ON_AXIS = 60;

const no_shares = timeSharesOf({});

/** A window by the rule of rates (rate-window.ts). */
export interface SampledWindow extends Window {
  is_settled: boolean;
}

export interface SamplerOptions {
  telemetry: TelemetryReader;
  history: History;
  operation_counter: string;
  time_scale: TimeScale;
  /** Run time of the last mark, 0 before the first. No point of a line spans a mark. */
  lastMark_ns: () => number;
  /** Called with each reading of all totals. Its buffers are reused, so do not store them. */
  onSnapshot?: (snapshot: Snapshot, last_mark_ns: number) => void;
}

export interface SamplerCheckpoint {
  trail: readonly Snapshot[];
  thread_samples: readonly ThreadSample[][];
  sampled_at_ns: readonly number[];
  census: StackCensus;
  latencies: LatencyMeterCheckpoint;
  /** End of the history. */
  end_s: number;
}

/**
 * Samples the telemetry block while clients run. Reads thread states in every animation frame, and
 * all totals about ten times per second or at each reading of a virtual server. Stores the last
 * seconds of totals, from which any window can be cut, and appends rows to the history.
 */
export class Sampler {
  readonly stack_table = new StackTable();
  /** Thread samples of the last moments, oldest first. */
  thread_samples: ThreadSample[][] = [];
  /** Counts of all thread samples of this run. */
  census = new StackCensus();
  #sampled_at_ns: number[] = [];
  readonly latencies: LatencyMeter;
  readonly #telemetry: TelemetryReader;
  readonly #history: History;
  readonly #operation_counter: string;
  readonly #time_scale: TimeScale;
  readonly #lastMark_ns: () => number;
  readonly #trail = new SnapshotTrail();
  readonly #onSnapshot: SamplerOptions['onSnapshot'];
  #seen_at_ms: number | null = null;
  /** Set while the newest totals have no row in the history yet. */
  #row_due: { last_mark_ns: number } | null = null;

  constructor(options: SamplerOptions) {
    const { telemetry, history, operation_counter, time_scale } = options;
    this.#telemetry = telemetry;
    this.#history = history;
    this.#operation_counter = operation_counter;
    this.#time_scale = time_scale;
    this.#lastMark_ns = options.lastMark_ns;
    this.#onSnapshot = options.onSnapshot;
    this.latencies = new LatencyMeter(time_scale.intervalS);
  }

  /** Call after each fixed reading of a virtual server, and when its run is over. */
  onReading(now_ms: number): void {
    const { newest } = this;
    if (newest === null || this.#telemetry.header().runNs > newest.runNs) this.#sampleWithRow(now_ms);
  }

  /**
   * Call once per animation frame while clients run or virtual time is slow. Returns whether this
   * frame read or processed totals. On real threads it does each in its own frame, so that neither
   * takes long.
   */
  onFrame(now_ms: number): boolean {
    if (this.#time_scale.rowS !== null) return this.#onVirtualFrame(now_ms, this.#time_scale.rowS);
    if (this.#seen_at_ms !== null && now_ms - this.#seen_at_ms > SILENCE_MAX_MS) this.breakLines();
    this.#seen_at_ms = now_ms;
    this.#telemetry.sampleStates();
    if (this.#row_due !== null) {
      this.appendDueRow();
      return true;
    }
    const { newest } = this;
    const is_due = newest === null || now_ms - newest.readAtMs >= SAMPLE_INTERVAL_MS;
    if (is_due) this.#sample(now_ms);
    return is_due;
  }

  // Virtual time waits for the page, and its readings are exact. So no line spans a time without
  // samples.
  #onVirtualFrame(now_ms: number, row_s: number): boolean {
    const { newest } = this;
    const passed_ns = this.#telemetry.header().runNs - (newest?.runNs ?? 0);
    const is_slow = newest !== null && now_ms - newest.readAtMs >= VIRTUAL_PATIENCE_MS;
    const is_due = newest === null || passed_ns >= row_s * 1e9 || (is_slow && passed_ns > 0);
    if (is_due) this.#sampleWithRow(now_ms);
    return is_due;
  }

  /** Returns the state to restore when the run returns to this moment. */
  checkpoint(): SamplerCheckpoint {
    return {
      trail: this.#trail.kept(),
      thread_samples: this.thread_samples.slice(),
      sampled_at_ns: this.#sampled_at_ns.slice(),
      census: this.census.copy(),
      latencies: this.latencies.checkpoint(),
      end_s: this.#history.endS,
    };
  }

  restore({ trail, thread_samples, sampled_at_ns, census, latencies, end_s }: SamplerCheckpoint): void {
    this.#trail.restore(trail);
    this.thread_samples = thread_samples.slice();
    this.#sampled_at_ns = sampled_at_ns.slice();
    this.census = census.copy();
    this.latencies.restore(latencies);
    this.#history.cutAfter(end_s);
  }

  /** Prevents rates from spanning this moment. */
  breakLines(): void {
    if (this.#time_scale.isVirtual) return;
    this.appendDueRow();
    if (this.#trail.length > 0) this.#history.appendGap();
    this.#trail.clear();
    this.#seen_at_ms = null;
    this.thread_samples.length = 0;
    this.#sampled_at_ns.length = 0;
    this.latencies.startAgain();
  }

  /** The newest totals; null before the first reading and after a break. */
  get newest(): Snapshot | null {
    return this.#trail.at(-1) ?? null;
  }

  /**
   * Returns the newest totals and totals at least `wanted_s` of run time earlier, if the rule of
   * rates allows that. Uses no totals from before `not_before_ns`. Null until there are two.
   */
  window(wanted_s: number, not_before_ns = 0): SampledWindow | null {
    const totals = this.#trail.totals();
    const last = this.#trail.length - 1;
    const first = firstReadingFrom(totals.tS, not_before_ns / 1e9);
    if (first >= last) return null;
    const after = this.#trail.at(last)!;
    const clients = after.clientThreads;
    const { from, isSettled } = rateWindow(totals, { first, last, clients, wantedS: wanted_s });
    return { before: this.#trail.at(from)!, after, is_settled: isSettled };
  }

  /** Run time from the first stored sample to the last, in seconds. */
  get samples_s(): number {
    return ((this.#sampled_at_ns.at(-1) ?? 0) - (this.#sampled_at_ns[0] ?? 0)) / 1e9;
  }

  #sample(now_ms: number): void {
    const snapshot = this.#trail.append((into) => {
      this.#telemetry.read(into, now_ms);
    });
    this.#sampleThreads();
    this.latencies.onReading(snapshot);
    const last_mark_ns = this.#lastMark_ns();
    this.#onSnapshot?.(snapshot, last_mark_ns);
    this.#row_due = { last_mark_ns };
  }

  #sampleWithRow(now_ms: number): void {
    this.#sample(now_ms);
    this.appendDueRow();
  }

  /** Call when no frame will follow. */
  appendDueRow(): void {
    if (this.#row_due === null) return;
    const { last_mark_ns } = this.#row_due;
    this.#row_due = null;
    const { pointWindowS, isVirtual } = this.#time_scale;
    // The longer the axis, the smoother the line.
    const smoothed_s = isVirtual ? this.newest!.runNs / 1e9 / POINTS_ON_AXIS : 0;
    const window = this.window(Math.max(pointWindowS, smoothed_s), last_mark_ns);
    const part_min = last_mark_ns > 0 ? PART_MIN_AFTER_MARK : isVirtual ? POINT_WINDOW_PART_MIN : 0;
    if (window !== null && windowSeconds(window) >= pointWindowS * part_min) this.#appendRow(window);
  }

  #sampleThreads(): void {
    const threads: ThreadSample[] = [];
    this.#telemetry.visitThreads((sample, frames, depth) => {
      threads.push({ ...sample, stack: this.stack_table.intern(frames, depth) });
    });
    this.thread_samples.push(threads);
    this.census.add(threads);
    this.#sampled_at_ns.push(this.#telemetry.header().runNs);
    if (this.thread_samples.length > MOMENTS_KEPT) {
      this.thread_samples.shift();
      this.#sampled_at_ns.shift();
    }
  }

  #appendRow(window: Window): void {
    const { percentilesNs, maxNs } = windowLatencies(window, [50, 95, 99]);
    const [p50_ns = null, p95_ns = null, p99_ns = null] = percentilesNs;
    const shares = timeShares(window);
    this.#history.append({
      t_s: window.after.runNs / 1e9,
      from_s: window.before.runNs / 1e9,
      transactions: window.after.counters[counterIndex('transactions')]!,
      transactions_per_s: ratePerSecond(window, 'transactions'),
      operations_per_s: ratePerSecond(window, this.#operation_counter),
      p50_ns,
      p95_ns,
      p99_ns,
      max_ns: maxNs,
      ...(shares ?? no_shares),
    });
  }
}
