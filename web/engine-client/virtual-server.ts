// Drives the modeled server in its worker: runs its events in slices, and answers the page between
// slices.
import type { Moment, PastReadings } from '../contract/page-readings';
import { BlockCopier, stateTimes, SpareBuffers, copyOfRing, type Ring } from './block-copy';
import { askQuestion, attachCalls, postCommand, type CommandName, type VirtualModule } from './engine-calls';
import type { LaneBatch, LatchEventBatch, Posted, Reading, WatchedLatch, Step } from './engine-host';
import type { EngineCalls } from '../contract/gen/engine-abi';
import {
  lane_segment,
  latch_event,
  layout,
  run_states,
  watched_latch,
} from '../contract/gen/telemetry-layout';
import type { Keyframe } from './keyframes';
import { readField } from './plain-field';
import type { RunState } from '../contract/telemetry-states';
import { hasReached, isAtOrBefore, partDone, targetOf, type Journey, type PlaceInRun } from './journey';
import { RunPast, stopsBetween, type ServerPlace } from './run-past';
import type { Message, Report, Request, Snapshot } from './virtual-protocol';

/**
 * Host milliseconds of one turn. Short enough that a message does not wait long, long enough that
 * turns cost nothing.
 */
const TURN_MS = 18;
const SNAPSHOT_INTERVAL_MS = 40;
/** Copying may take this part of the time. */
const SNAPSHOT_SHARE_MAX = 0.15;
/** Milliseconds without a request after which the server prepares checkpoints for steps back. */
const REST_MS = 300;
const EVENTS_MIN = 200;
const EVENTS_MAX = 400_000;
/** Events per slice of a slowed-down server, few enough that it does not run ahead. */
const PACED_EVENTS = 64;
/**
 * Virtual time waits while the page has this many readings to process; otherwise the page would
 * never catch up.
 */
const READINGS_UNSEEN_MAX = 8;
/** A snapshot has at most this many of the newest segments. */
const SEGMENTS_SENT_MAX = 30_000;
/** The same limit for latch events while the server runs, low enough that the page keeps up. */
const LATCH_EVENTS_SENT_MAX = 4_096;

/** In these states, events are not part of the run. */
const overStates: readonly RunState[] = ['stopping', 'finished'];
const commandsThatChangeARun: readonly CommandName[] = ['set_knob', 'fire', 'suppose'];
const lastingStates: readonly RunState[] = ['idle', 'ready', 'paused', 'finished', 'failed'];
const { fields } = layout.header;

export interface VirtualServerOptions {
  report: (report: Report, transfer?: ArrayBuffer[]) => void;
  /** Runs `turn` once, after messages that have arrived meanwhile. */
  schedule: (turn: () => void, when: 'now' | 'next_frame') => void;
  nowMs: () => number;
}

/** An interactive change of the run, which is repeated when the run passes this moment again. */
interface Change {
  command: CommandName;
  values: readonly string[];
  /** Where the run was. */
  events: number;
  clockNs: number;
}

/**
 * Stores checkpoints shortly before the moment at which the server has stopped, because steps back
 * start there.
 */
interface Preparation {
  /** The moment at which the server has stopped. */
  present: Keyframe<ServerPlace>;
  hasEnded: boolean;
  /** Event counts at which to store checkpoints, the next one first. */
  stops: number[];
}

/**
 * Drives the engine on a modeled server. Runs its events in slices and, between slices, answers
 * the page and sends it telemetry. The ends of slices do not influence a run, so neither pace nor
 * page changes it.
 */
export class VirtualServer {
  readonly #module: VirtualModule;
  readonly #calls: EngineCalls;
  readonly #options: VirtualServerOptions;
  readonly #copier = new BlockCopier();
  readonly #block: number;
  readonly #laneSegments: Ring;
  readonly #laneTotals: number;
  readonly #latchEvents: Ring;
  readonly #spareSegments = new SpareBuffers();
  readonly #watchedLatchRing: Ring;

  #isScheduled = false;
  #isFrozen = false;
  #paceNsPerS: number | null = null;
  /** The clock of a slowed-down server and the host time at which it had that clock. */
  #pacedFrom: { clockNs: number; atMs: number } | null = null;
  #eventsPerTurn = 20_000;

  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #reportingMs = 0;
  #reportedState = '';
  #generation = -1;
  #segmentsSent = 0;
  #latchEventsSent = 0;
  /** The page has all events that the ring held when time stopped, and all since. */
  #hasSentLatchRing = false;
  #hostMs = 0;
  #runNs = 0;

