// Follows one run and publishes its data in the store and the history.
import type { LiveView, MeasuredFigures } from '../contract/live-view';
import type { RunState } from '../contract/telemetry-states';
import { clientQueue } from '../analysis/client-queue';
import type { LatencyCounts } from '../analysis/exports/hdr-log';
import { occupiedBuckets } from '../analysis/histogram';
import { endCounters, LongWaitWatch, type LongWait } from '../analysis/long-wait';
import type { Engine, EngineFailure } from '../engine-client/engine';
import { resultOfEngine } from '../engine-client/engine-json';
import type { Reading } from '../engine-client/engine-host';
import { emptySnapshot, type Names, type Snapshot } from '../engine-client/snapshot';
import type { RunConditions } from '../analysis/reported';
import { conditionsOf } from './designs';
import { specWithWhatIf } from './baseline-run';
import { frames } from '../charts/frames';
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
import type { QueueHistory } from '../recording/queue-history';
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
  phaseReadings: PhaseReadings;
  queues: QueueHistory;
  store: ExplorerStore;
  onFailure: (failure: EngineFailure) => void;
}

const isBeyond = ({ duration_s }: RunSpec, runNs: number) => duration_s !== null && runNs > duration_s * 1e9;

/** The page's state at a reading. */
interface RunCheckpoint {
  sampler: SamplerCheckpoint;
  phases: readonly PhaseReading[];
  measured: MeasuredFigures;
  longWaits: LongWaitWatch;
  marksSeen: number;
  logLinesSeen: number;
  intervalsSeen: number;
  shown: Pick<ExplorerState, 'marks' | 'log' | 'server_log' | 'intervals' | 'longWait' | 'lastLongWait'>;
}

