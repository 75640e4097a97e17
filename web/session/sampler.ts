import { StackCensus } from '../analysis/flame';
import { StackTable, type ThreadSample } from '../analysis/thread-sample';
import { ratePerSecond, timeShares, windowLatencies, windowSeconds, type Window } from '../analysis/window';
import { timeSharesOf } from '../contract/time-shares';
import { firstReadingFrom, rateWindow } from '../analysis/rate-window';
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

const noShares = timeSharesOf({});

/** A window by the rule of rates (rate-window.ts). */
export interface SampledWindow extends Window {
  isSettled: boolean;
}

export interface SamplerOptions {
  telemetry: TelemetryReader;
  history: History;
  operationCounter: string;
  timeScale: TimeScale;
  /** Run time of the last mark, 0 before the first. No point of a line spans a mark. */
  lastMarkNs: () => number;
  /** Called with each reading of all totals. Its buffers are reused, so do not store them. */
  onSnapshot?: (snapshot: Snapshot, lastMarkNs: number) => void;
  /** Called with each sample of all threads. */
  onThreads?: (runNs: number, threads: readonly ThreadSample[], stackTable: StackTable) => void;
}

export interface SamplerCheckpoint {
  trail: readonly Snapshot[];
  threadSamples: readonly ThreadSample[][];
  sampledAtNs: readonly number[];
  census: StackCensus;
  latencies: LatencyMeterCheckpoint;
  /** End of the history. */
  endS: number;
}

/**
 * Samples the telemetry block while clients run. Reads thread states in every animation frame, and
 * all totals about ten times per second or at each reading of a virtual server. Stores the last
 * seconds of totals, from which any window can be cut, and appends rows to the history.
 */
export class Sampler {
  readonly stackTable = new StackTable();
  /** Thread samples of the last moments, oldest first. */
  threadSamples: ThreadSample[][] = [];
  /** Counts of all thread samples of this run. */
  census = new StackCensus();
  #sampledAtNs: number[] = [];
  readonly latencies: LatencyMeter;
  readonly #telemetry: TelemetryReader;
  readonly #history: History;
  readonly #operationCounter: string;
  readonly #timeScale: TimeScale;
  readonly #lastMarkNs: () => number;
  readonly #trail = new SnapshotTrail();
  readonly #onSnapshot: SamplerOptions['onSnapshot'];
  readonly #onThreads: SamplerOptions['onThreads'];
  #seenAtMs: number | null = null;
  /** Set while the newest totals have no row in the history yet. */
  #rowDue: { lastMarkNs: number } | null = null;

  constructor(options: SamplerOptions) {
    const { telemetry, history, operationCounter, timeScale } = options;
    this.#telemetry = telemetry;
    this.#history = history;
    this.#operationCounter = operationCounter;
    this.#timeScale = timeScale;
    this.#lastMarkNs = options.lastMarkNs;
    this.#onSnapshot = options.onSnapshot;
    this.#onThreads = options.onThreads;
    this.latencies = new LatencyMeter(timeScale.intervalS);
  }

