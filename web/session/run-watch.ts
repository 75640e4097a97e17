// Follows one run and publishes its data in the store and the history.
import type { LiveView, MeasuredFigures } from '../contract/live-view';
import type { RunState } from '../contract/telemetry-states';
import type { LatencyCounts } from '../analysis/exports/hdr-log';
import { occupiedBuckets } from '../analysis/histogram';
import { endCounters, LongWaitWatch, type LongWait } from '../analysis/long-wait';
import type { Engine, EngineFailure } from '../engine-client/engine';
import { resultOfEngine } from '../engine-client/engine-json';
import type { Reading } from '../engine-client/engine-host';
import { emptySnapshot, type Names, type Snapshot } from '../engine-client/snapshot';
import type { RunConditions } from '../analysis/reported';
import { conditionsOf } from './conditions';
import { specAsSupposed } from './run-as-it-went';
import { scheduleLook, takeFrame } from '../charts/frame-scheduler';
import type { History } from '../recording/history';
import {
  figuresOfResult,
  liveView,
  measuredFigures,
  tableWindow,
  type LiveContext,
  type TableWindow,
} from './live';
import { extendIntervals } from './intervals';
import { describeMark } from './log';
import { shownOfRun } from './opened-result';
import type { Manifest } from '../contract/manifest';
import type { RunResult } from '../contract/run-result';
import type { RunSpec } from '../contract/run-spec';
import { Sampler, type SamplerCheckpoint } from './sampler';
import type { PhaseReading, PhaseReadings } from '../recording/phase-readings';
import { conditionsAfter, runMark, type RunMark } from '../recording/run-marks';
import { extendServerLog } from '../recording/server-log';
import type { ExplorerState, ExplorerStore } from './store';
import { timeScaleOf, type TimeScale } from '../recording/time-scale';

const VIEW_INTERVAL_MS = 500;

export interface RunWatchOptions {
  engine: Engine;
  manifest: Manifest;
  spec: RunSpec;
  history: History;
  phase_readings: PhaseReadings;
  store: ExplorerStore;
  onFailure: (failure: EngineFailure) => void;
}

const isBeyond = ({ duration_s }: RunSpec, run_ns: number) =>
  duration_s !== null && run_ns > duration_s * 1e9;

/** The page's state at a reading. */
interface RunCheckpoint {
  sampler: SamplerCheckpoint;
  phases: readonly PhaseReading[];
  measured: MeasuredFigures;
  long_waits: LongWaitWatch;
  marks_seen: number;
  log_lines_seen: number;
  intervals_seen: number;
  shown: Pick<ExplorerState, 'marks' | 'log' | 'server_log' | 'intervals' | 'long_wait' | 'last_long_wait'>;
}

/** Resets the result fields while a run is not over. */
const nothing_of_the_end = {
  result: null,
  result_json: null,
  sysbench_report: null,
  latencies: null,
} as const;

/** How a run has ended. */
export type RunOutcome = { result: RunResult } | { error: Error };

/**
 * Follows one run from its creation to its end. Reads the telemetry block once per animation frame.
 */
export class RunWatch {
  readonly #options: RunWatchOptions;
  /**
   * Settles when this run is no longer read and the page shows its result, if there is one. Never
   * rejects.
   */
  over: Promise<RunOutcome>;
  #settleOver!: (outcome: RunOutcome) => void;
  readonly #names: Names;
  readonly #time_scale: TimeScale;
  readonly #sampler: Sampler;
  #measured: MeasuredFigures = {};
  #long_waits = new LongWaitWatch();
  #marks_seen = 0;
  /** Marks whose knobs the design switch does not show yet. */
  readonly #marks_not_shown: RunMark[] = [];
  /** State at the readings to which the server may return, by number. */
  readonly #checkpoints = new Map<number, RunCheckpoint>();
  #log_lines_seen = 0;
  #intervals_seen = 0;
  #viewed_at_ms = Number.NEGATIVE_INFINITY;
  /** Whether the previous frame sampled. */
  #had_sampled = false;
  /** The page shows measurements from later in the run than the server's present moment. */
  #shows_later = false;
  #is_over = false;