/** Resets the result fields while a run is not over. */
const nothingOfTheEnd = {
  result: null,
  resultJson: null,
  sysbenchReport: null,
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
  readonly #timeScale: TimeScale;
  readonly #sampler: Sampler;
  #measured: MeasuredFigures = {};
  #longWaits = new LongWaitWatch();
  #marksSeen = 0;
  /** Marks whose knobs the design switch does not show yet. */
  readonly #marksNotShown: RunMark[] = [];
  /** State at the readings to which the server may return, by number. */
  readonly #checkpoints = new Map<number, RunCheckpoint>();
  #logLinesSeen = 0;
  #intervalsSeen = 0;
  #viewedAtMs = Number.NEGATIVE_INFINITY;
  /** Whether the previous frame sampled. */
  #hadSampled = false;
  /** The page shows measurements from later in the run than the server's present moment. */
  #showsLater = false;
  #isOver = false;

  constructor(options: RunWatchOptions) {
    const { engine, manifest, history, phaseReadings, queues, spec } = options;
    this.#options = options;
    this.over = new Promise((resolve) => (this.#settleOver = resolve));
    this.#timeScale = timeScaleOf(spec);
    this.#names = engine.telemetry.names();
    this.#sampler = new Sampler({
      telemetry: engine.telemetry,
      history,
      operationCounter: manifest.unit_of_work.operation_counter,
      timeScale: this.#timeScale,
      lastMarkNs: () => this.#lastMarkNs(),
      onSnapshot: (snapshot, lastMarkNs) => {
        // Transactions that end while a run drains do not belong to a phase.
        if (!isBeyond(spec, snapshot.runNs)) phaseReadings.take(snapshot, lastMarkNs);
      },
      onThreads: (runNs, threads, stackTable) => {
        if (!queues.isFollowed || isBeyond(spec, runNs)) return;
        queues.append(clientQueue(runNs / 1e9, threads, { stackTable, names: this.#names }));
      },
    });
  }

  /** The run is no longer read. */
  get isOver(): boolean {
    return this.#isOver;
  }

  start(): void {
    const { rowS } = this.#timeScale;
    // The next frame reports a failed engine.
    if (rowS !== null) this.#options.engine.readEvery(rowS * 1e9, this.#onReading).catch(() => undefined);
    frames.schedule('data', this.#onFrame);
    void this.#noteHeader();
  }

  /** Stops reading. `why` is the reason for a missing result. */
  end(why: Error): void {
    this.#isOver = true;
    this.#settleOver({ error: why });
  }

  /** Updates the page at once, because a step completes within a frame. */
  lookNow(): void {
    if (this.#isOver) return;
    this.#viewedAtMs = Number.NEGATIVE_INFINITY;
    this.#look(performance.now());
  }

  breakLines(): void {
    this.#sampler.breakLines();
  }

  readonly #onReading = (reading: Reading): void => {
    if (this.#isOver) return;
    frames.claim();
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
    const { store, spec, phaseReadings, queues } = this.#options;
    const checkpoint = this.#checkpoints.get(reading)!;
    this.#sampler.restore(checkpoint.sampler);
    phaseReadings.restore(checkpoint.phases);
    queues.cutAfter(checkpoint.sampler.endS);
    this.#measured = checkpoint.measured;
    this.#longWaits = checkpoint.longWaits.copy();
    this.#marksSeen = checkpoint.marksSeen;
    this.#logLinesSeen = checkpoint.logLinesSeen;
    this.#intervalsSeen = checkpoint.intervalsSeen;
    this.#showsLater = true;
    this.#marksNotShown.length = 0;
    const { draft } = store.getState();
    const { design } = conditionsAfter(spec.design, checkpoint.shown.marks);
    store.setState({ ...checkpoint.shown, ...nothingOfTheEnd, draft: { ...draft, design } });
  }

  /** Drops the state of all other readings. */
  keepOnly(readings: readonly number[]): void {
    const kept = new Set(readings);
    for (const number of this.#checkpoints.keys()) if (!kept.has(number)) this.#checkpoints.delete(number);
  }

  /** Continues a finished run from an earlier moment. */
  reopen(): void {
    this.#isOver = false;
    this.over = new Promise((resolve) => (this.#settleOver = resolve));
    frames.schedule('data', this.#onFrame);
  }

  #checkpoint(): RunCheckpoint {
    const { store, phaseReadings } = this.#options;
    const { marks, log, server_log, intervals, longWait, lastLongWait } = store.getState();
    return {
      sampler: this.#sampler.checkpoint(),
      phases: phaseReadings.checkpoint(),
      measured: this.#measured,
      longWaits: this.#longWaits.copy(),
      marksSeen: this.#marksSeen,
      logLinesSeen: this.#logLinesSeen,
      intervalsSeen: this.#intervalsSeen,
      shown: { marks, log, server_log, intervals, longWait, lastLongWait },
    };
  }

  readonly #onFrame = (nowMs: number): void => {
    if (this.#isOver) return;
    // Schedule first, so that an exception does not stop the loop.
    frames.schedule('data', this.#onFrame);
    this.#look(nowMs);
  };

  #look(nowMs: number): void {
    const { engine, onFailure } = this.#options;
    const failure = engine.failure();
    if (failure !== null) {
      this.end(failure);
      onFailure(failure);
      return;
    }
    const { runState } = engine.telemetry.header();
    try {
      this.#observe(runState, nowMs);
    } finally {
      // The run must end even if the last reading throws.
      this.#noteRunState(runState);
    }
  }

  #observe(runState: RunState, nowMs: number): void {
    const { store } = this.#options;
    this.#noteMarks();
    this.#noteServerLog();
    this.#noteIntervals();
    const { isVirtual } = this.#timeScale;
    const isHalted = runState === 'paused' || runState === 'finished';
    const hasHalted = isHalted && runState !== store.getState().run_state;
    if (hasHalted && isVirtual) this.#sampler.onReading(nowMs);
    else if (hasHalted) this.#sampler.appendDueRow();
    const isSampled = isVirtual ? this.#isSlowed(runState) : runState === 'running';
    const hasSampled = isSampled && this.#sampler.onFrame(nowMs);
    if (hasSampled) frames.claim();
    // A view takes neither a sampling frame, which would take too long, nor the next one, which is
    // for others.
    const isInTurn = isVirtual || !(hasSampled || this.#hadSampled);
    this.#hadSampled = hasSampled;
    const isViewDue = isInTurn && nowMs - this.#viewedAtMs >= VIEW_INTERVAL_MS;
    if (hasHalted || isViewDue) {
      frames.claim();
      this.#publishView(nowMs);
    }
  }

  // While virtual time is slow, stepped or paused, the page also samples between readings. These
  // samples depend on the reader, so a run at full speed has none.
  #isSlowed(runState: RunState): boolean {
    if (this.#isOnTheWay()) return false;
    return (
      runState === 'paused' || (runState === 'running' && this.#options.store.getState().paceNsPerS !== null)
    );
  }

  /** Returns whether the run is moving to another moment. Until it arrives, only readings count. */
  #isOnTheWay(): boolean {
    return (this.#options.engine.model?.readings().past?.part_done ?? null) !== null;
  }

  #noteRunState(runState: RunState): void {
    const { store, spec } = this.#options;
    if (runState === store.getState().run_state) return;
    if (runState !== 'finished') {
      store.setState({ run_state: runState });
      return;
    }
    this.#isOver = true;
    void this.#conclude().catch((error: unknown) => {
      this.end(error instanceof Error ? error : new Error(String(error)));
      if (store.getState().spec === spec) store.setState({ run_state: 'idle' });
    });
  }

  async #conclude(): Promise<void> {
    const { store, engine, spec } = this.#options;
    const runS = engine.telemetry.header().runNs / 1e9;
    const wholeRun = this.#latenciesOfWholeRun();
    const resultJson = await engine.resultJson();
    const result = resultOfEngine(resultJson);
    // The page may show something else meanwhile.
    if (store.getState().spec === spec) {
      const latencies = { intervals: this.#sampler.latencies.intervals, wholeRun };
      store.setState({ ...shownOfRun(result), run_state: 'finished', resultJson, latencies });
      this.#measureResult(result);
      const early = result.stopped_early === undefined ? '' : ` early: ${result.stopped_early}`;
      this.#log(runS, `finished${early}`);
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
    const atEnd = this.#timeScale.isVirtual ? this.#sampler.newest : null;
    const totals = atEnd ?? this.#readNow();
    return { fromS: 0, toS: totals.runNs / 1e9, counts: occupiedBuckets(totals.histogram) };
  }

  #readNow(): Snapshot {
    const totals = emptySnapshot();
    this.#options.engine.telemetry.read(totals, performance.now());
    return totals;
  }

  #noteMarks(): void {
    const { engine, manifest, store } = this.#options;
    const found = engine.telemetry.marksFrom(this.#marksSeen);
    if (found.length === 0) return;
    // A mark may change the comparable window, so measure up to it first.
    this.#measure();
    this.#marksSeen = found.at(-1)!.number + 1;
    const newMarks = found.map((mark) => runMark(mark, manifest));
    const { marks, log } = store.getState();
    store.setState({
      marks: [...marks, ...newMarks],
      log: [...log, ...newMarks.map(describeMark)],
    });
    this.#marksNotShown.push(...newMarks);
    this.showTurnedKnobs();
  }

  /**
   * Shows the knobs that the run's own script has changed in the design switch. While commands are
   * outstanding, it waits until the last one has settled, so the switch does not move under the
   * reader's pointer.
   */
  showTurnedKnobs(): void {
    const { store } = this.#options;
    const { commandsOutstanding, draft } = store.getState();
    if (commandsOutstanding > 0) return;
    const { design } = conditionsAfter(draft.design, this.#marksNotShown.splice(0));
    if (design !== draft.design) store.setState({ draft: { ...draft, design } });
  }

  #noteServerLog(): void {
    const { engine, store } = this.#options;
    if (engine.telemetry.header().logLinesCount === this.#logLinesSeen) return;
    const newLines = engine.telemetry.logLinesFrom(this.#logLinesSeen);
    this.#logLinesSeen = newLines.next;
    store.setState({ server_log: extendServerLog(store.getState().server_log, newLines) });
  }

  #noteIntervals(): void {
    const { engine, store } = this.#options;
    if (engine.telemetry.header().intervalsCount === this.#intervalsSeen) return;
    const newIntervals = engine.telemetry.intervalsFrom(this.#intervalsSeen);
    this.#intervalsSeen = newIntervals.next;
    store.setState({ intervals: extendIntervals(store.getState().intervals, newIntervals) });
  }

  // The next frame reports a failed engine.
  async #noteHeader(): Promise<void> {
    const { engine, store, spec } = this.#options;
    const sysbenchHeader = await engine.sysbenchHeader().catch(() => null);
    if (store.getState().spec === spec) store.setState({ sysbenchHeader });
  }

  #publishView(nowMs: number): void {
    const { store, engine } = this.#options;
    this.#viewedAtMs = nowMs;
    const tables = this.#measure();
    const live = tables && liveView(this.#sampler, this.#context(), tables, this.#measured);
    const model = engine.model?.readings() ?? null;
    const stays = live === null && !this.#showsLater;
    store.setState(stays ? { model } : { live, model });
    this.#showsLater = false;
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
    const { longWait: before, lastLongWait } = store.getState();
    const ended = this.#longWaits.endedBefore(reading);
    const longWait = this.#longWaits.note(reading);
    if (longWait === null && before === null) return;
    store.setState({ longWait, lastLongWait: ended ?? (longWait === null ? null : lastLongWait) });
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
    const { marks, whatIfByHand } = store.getState();
    return conditionsOf(specWithWhatIf({ spec, marks, whatIfByHand })!, marks, manifest);
  }

  #context(): LiveContext {
    const { manifest, spec } = this.#options;
    const { platform } = spec;
    const lastMarkNs = this.#lastMarkNs();
    return { names: this.#names, manifest, platform, timeScale: this.#timeScale, lastMarkNs };
  }

  #lastMarkNs(): number {
    return this.#options.store.getState().marks.at(-1)?.run_ns ?? 0;
  }

  #log(tS: number, text: string): void {
    const { store } = this.#options;
    store.setState({ log: [...store.getState().log, { tS, text }] });
  }
}