  /** Call after each fixed reading of a virtual server, and when its run is over. */
  onReading(nowMs: number): void {
    const { newest } = this;
    if (newest === null || this.#telemetry.header().runNs > newest.runNs) this.#sampleWithRow(nowMs);
  }

  /**
   * Call once per animation frame while clients run or virtual time is slow. Returns whether this
   * frame read or processed totals. On real threads it does each in its own frame, so that neither
   * takes long.
   */
  onFrame(nowMs: number): boolean {
    if (this.#timeScale.rowS !== null) return this.#onVirtualFrame(nowMs, this.#timeScale.rowS);
    if (this.#seenAtMs !== null && nowMs - this.#seenAtMs > SILENCE_MAX_MS) this.breakLines();
    this.#seenAtMs = nowMs;
    this.#telemetry.sampleStates();
    if (this.#rowDue !== null) {
      this.appendDueRow();
      return true;
    }
    const { newest } = this;
    const isDue = newest === null || nowMs - newest.readAtMs >= SAMPLE_INTERVAL_MS;
    if (isDue) this.#sample(nowMs);
    return isDue;
  }

  // Virtual time waits for the page, and its readings are exact. So no line spans a time without
  // samples.
  #onVirtualFrame(nowMs: number, rowS: number): boolean {
    const { newest } = this;
    const passedNs = this.#telemetry.header().runNs - (newest?.runNs ?? 0);
    const isSlow = newest !== null && nowMs - newest.readAtMs >= VIRTUAL_PATIENCE_MS;
    const isDue = newest === null || passedNs >= rowS * 1e9 || (isSlow && passedNs > 0);
    if (isDue) this.#sampleWithRow(nowMs);
    return isDue;
  }

  /** Returns the state to restore when the run returns to this moment. */
  checkpoint(): SamplerCheckpoint {
    return {
      trail: this.#trail.kept(),
      threadSamples: this.threadSamples.slice(),
      sampledAtNs: this.#sampledAtNs.slice(),
      census: this.census.copy(),
      latencies: this.latencies.checkpoint(),
      endS: this.#history.endS,
    };
  }

  restore({ trail, threadSamples, sampledAtNs, census, latencies, endS }: SamplerCheckpoint): void {
    this.#trail.restore(trail);
    this.threadSamples = threadSamples.slice();
    this.#sampledAtNs = sampledAtNs.slice();
    this.census = census.copy();
    this.latencies.restore(latencies);
    this.#history.cutAfter(endS);
  }

  /** Prevents rates from spanning this moment. */
  breakLines(): void {
    if (this.#timeScale.isVirtual) return;
    this.appendDueRow();
    if (this.#trail.length > 0) this.#history.appendGap();
    this.#trail.clear();
    this.#seenAtMs = null;
    this.threadSamples.length = 0;
    this.#sampledAtNs.length = 0;
    this.latencies.startAgain();
  }

  /** The newest totals; null before the first reading and after a break. */
  get newest(): Snapshot | null {
    return this.#trail.at(-1) ?? null;
  }

  /**
   * Returns the newest totals and totals at least `wantedS` of run time earlier, if the rule of
   * rates allows that. Uses no totals from before `notBeforeNs`. Null until there are two.
   */
  window(wantedS: number, notBeforeNs = 0): SampledWindow | null {
    const totals = this.#trail.totals();
    const last = this.#trail.length - 1;
    const first = firstReadingFrom(totals.tS, notBeforeNs / 1e9);
    if (first >= last) return null;
    const after = this.#trail.at(last)!;
    const clients = after.clientThreads;
    const { from, isSettled } = rateWindow(totals, { first, last, clients, wantedS });
    return { before: this.#trail.at(from)!, after, isSettled };
  }

  /** Run time from the first stored sample to the last, in seconds. */
  get samplesS(): number {
    return ((this.#sampledAtNs.at(-1) ?? 0) - (this.#sampledAtNs[0] ?? 0)) / 1e9;
  }

  #sample(nowMs: number): void {
    const snapshot = this.#trail.append((into) => this.#telemetry.read(into, nowMs));
    this.#sampleThreads();
    this.latencies.onReading(snapshot);
    const lastMarkNs = this.#lastMarkNs();
    this.#onSnapshot?.(snapshot, lastMarkNs);
    this.#rowDue = { lastMarkNs };
  }

  #sampleWithRow(nowMs: number): void {
    this.#sample(nowMs);
    this.appendDueRow();
  }

  /** Call when no frame will follow. */
  appendDueRow(): void {
    if (this.#rowDue === null) return;
    const { lastMarkNs } = this.#rowDue;
    this.#rowDue = null;
    const { pointWindowS, isVirtual } = this.#timeScale;
    // The longer the axis, the smoother the line.
    const smoothedS = isVirtual ? this.newest!.runNs / 1e9 / POINTS_ON_AXIS : 0;
    const window = this.window(Math.max(pointWindowS, smoothedS), lastMarkNs);
    const partMin = lastMarkNs > 0 ? PART_MIN_AFTER_MARK : isVirtual ? POINT_WINDOW_PART_MIN : 0;
    if (window !== null && windowSeconds(window) >= pointWindowS * partMin) this.#appendRow(window);
  }

  #sampleThreads(): void {
    const threads: ThreadSample[] = [];
    this.#telemetry.visitThreads((sample, frames, depth) =>
      threads.push({ ...sample, stack: this.stackTable.intern(frames, depth) }),
    );
    this.threadSamples.push(threads);
    this.census.add(threads);
    const { runNs } = this.#telemetry.header();
    this.#onThreads?.(runNs, threads, this.stackTable);
    this.#sampledAtNs.push(runNs);
    if (this.threadSamples.length > MOMENTS_KEPT) {
      this.threadSamples.shift();
      this.#sampledAtNs.shift();
    }
  }

  #appendRow(window: Window): void {
    const { percentilesNs, maxNs } = windowLatencies(window, [50, 95, 99]);
    const [p50Ns = null, p95Ns = null, p99Ns = null] = percentilesNs;
    const shares = timeShares(window);
    this.#history.append({
      t_s: window.after.runNs / 1e9,
      from_s: window.before.runNs / 1e9,
      transactions: window.after.counters[counterIndex('transactions')]!,
      transactions_per_s: ratePerSecond(window, 'transactions'),
      operations_per_s: ratePerSecond(window, this.#operationCounter),
      p50_ns: p50Ns,
      p95_ns: p95Ns,
      p99_ns: p99Ns,
      max_ns: maxNs,
      ...(shares ?? noShares),
    });
  }
}