  constructor(options: RunWatchOptions) {
    const { engine, manifest, history, phase_readings, spec } = options;
    this.#options = options;
    this.over = new Promise((resolve) => (this.#settleOver = resolve));
    this.#time_scale = timeScaleOf(spec);
    this.#names = engine.telemetry.names();
    this.#sampler = new Sampler({
      telemetry: engine.telemetry,
      history,
      operation_counter: manifest.unit_of_work.operation_counter,
      time_scale: this.#time_scale,
      lastMark_ns: () => this.#lastMark_ns(),
      onSnapshot: (snapshot, last_mark_ns) => {
        // Transactions that end while a run drains do not belong to a phase.
        if (!isBeyond(spec, snapshot.runNs)) phase_readings.take(snapshot, last_mark_ns);
      },
    });
  }

  /** The run is no longer read. */
  get is_over(): boolean {
    return this.#is_over;
  }

  start(): void {
    const { rowS } = this.#time_scale;
    // The next frame reports a failed engine.
    if (rowS !== null) this.#options.engine.readEvery(rowS * 1e9, this.#onReading).catch(() => undefined);
    scheduleLook(this.#onFrame);
    void this.#noteHeader();
  }

  /** Stops reading. `why` is the reason for a missing result. */
  end(why: Error): void {
    this.#is_over = true;
    this.#settleOver({ error: why });
  }

  /** Updates the page at once, because a step completes within a frame. */
  lookNow(): void {
    if (this.#is_over) return;
    this.#viewed_at_ms = Number.NEGATIVE_INFINITY;
    this.#look(performance.now());
  }

  breakLines(): void {
    this.#sampler.breakLines();
  }

  readonly #onReading = (reading: Reading): void => {
    if (this.#is_over) return;
    takeFrame();
    this.#noteMarks();
    this.#noteIntervals();
    this.#sampler.onReading(performance.now());
    if (reading.isKept) this.#checkpoints.set(reading.number, this.#checkpoint());
  };

  /**
   * Restores the state of this reading. The server is there again or slightly later, and sends
   * everything after it again.
   */
  goBackTo(reading: number): void {
    const { store, spec, phase_readings } = this.#options;
    const checkpoint = this.#checkpoints.get(reading)!;
    this.#sampler.restore(checkpoint.sampler);
    phase_readings.restore(checkpoint.phases);
    this.#measured = checkpoint.measured;
    this.#long_waits = checkpoint.long_waits.copy();
    this.#marks_seen = checkpoint.marks_seen;
    this.#log_lines_seen = checkpoint.log_lines_seen;
    this.#intervals_seen = checkpoint.intervals_seen;
    this.#shows_later = true;
    this.#marks_not_shown.length = 0;
    const { draft } = store.getState();
    const { design } = conditionsAfter(spec.design, checkpoint.shown.marks);
    store.setState({ ...checkpoint.shown, ...nothing_of_the_end, draft: { ...draft, design } });
  }

  /** Drops the state of all other readings. */
  keepOnly(readings: readonly number[]): void {
    const kept = new Set(readings);
    for (const number of this.#checkpoints.keys()) if (!kept.has(number)) this.#checkpoints.delete(number);
  }

  /** Continues a finished run from an earlier moment. */
  reopen(): void {
    this.#is_over = false;
    this.over = new Promise((resolve) => (this.#settleOver = resolve));
    scheduleLook(this.#onFrame);
  }

  #checkpoint(): RunCheckpoint {
    const { store, phase_readings } = this.#options;
    const { marks, log, server_log, intervals, long_wait, last_long_wait } = store.getState();
    return {
      sampler: this.#sampler.checkpoint(),
      phases: phase_readings.checkpoint(),
      measured: this.#measured,
      long_waits: this.#long_waits.copy(),
      marks_seen: this.#marks_seen,
      log_lines_seen: this.#log_lines_seen,
      intervals_seen: this.#intervals_seen,
      shown: { marks, log, server_log, intervals, long_wait, last_long_wait },
    };
  }

  readonly #onFrame = (now_ms: number): void => {
    if (this.#is_over) return;
    // Schedule first, so that an exception does not stop the loop.
    scheduleLook(this.#onFrame);
    this.#look(now_ms);
  };

  #look(now_ms: number): void {
    const { engine, onFailure } = this.#options;
    const failure = engine.failure();
    if (failure !== null) {
      this.end(failure);
      onFailure(failure);
      return;
    }
    const { runState } = engine.telemetry.header();
    try {
      this.#observe(runState, now_ms);
    } finally {
      // The run must end even if the last reading throws.
      this.#noteRunState(runState);
    }
  }

  #observe(run_state: RunState, now_ms: number): void {
    const { store } = this.#options;
    this.#noteMarks();
    this.#noteServerLog();
    this.#noteIntervals();
    const { isVirtual } = this.#time_scale;
    const is_halted = run_state === 'paused' || run_state === 'finished';
    const has_halted = is_halted && run_state !== store.getState().run_state;
    if (has_halted && isVirtual) this.#sampler.onReading(now_ms);
    else if (has_halted) this.#sampler.appendDueRow();
    const is_sampled = isVirtual ? this.#isSlowed(run_state) : run_state === 'running';
    const has_sampled = is_sampled && this.#sampler.onFrame(now_ms);
    if (has_sampled) takeFrame();
    // A view takes neither a sampling frame, which would take too long, nor the next one, which is
    // for others.
    const is_in_turn = isVirtual || !(has_sampled || this.#had_sampled);
    this.#had_sampled = has_sampled;
    const is_view_due = is_in_turn && now_ms - this.#viewed_at_ms >= VIEW_INTERVAL_MS;
    if (has_halted || is_view_due) {
      takeFrame();
      this.#publishView(now_ms);
    }
  }

  // While virtual time is slow, stepped or paused, the page also samples between readings. These
  // samples depend on the reader, so a run at full speed has none.
  #isSlowed(run_state: RunState): boolean {
    if (this.#isOnTheWay()) return false;
    return (
      run_state === 'paused' ||
      (run_state === 'running' && this.#options.store.getState().pace_ns_per_s !== null)
    );
  }

  /** Returns whether the run is moving to another moment. Until it arrives, only readings count. */
  #isOnTheWay(): boolean {
    return (this.#options.engine.model?.readings().past?.part_done ?? null) !== null;
  }

  #noteRunState(run_state: RunState): void {
    const { store, spec } = this.#options;
    if (run_state === store.getState().run_state) return;
    if (run_state !== 'finished') {
      store.setState({ run_state });
      return;
    }
    this.#is_over = true;
    void this.#conclude().catch((error: unknown) => {
      this.end(error instanceof Error ? error : new Error(String(error)));
      if (store.getState().spec === spec) store.setState({ run_state: 'idle' });
    });
  }

  async #conclude(): Promise<void> {
    const { store, engine, spec } = this.#options;
    const run_s = engine.telemetry.header().runNs / 1e9;
    const whole_run = this.#latenciesOfWholeRun();
    const result_json = await engine.resultJson();
    const result = resultOfEngine(result_json);
    // The page may show something else meanwhile.
    if (store.getState().spec === spec) {
      const latencies = { intervals: this.#sampler.latencies.intervals, whole_run };
      store.setState({ ...shownOfRun(result), run_state: 'finished', result_json, latencies });
      this.#measureResult(result);
      const early = result.stopped_early === undefined ? '' : ` early: ${result.stopped_early}`;
      this.#log(run_s, `finished${early}`);
    }
    this.#settleOver({ result });
  }

  // Totals of a whole run are meaningless for a design that applied to only part of it.
  #measureResult(result: RunResult): void {
    const { store, manifest } = this.#options;
    const { marks, live } = store.getState();
    if (live === null || marks.some(({ kind }) => kind === 'knob')) return;
    const figures = figuresOfResult(manifest, this.#conditions(), result);
    store.setState({ live: { ...live, measured: { ...live.measured, ...figures } } });
  }

  // On a virtual server, the last reading is at the end of the run, before clients end their last
  // transactions.
  #latenciesOfWholeRun(): LatencyCounts {
    const at_end = this.#time_scale.isVirtual ? this.#sampler.newest : null;
    const totals = at_end ?? this.#readNow();
    return { fromS: 0, toS: totals.runNs / 1e9, counts: occupiedBuckets(totals.histogram) };
  }

  #readNow(): Snapshot {
    const totals = emptySnapshot();
    this.#options.engine.telemetry.read(totals, performance.now());
    return totals;
  }

  #noteMarks(): void {
    const { engine, manifest, store } = this.#options;
    const found = engine.telemetry.marksFrom(this.#marks_seen);
    if (found.length === 0) return;
    // A mark may change the comparable window, so measure up to it first.
    this.#measure();
    this.#marks_seen = found.at(-1)!.number + 1;
    const new_marks = found.map((mark) => runMark(mark, manifest));
    const { marks, log } = store.getState();
    store.setState({
      marks: [...marks, ...new_marks],
      log: [...log, ...new_marks.map(describeMark)],
    });
    this.#marks_not_shown.push(...new_marks);
    this.showTurnedKnobs();
  }

  /**
   * Shows the knobs that the run's own script has changed in the design switch. While commands are
   * outstanding, it waits until the last one has settled, so the switch does not move under the
   * reader's pointer.
   */
  showTurnedKnobs(): void {
    const { store } = this.#options;
    const { commands_outstanding, draft } = store.getState();
    if (commands_outstanding > 0) return;
    const { design } = conditionsAfter(draft.design, this.#marks_not_shown.splice(0));
    if (design !== draft.design) store.setState({ draft: { ...draft, design } });
  }

  #noteServerLog(): void {
    const { engine, store } = this.#options;
    if (engine.telemetry.header().logLinesCount === this.#log_lines_seen) return;
    const new_lines = engine.telemetry.logLinesFrom(this.#log_lines_seen);
    this.#log_lines_seen = new_lines.next;
    store.setState({ server_log: extendServerLog(store.getState().server_log, new_lines) });
  }

  #noteIntervals(): void {
    const { engine, store } = this.#options;
    if (engine.telemetry.header().intervalsCount === this.#intervals_seen) return;
    const new_intervals = engine.telemetry.intervalsFrom(this.#intervals_seen);
    this.#intervals_seen = new_intervals.next;
    store.setState({ intervals: extendIntervals(store.getState().intervals, new_intervals) });
  }

  // The next frame reports a failed engine.
  async #noteHeader(): Promise<void> {
    const { engine, store, spec } = this.#options;
    const sysbench_header = await engine.sysbenchHeader().catch(() => null);
    if (store.getState().spec === spec) store.setState({ sysbench_header });
  }

  #publishView(now_ms: number): void {
    const { store, engine } = this.#options;
    this.#viewed_at_ms = now_ms;
    const tables = this.#measure();
    const live = tables && liveView(this.#sampler, this.#context(), tables, this.#measured);
    const model = engine.model?.readings() ?? null;
    const stays = live === null && !this.#shows_later;
    store.setState(stays ? { model } : { live, model });
    this.#shows_later = false;
    this.#noteLongWait(live);
  }

  #noteLongWait(live: LiveView | null): void {
    const { store, engine } = this.#options;
    const { longWait: what, longWaitDone: done, longWaitTotal: total, runNs } = engine.telemetry.header();
    const endsOf = (kind: LongWait['what']) => live?.counts[endCounters[kind]]?.total ?? 0;
    const ends = {
      binlog_rotation: endsOf('binlog_rotation'),
      buffer_pool_warm_up: endsOf('buffer_pool_warm_up'),
    };
    const reading = { what, done, total, runNs, ends };
    const { long_wait: before, last_long_wait } = store.getState();
    const ended = this.#long_waits.endedBefore(reading);
    const long_wait = this.#long_waits.note(reading);
    if (long_wait === null && before === null) return;
    store.setState({ long_wait, last_long_wait: ended ?? (long_wait === null ? null : last_long_wait) });
  }

  /** Returns the measured window. */
  #measure(): TableWindow | null {
    const tables = tableWindow(this.#sampler, this.#context());
    if (tables === null) return null;
    this.#measured = measuredFigures(this.#measured, this.#options.manifest, this.#conditions(), tables);
    return tables;
  }

  #conditions(): RunConditions {
    const { manifest, spec, store } = this.#options;
    const { marks, supposed } = store.getState();
    return conditionsOf(specAsSupposed({ spec, marks, supposed })!, marks, manifest);
  }

  #context(): LiveContext {
    const { manifest, spec } = this.#options;
    const { platform } = spec;
    const last_mark_ns = this.#lastMark_ns();
    return { names: this.#names, manifest, platform, time_scale: this.#time_scale, last_mark_ns };
  }

  #lastMark_ns(): number {
    return this.#options.store.getState().marks.at(-1)?.run_ns ?? 0;
  }

  #log(t_s: number, text: string): void {
    const { store } = this.#options;
    store.setState({ log: [...store.getState().log, { t_s, text }] });
  }
}