  #readEveryNs = Number.POSITIVE_INFINITY;
  #nextReadingNs = 0;
  #eventsAtReading = -1;
  #readingsSent = 0;
  #readingsUnseen = 0;
  #hasEnded = false;

  #past: RunPast | null = null;
  #rewinds = 0;
  #journey: Journey | null = null;
  #preparation: Preparation | null = null;
  /** The event count for which steps back were last prepared. */
  #preparedFor = -1;
  /** Interactive changes of the present branch, in order. */
  #changes: readonly Change[] = [];
  /** How many of them come before the present moment. */
  #changesMade = 0;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(module: VirtualModule, options: VirtualServerOptions) {
    this.#module = module;
    this.#options = options;
    const { calls, version } = attachCalls(module);
    this.#calls = calls;
    calls.open();
    this.#block = calls.telemetry();
    this.#laneSegments = {
      address: calls.lane_segments(),
      records: calls.lane_segments_max(),
      recordBytes: lane_segment.bytes,
    };
    this.#laneTotals = calls.lane_totals();
    this.#latchEvents = {
      address: calls.latch_events(),
      records: calls.latch_events_max(),
      recordBytes: latch_event.bytes,
    };
    this.#watchedLatchRing = {
      address: calls.watched_latches(),
      records: calls.watched_latches_max(),
      recordBytes: watched_latch.bytes,
    };
    // Lets the coordinator reach the wait for its first command.
    this.#runEvents(EVENTS_MIN);
    const snapshot = this.#snapshot();
    options.report({ kind: 'loaded', version, snapshot }, transferables(snapshot));
  }

  handle(request: Message): void {
    if (request.kind === 'spare') {
      this.#copier.reuse(request.block);
      this.#spareSegments.give(request.segments);
      return;
    }
    if (request.kind === 'receipt') {
      if (request.rewinds === this.#rewinds) this.#readingsUnseen -= 1;
      this.#goOn('now');
      return;
    }
    try {
      const answer = this.#carryOut(request);
      if (answer !== later) this.#options.report({ kind: 'answer', id: request.id, answer });
    } catch (error) {
      this.#fail(error);
      return;
    }
    // While virtual time is stopped, no turn would report a command that is done already.
    if (this.#preparation === null && this.#stateNow() !== this.#reportedState) this.#reportSnapshot();
    this.#goOn('now');
  }

  /** An engine that has failed throws the reason. */
  #fail(error: unknown): void {
    this.#options.report({ kind: 'failed', text: error instanceof Error ? error.message : String(error) });
    this.#isFrozen = true;
  }

  #carryOut(request: Request): string | Posted | null | typeof later {
    if (request.kind !== 'ping') {
      this.#breakOffPreparation();
      this.#askedAtMs = this.#options.nowMs();
    }
    // A change applies to the present state of the server, so it ends a journey.
    if (request.kind !== 'ask' && request.kind !== 'ping') this.#endJourney();
    switch (request.kind) {
      case 'ask':
        return askQuestion(this.#calls, request.question, request.values);
      case 'post':
        return this.#post(request.command, request.values);
      case 'freeze':
        this.#isFrozen = request.isFrozen;
        this.#pacedFrom = null;
        this.#reportSnapshot();
        return null;
      case 'pace':
        this.#paceNsPerS = request.nsPerS;
        this.#pacedFrom = null;
        return null;
      case 'read_every':
        this.#readEveryNs = Math.max(1, Math.round(request.runNs));
        return null;
      case 'step':
        this.#step(request.step);
        this.#reportSnapshot();
        return null;
      case 'watch_hottest':
        this.#calls.watch_hottest(request.latches);
        return null;
      case 'keep_keyframes':
        this.#past = this.#pastWithin(request.budgetBytes);
        return null;
      case 'rewind':
        return this.#setOut(request.id, request.to);
      case 'ping':
        return null;
    }
  }

  #post(command: CommandName, values: readonly string[]): Posted {
    const refused = postCommand(this.#calls, command, values);
    if (refused !== null) return { refused };
    this.#past?.changesAfter(this.#here());
    if (commandsThatChangeARun.includes(command)) this.#noteChange(command, values);
    if (command === 'create') {
      this.#isFrozen = false;
      this.#hostMs = 0;
    }
    return { number: this.#word('commands_posted') };
  }

  /**
   * Records a change, which is repeated when the run passes this moment again. Forgets recorded
   * changes after this moment.
   */
  #noteChange(command: CommandName, values: readonly string[]): void {
    const change = { command, values, events: this.#calls.events(), clockNs: this.#clockNs() };
    this.#changes = [...this.#changes.slice(0, this.#changesMade), change];
    this.#changesMade = this.#changes.length;
  }

  /**
   * Repeats the changes recorded at this moment, if the run continues beyond it. Returns the number
   * of events before the next one.
   */
  #changeAgain(untilNs: number): number {
    for (;;) {
      const next = this.#changes[this.#changesMade];
      if (next === undefined) return Number.POSITIVE_INFINITY;
      const events = next.events - this.#calls.events();
      if (events > 0) return events;
      // Nothing happens before the change, but a reading may be due.
      if (next.clockNs >= untilNs) return Number.POSITIVE_INFINITY;
      this.#calls.run_slice(EVENTS_MAX, next.clockNs);
      postCommand(this.#calls, next.command, next.values);
      this.#changesMade += 1;
    }
  }

  #step(step: Step): void {
    this.#isFrozen = true;
    if (this.#runState() !== 'running') return;
    if ('events' in step) {
      this.#runEvents(step.events);
      return;
    }
    const multiple = step.untilNextMultipleOfNs;
    const targetNs = nextMultiple(this.#currentRunNs(), multiple);
    while (this.#runState() === 'running' && this.#currentRunNs() < targetNs)
      this.#runEvents(EVENTS_MAX, targetNs);
  }

  #goOn(when: 'now' | 'next_frame'): void {
    if (this.#isScheduled || !this.#hasWork()) return;
    this.#isScheduled = true;
    this.#options.schedule(this.#turn, when);
  }

  readonly #turn = (): void => {
    this.#isScheduled = false;
    if (!this.#hasWork()) return;
    if (this.#journey !== null) {
      this.#travel(this.#journey);
      return;
    }
    if (this.#isPreparing()) {
      this.#prepare();
      return;
    }
    const beganMs = this.#options.nowMs();
    const isTimed = this.#runState() === 'running' && !this.#hasCommands();
    const eventsBefore = this.#calls.events();
    let isAhead = false;
    try {
      if (isTimed && this.#paceNsPerS !== null) isAhead = this.#runPaced(this.#paceNsPerS, beganMs);
      else this.#runFor(TURN_MS / 2, beganMs);
    } catch (error) {
      this.#fail(error);
      return;
    }
    const tookMs = this.#options.nowMs() - beganMs;
    if (isTimed) this.#hostMs += tookMs;
    if (!isAhead && isTimed) this.#adaptSlice(this.#calls.events() - eventsBefore, tookMs);
    this.#reportIfDue();
    this.#goOn(isAhead ? 'next_frame' : 'now');
  };

  /** One slice fills a turn unless a reading ends it early. */
  #runFor(ms: number, beganMs: number): void {
    do this.#runEvents(this.#eventsPerTurn);
    while (this.#isLetRun() && this.#options.nowMs() - beganMs < ms);
  }

  /** Lets the server catch up with its pace. Returns true if it has caught up and may wait. */
  #runPaced(paceNsPerS: number, beganMs: number): boolean {
    this.#pacedFrom ??= { clockNs: this.#clockNs(), atMs: beganMs };
    const { clockNs, atMs } = this.#pacedFrom;
    for (;;) {
      const nowMs = this.#options.nowMs();
      const targetNs = clockNs + ((nowMs - atMs) / 1000) * paceNsPerS;
      if (this.#clockNs() >= targetNs) return true;
      if (nowMs - beganMs >= TURN_MS) {
        // The host is too slow for this pace. Restart the clock, so that the server does not run
        // faster later.
        this.#pacedFrom = null;
        return false;
      }
      this.#runEvents(PACED_EVENTS);
      if (!this.#isLetRun()) return false;
    }
  }

  #isLetRun(): boolean {
    return this.#runState() === 'running' && !this.#hasCommands() && !this.#waitsForPage();
  }

  #adaptSlice(events: number, tookMs: number): void {
    const wanted = (events * TURN_MS) / Math.max(0.5, tookMs);
    const next = Math.min(wanted, this.#eventsPerTurn * 2);
    this.#eventsPerTurn = Math.round(Math.min(EVENTS_MAX, Math.max(EVENTS_MIN, next)));
  }

  /**
   * Runs this many events, or fewer if a reading is due or the run reaches `untilRunNs` first.
   */
  #runEvents(events: number, untilRunNs = Number.POSITIVE_INFINITY): void {
    const untilNs = this.#clockAtNs(Math.min(untilRunNs, this.#nextReadingAtNs()));
    this.#calls.run_slice(Math.min(events, this.#changeAgain(untilNs)), untilNs);
    if (this.#hasJustEnded()) {
      this.#reading();
      return;
    }
    if (this.#currentRunNs() < this.#nextReadingAtNs()) return;
    this.#nextReadingNs = nextMultiple(this.#currentRunNs(), this.#readEveryNs);
    // Without events there is nothing to read: virtual time jumps.
    const eventsSoFar = this.#calls.events();
    if (eventsSoFar === this.#eventsAtReading) return;
    this.#eventsAtReading = eventsSoFar;
    this.#reading();
  }

  #reading(): void {
    this.#readingsSent += 1;
    if (this.#preparation === null) this.#tellReading();
    const isOnTheWay = this.#journey !== null || this.#preparation !== null;
    if (!isOnTheWay && this.#isKept() && this.#past!.isDue(this.#currentRunNs() === 0)) this.#keepMoment();
  }

  #tellReading(): void {
    this.#readingsUnseen += 1;
    const number = this.#readingsSent;
    this.#reportSnapshot({ number, isKept: this.#isKept() });
  }

  /**
   * Checkpoints stored later, on the way to a moment or before it, start at the newest reading
   * there.
   */
  #isKept(): boolean {
    return this.#past !== null && this.#past.hasSpace && !this.#hasEnded;
  }

  #keepMoment(): void {
    this.#past?.keep(this.#calls.events(), this.#place());
    this.#tellKeptReadings();
  }

  #tellKeptReadings(): void {
    if (this.#past === null) return;
    const numbers = this.#past.keptReadings(this.#lastOfRun(), this.#readingsSent);
    this.#options.report({ kind: 'kept_readings', numbers });
  }

  #place(): ServerPlace {
    return {
      reading: this.#readingsSent,
      runNs: this.#currentRunNs(),
      nextReadingNs: this.#nextReadingNs,
      eventsAtReading: this.#eventsAtReading,
      hostMs: this.#hostMs,
      changes: this.#changesMade,
    };
  }

  #pastWithin(budgetBytes: number): RunPast | null {
    if (budgetBytes === 0) return null;
    return new RunPast(this.#module, this.#calls, budgetBytes, this.#options.nowMs);
  }

  // --- Moves to another moment ---

  /**
   * Starts a journey from the nearest checkpoint before the target, or from here if that is nearer.
   */
  #setOut(id: number, to: Moment): Posted | typeof later {
    this.#noteFurthest();
    const here = this.#here();
    const firstEvents = this.#past?.firstEvents ?? null;
    if (this.#past === null || firstEvents === null) return noMoments;
    const target = targetOf(to, here, { firstEvents, furthest: this.#past.furthest });
    if ('refused' in target) return target;
    const keyframe = this.#past.nearest(({ events, note: { runNs } }) =>
      isAtOrBefore({ events, runNs }, target),
    )!;
    const isOver = overStates.includes(this.#runState());
    const returns = isOver || !isAtOrBefore(here, target) || keyframe.events > here.events;
    const from = returns ? { events: keyframe.events, runNs: keyframe.note.runNs } : here;
    const stops = 'events' in target ? stopsBetween(from.events, target.events, this.#eventsPerTurn / 4) : [];
    this.#isFrozen = true;
    this.#journey = { id, target, from, stops };
    if (returns) this.#returnTo(keyframe);
    return later;
  }

  #here(): PlaceInRun {
    return { events: this.#calls.events(), runNs: this.#currentRunNs() };
  }

  #returnTo(keyframe: Keyframe<ServerPlace>): void {
    this.#past!.restore(keyframe);
    this.#takePlace(keyframe.note);
    const { reading } = keyframe.note;
    this.#rewinds += 1;
    this.#readingsUnseen = 0;
    this.#hasEnded = false;
    this.#pacedFrom = null;
    this.#segmentsSent = Math.min(this.#segmentsSent, this.#calls.lane_segments_written());
    this.#latchEventsSent = 0;
    this.#hasSentLatchRing = false;
    const laneSegments = this.#segmentsSent;
    const snapshot = this.#snapshot();
    this.#options.report(
      { kind: 'rewound', rewinds: this.#rewinds, reading, laneSegments, snapshot },
      transferables(snapshot),
    );
  }

  #takePlace(place: ServerPlace): void {
    const { reading, runNs, nextReadingNs, eventsAtReading, hostMs, changes } = place;
    this.#changesMade = changes;
    this.#readingsSent = reading;
    this.#runNs = runNs;
    this.#nextReadingNs = nextReadingNs;
    this.#eventsAtReading = eventsAtReading;
    this.#hostMs = hostMs;
  }

  #travel(journey: Journey): void {
    const beganMs = this.#options.nowMs();
    try {
      while (!this.#hasArrived(journey) && !this.#waitsForPage()) {
        this.#goTowards(journey);
        if (this.#options.nowMs() - beganMs >= TURN_MS) break;
      }
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.#hasArrived(journey)) this.#endJourney();
    else this.#reportIfDue();
    this.#goOn('now');
  }

  #goTowards({ target, stops }: Journey): void {
    if ('runNs' in target) {
      this.#runEvents(this.#eventsPerTurn, target.runNs);
      return;
    }
    const [stop = target.events] = stops;
    if (!this.#runUntil(stop) || stops.length === 0) return;
    stops.shift();
    this.#keepMoment();
  }

  /** Runs at most one turn's worth of events. Returns whether the run has reached `events`. */
  #runUntil(events: number): boolean {
    this.#runEvents(Math.min(this.#eventsPerTurn, events - this.#calls.events()));
    return this.#calls.events() >= events;
  }

  #hasArrived({ target }: Journey): boolean {
    return this.#runState() !== 'running' || hasReached(this.#here(), target);
  }

  #endJourney(): void {
    const { id } = this.#journey ?? {};
    if (id === undefined) return;
    this.#journey = null;
    this.#reportSnapshot();
    this.#tellKeptReadings();
    this.#options.report({ kind: 'answer', id, answer: { number: this.#word('commands_posted') } });
  }

  // --- Prepares checkpoints for steps back ---

  #isPreparing(): boolean {
    if (this.#preparation !== null) return true;
    const runState = this.#runState();
    const isHalted = runState === 'finished' || (runState === 'running' && this.#isFrozen);
    const stands = isHalted && !this.#hasCommands();
    const hasMoments = (this.#past?.firstEvents ?? null) !== null;
    return stands && hasMoments && this.#lastOfRun() !== this.#preparedFor;
  }

  /** Returns the event count of the run's present moment, or of its end if it is over. */
  #lastOfRun(): number {
    const events = this.#calls.events();
    return overStates.includes(this.#runState()) ? (this.#past?.furthest.events ?? events) : events;
  }

  #prepare(): void {
    const beganMs = this.#options.nowMs();
    if (beganMs - this.#askedAtMs < REST_MS) {
      this.#goOn('next_frame');
      return;
    }
    try {
      if (this.#preparation === null) this.#beginPreparation();
      while (this.#preparation !== null && this.#options.nowMs() - beganMs < TURN_MS)
        this.#layCloser(this.#preparation);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#goOn('now');
  }

  /** Saves the present moment and returns to an earlier one, unnoticed by the page. */
  #beginPreparation(): void {
    const past = this.#past!;
    const events = this.#lastOfRun();
    const findWay = () => past.wayTo(events, this.#readingsSent, this.#eventsPerTurn / 16);
    this.#preparedFor = events;
    const present = findWay() === null ? null : past.hold(this.#calls.events(), this.#place());
    if (present === null) return;
    // Making room for the present moment may have dropped the checkpoint at which the way would
    // have started.
    const way = findWay();
    if (way === null) {
      past.release(present);
      return;
    }
    this.#preparation = { present, hasEnded: this.#hasEnded, stops: way.stops };
    past.restore(way.from);
    this.#takePlace(way.from.note);
    this.#hasEnded = false;
  }

  #layCloser({ stops }: Preparation): void {
    const [stop] = stops;
    if (stop === undefined) {
      this.#endPreparation();
      this.#tellKeptReadings();
      this.#reportSnapshot();
    } else if (this.#runUntil(stop)) {
      stops.shift();
      this.#past!.keep(this.#calls.events(), this.#place());
    }
  }

  #endPreparation(): void {
    const { present, hasEnded } = this.#preparation!;
    this.#past!.restore(present);
    this.#takePlace(present.note);
    this.#hasEnded = hasEnded;
    this.#past!.release(present);
    this.#preparation = null;
  }

  /** Restores the present moment, because a request needs it. */
  #breakOffPreparation(): void {
    if (this.#preparation === null) return;
    this.#endPreparation();
    this.#preparedFor = -1;
  }

  #noteFurthest(): void {
    if (this.#runState() === 'running') this.#past?.note(this.#here());
  }

  #pastReadings(): PastReadings | null {
    if (this.#past === null) return null;
    this.#noteFurthest();
    return {
      ...this.#past.readings,
      part_done: this.#journey === null ? null : partDone(this.#journey, this.#here()),
    };
  }

  /**
   * Returns true once per run. From then on, clients only end their last transactions, which is not
   * part of the run.
   */
  #hasJustEnded(): boolean {
    this.#noteGeneration();
    if (this.#hasEnded || this.#runState() !== 'stopping') return false;
    this.#hasEnded = true;
    return true;
  }

  /** Infinite while no clients run. */
  #nextReadingAtNs(): number {
    this.#noteGeneration();
    const isRead = this.#runState() === 'running' && this.#readEveryNs < Number.POSITIVE_INFINITY;
    return isRead ? this.#nextReadingNs : Number.POSITIVE_INFINITY;
  }

  /** Frozen time continues for as long as a command takes. */
  #hasWork(): boolean {
    const runState = this.#runState();
    if (runState === 'failed') return false;
    if (this.#journey !== null) return !this.#waitsForPage();
    if (this.#isPreparing() || this.#hasCommands()) return true;
    if (runState === 'running') return !this.#isFrozen && !this.#waitsForPage();
    return !lastingStates.includes(runState);
  }

  #waitsForPage(): boolean {
    return this.#readingsUnseen >= READINGS_UNSEEN_MAX;
  }

  #hasCommands(): boolean {
    return this.#word('commands_done') !== this.#word('commands_posted');
  }

  #reportIfDue(): void {
    const intervalMs = Math.max(SNAPSHOT_INTERVAL_MS, this.#reportingMs / SNAPSHOT_SHARE_MAX);
    const isDue = this.#options.nowMs() - this.#reportedAtMs >= intervalMs;
    if (isDue || this.#stateNow() !== this.#reportedState) this.#reportSnapshot();
  }

  #reportSnapshot(reading: Reading | null = null): void {
    const beganMs = this.#options.nowMs();
    const snapshot = this.#snapshot();
    this.#options.report({ kind: 'snapshot', snapshot, reading }, transferables(snapshot));
    this.#reportedAtMs = this.#options.nowMs();
    this.#reportingMs = this.#reportedAtMs - beganMs;
    this.#reportedState = this.#stateNow();
  }

  /** The part of the state whose changes the page must see at once. */
  #stateNow(): string {
    return `${this.#runState()} ${this.#word('commands_done')}`;
  }

  #snapshot(): Snapshot {
    this.#noteGeneration();
    const memory = this.#module.wasmMemory.buffer;
    const runState = this.#runState();
    const clockNs = this.#clockNs();
    this.#runNs = Math.max(this.#runNs, this.#currentRunNs());
    const buffer = this.#copier.copy(memory, this.#block, {
      runNs: this.#runNs,
      runState: runState === 'running' && this.#isFrozen ? 'paused' : runState,
    });
    return {
      block: { buffer, stateTimes: stateTimes(buffer, memory, this.#laneTotals, clockNs) },
      readings: {
        run_ns: this.#runNs,
        events: this.#calls.events(),
        host_ms: this.#hostMs,
        past: this.#pastReadings(),
      },
      lanes: this.#newSegments(memory, this.#generation),
      latchEvents: this.#newLatchEvents(memory, this.#generation),
    };
  }

  #noteGeneration(): void {
    const generation = this.#word('run_generation');
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#segmentsSent = 0;
    this.#latchEventsSent = 0;
    this.#hasSentLatchRing = false;
    this.#runNs = 0;
    this.#nextReadingNs = 0;
    this.#eventsAtReading = -1;
    this.#hasEnded = false;
    this.#preparedFor = -1;
    this.#changes = [];
    this.#changesMade = 0;
    this.#past?.beginAnew();
  }

  #newSegments(memory: ArrayBuffer, runGeneration: number): LaneBatch {
    const written = this.#calls.lane_segments_written();
    const first = Math.max(this.#segmentsSent, written - SEGMENTS_SENT_MAX);
    this.#segmentsSent = written;
    const segments = copyOfRing(memory, this.#laneSegments, first, written, (bytes) =>
      this.#spareSegments.take(bytes, (spare) => spare.byteLength >= bytes),
    );
    return { runGeneration, first, segments, clockLessRunNs: this.#clockLessRunNs() };
  }

  /**
   * Returns the newest events while time runs. Once it has stopped, returns all events in the ring,
   * which replace those sent before. How many of those the page has depends on the speed of both.
   */
  #newLatchEvents(memory: ArrayBuffer, runGeneration: number): LatchEventBatch {
    const written = this.#calls.latch_events_written();
    const oldestKept = Math.max(0, written - this.#latchEvents.records);
    // Does not apply during a journey, where the events that the page gets depend on its speed.
    const stands = this.#journey === null && (this.#isFrozen || this.#runState() !== 'running');
    const isWholeRing = stands && !(this.#hasSentLatchRing && this.#latchEventsSent >= oldestKept);
    const newestFrom = stands ? oldestKept : written - LATCH_EVENTS_SENT_MAX;
    const first = isWholeRing ? oldestKept : Math.max(this.#latchEventsSent, newestFrom);
    this.#hasSentLatchRing = stands;
    this.#latchEventsSent = written;
    const events = copyOfRing(memory, this.#latchEvents, first, written).buffer;
    const clockLessRunNs = this.#clockLessRunNs();
    const watched = this.#watchedLatches(memory);
    return { runGeneration, first, isWholeRing, events, watched, clockLessRunNs };
  }

  #watchedLatches(memory: ArrayBuffer): WatchedLatch[] {
    const { address, records, recordBytes } = this.#watchedLatchRing;
    const view = new DataView(memory, address, records * recordBytes);
    return Array.from({ length: records }, (_, place) => ({
      latch: readField(view, place * recordBytes, watched_latch.fields.latch),
      sinceEvent: readField(view, place * recordBytes, watched_latch.fields.since_event),
    })).filter(({ latch }) => latch !== 0);
  }

  #clockLessRunNs(): number {
    return this.#u64('clock_ns') - this.#u64('run_ns');
  }

  // The coordinator publishes run time every few virtual milliseconds. In between, add the clock's
  // advance.
  #currentRunNs(): number {
    const writtenNs = this.#u64('run_ns');
    if (this.#runState() !== 'running') return writtenNs;
    return writtenNs + Math.max(0, this.#clockNs() - this.#u64('clock_ns'));
  }

  /** Converts a run time to the clock, assuming that clients run until then. */
  #clockAtNs(runNs: number): number {
    return this.#u64('clock_ns') + runNs - this.#u64('run_ns');
  }

  #clockNs(): number {
    return this.#calls.clock_ns();
  }

  #runState(): RunState {
    return run_states[this.#word('run_state')] ?? 'failed';
  }

  #word(field: 'run_state' | 'run_generation' | 'commands_posted' | 'commands_done'): number {
    return new Uint32Array(this.#module.wasmMemory.buffer, this.#block + fields[field].offset, 1)[0]!;
  }

  #u64(field: 'run_ns' | 'clock_ns'): number {
    const address = this.#block + fields[field].offset;
    return Number(new DataView(this.#module.wasmMemory.buffer, address, 8).getBigUint64(0, true));
  }
}

/** The answer follows on arrival. */
const later = Symbol('later');

const noMoments: Posted = {
  refused: {
    outcome: 'wrong_value',
    errors: [{ field: 'keyframes', value: '0', allowed: 'a run with checkpoints' }],
  },
};

const nextMultiple = (value: number, of: number) => (Math.floor(value / of) + 1) * of;

const transferables = ({ block, lanes, latchEvents }: Snapshot) => [
  block.buffer,
  lanes.segments.buffer,
  latchEvents.events,
];
