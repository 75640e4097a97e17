// Drives the modeled server in its worker: runs its events in slices, and answers the page between
// slices.
import type { Moment, PastReadings } from '../contract/page-readings';
import type { RunState } from '../contract/telemetry-states';
import { askQuestion, postCommand, type CommandName, type VirtualModule } from './engine-calls';
import type { Posted, Reading, Step } from './engine-host';
import { hasReached, isAtOrBefore, partDone, targetOf, type Journey } from './journey';
import type { Keyframe } from './keyframes';
import { ModeledEngine } from './modeled-engine';
import { RunPast, stopsBetween, type ServerPlace } from './run-past';
import { Snapshots } from './snapshots';
import type { Answer, Message, Report, Request, Snapshot } from './virtual-protocol';

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
/** In these states, events are not part of the run. */
const overStates: readonly RunState[] = ['stopping', 'finished'];
const commandsThatChangeARun: readonly CommandName[] = ['set_knob', 'fire', 'suppose'];
const lastingStates: readonly RunState[] = ['idle', 'ready', 'paused', 'finished', 'failed'];

type NextTurn = 'now' | 'next_frame';

export interface VirtualServerOptions {
  report: (report: Report, transfer?: ArrayBuffer[]) => void;
  /** Runs `turn` once, after messages that have arrived meanwhile. */
  schedule: (turn: () => void, when: NextTurn) => void;
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
  /** Event counts at which to store checkpoints, the next one first. */
  stops: number[];
}

/**
 * Drives the engine on a modeled server. Runs its events in slices and, between slices, answers
 * the page and sends it telemetry. The ends of slices do not influence a run, so neither pace nor
 * page changes it.
 */
export class VirtualServer {
  readonly #engine: ModeledEngine;
  readonly #options: VirtualServerOptions;
  readonly #snapshots: Snapshots;

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
  #at: ServerPlace = { ...startOfRun, reading: 0, hostMs: 0 };
  #readEveryNs = Number.POSITIVE_INFINITY;
  #readingsUnseen = 0;

  #past: RunPast | null = null;
  #rewinds = 0;
  #journey: Journey | null = null;
  #preparation: Preparation | null = null;
  /** The event count for which steps back were last prepared. */
  #preparedFor = -1;
  /** Interactive changes of the present branch, in order. */
  #changes: readonly Change[] = [];
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(module: VirtualModule, options: VirtualServerOptions) {
    this.#options = options;
    this.#engine = new ModeledEngine(module);
    this.#snapshots = new Snapshots(this.#engine);
    // Lets the coordinator reach the wait for its first command.
    this.#runEvents(EVENTS_MIN);
    const snapshot = this.#snapshot();
    options.report({ kind: 'loaded', version: this.#engine.version, snapshot }, transferables(snapshot));
  }

  handle(request: Message): void {
    if (request.kind === 'spare') {
      this.#snapshots.reuse(request);
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

  #carryOut(request: Request): Answer | typeof later {
    if (request.kind !== 'ping') {
      this.#breakOffPreparation();
      this.#askedAtMs = this.#options.nowMs();
    }
    // A change applies to the present state of the server, so it ends a journey.
    if (request.kind !== 'ask' && request.kind !== 'ping') this.#endJourney();
    switch (request.kind) {
      case 'ask':
        return askQuestion(this.#engine.calls, request.question, request.values);
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
        this.#engine.calls.watch_hottest(request.latches);
        return null;
      case 'keep_keyframes':
        this.#past =
          request.budgetBytes === 0
            ? null
            : new RunPast(this.#engine, request.budgetBytes, this.#options.nowMs);
        return null;
      case 'rewind':
        return this.#setOut(request.id, request.to);
      case 'ping':
        return null;
    }
  }

  #post(command: CommandName, values: readonly string[]): Posted {
    const refused = postCommand(this.#engine.calls, command, values);
    if (refused !== null) return { refused };
    this.#past?.changesAfter(this.#engine.here);
    if (commandsThatChangeARun.includes(command)) this.#noteChange(command, values);
    if (command === 'create') {
      this.#isFrozen = false;
      this.#at.hostMs = 0;
    }
    return { number: this.#engine.word('commands_posted') };
  }

  /**
   * Records a change, which is repeated when the run passes this moment again. Forgets recorded
   * changes after this moment.
   */
  #noteChange(command: CommandName, values: readonly string[]): void {
    const change = {
      command,
      values,
      events: this.#engine.calls.events(),
      clockNs: this.#engine.calls.clock_ns(),
    };
    this.#changes = [...this.#changes.slice(0, this.#at.changes), change];
    this.#at.changes = this.#changes.length;
  }

  /**
   * Repeats the changes recorded at this moment, if the run continues beyond it. Returns the number
   * of events before the next one.
   */
  #changeAgain(untilNs: number): number {
    for (;;) {
      const next = this.#changes[this.#at.changes];
      if (next === undefined) return Number.POSITIVE_INFINITY;
      const events = next.events - this.#engine.calls.events();
      if (events > 0) return events;
      // Nothing happens before the change, but a reading may be due.
      if (next.clockNs >= untilNs) return Number.POSITIVE_INFINITY;
      this.#engine.calls.run_slice(EVENTS_MAX, next.clockNs);
      postCommand(this.#engine.calls, next.command, next.values);
      this.#at.changes += 1;
    }
  }

  #step(step: Step): void {
    this.#isFrozen = true;
    if ('untilNextMultipleOfNs' in step) {
      const targetNs = nextMultiple(this.#engine.runNs, step.untilNextMultipleOfNs);
      while (this.#engine.runState === 'running' && this.#engine.runNs < targetNs)
        this.#runEvents(EVENTS_MAX, targetNs);
    } else if (this.#engine.runState === 'running') this.#runEvents(step.events);
  }

  #goOn(when: NextTurn): void {
    if (this.#isScheduled || !this.#hasWork()) return;
    this.#isScheduled = true;
    this.#options.schedule(this.#turn, when);
  }

  readonly #turn = (): void => {
    this.#isScheduled = false;
    if (!this.#hasWork()) return;
    const beganMs = this.#options.nowMs();
    try {
      if (this.#journey !== null) this.#goOn(this.#travel(this.#journey, beganMs));
      else if (this.#isPreparing()) this.#goOn(this.#prepare(beganMs));
      else this.#goOn(this.#run(beganMs));
    } catch (error) {
      this.#fail(error);
    }
  };

  #run(beganMs: number): NextTurn {
    const isTimed = this.#engine.runState === 'running' && !this.#engine.hasCommands;
    const eventsBefore = this.#engine.calls.events();
    let isAhead = false;
    if (isTimed && this.#paceNsPerS !== null) isAhead = this.#runPaced(this.#paceNsPerS, beganMs);
    else this.#runFor(TURN_MS / 2, beganMs);
    const tookMs = this.#options.nowMs() - beganMs;
    if (isTimed) this.#at.hostMs += tookMs;
    if (!isAhead && isTimed) this.#adaptSlice(this.#engine.calls.events() - eventsBefore, tookMs);
    this.#reportIfDue();
    return isAhead ? 'next_frame' : 'now';
  }

  /** One slice fills a turn unless a reading ends it early. */
  #runFor(ms: number, beganMs: number): void {
    do this.#runEvents(this.#eventsPerTurn);
    while (this.#isLetRun() && this.#options.nowMs() - beganMs < ms);
  }

  /** Lets the server catch up with its pace. Returns true if it has caught up and may wait. */
  #runPaced(paceNsPerS: number, beganMs: number): boolean {
    this.#pacedFrom ??= { clockNs: this.#engine.calls.clock_ns(), atMs: beganMs };
    const { clockNs, atMs } = this.#pacedFrom;
    for (;;) {
      const nowMs = this.#options.nowMs();
      const targetNs = clockNs + ((nowMs - atMs) / 1000) * paceNsPerS;
      if (this.#engine.calls.clock_ns() >= targetNs) return true;
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
    return this.#engine.runState === 'running' && !this.#engine.hasCommands && !this.#waitsForPage();
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
    const untilNs = this.#engine.clockAtNs(Math.min(untilRunNs, this.#nextReadingAtNs()));
    this.#engine.calls.run_slice(Math.min(events, this.#changeAgain(untilNs)), untilNs);
    if (this.#hasJustEnded()) {
      this.#reading();
      return;
    }
    if (this.#engine.runNs < this.#nextReadingAtNs()) return;
    this.#at.nextReadingNs = nextMultiple(this.#engine.runNs, this.#readEveryNs);
    // Without events there is nothing to read: virtual time jumps.
    const eventsSoFar = this.#engine.calls.events();
    if (eventsSoFar === this.#at.eventsAtReading) return;
    this.#at.eventsAtReading = eventsSoFar;
    this.#reading();
  }

  #reading(): void {
    this.#at.reading += 1;
    if (this.#preparation === null) this.#tellReading();
    const isOnTheWay = this.#journey !== null || this.#preparation !== null;
    if (!isOnTheWay && this.#isKept() && this.#past!.isDue(this.#engine.runNs === 0)) this.#keepMoment();
  }

  #tellReading(): void {
    this.#readingsUnseen += 1;
    const number = this.#at.reading;
    this.#reportSnapshot({ number, isKept: this.#isKept() });
  }

  /**
   * Checkpoints stored later, on the way to a moment or before it, start at the newest reading
   * there.
   */
  #isKept(): boolean {
    return this.#past !== null && this.#past.hasSpace && !this.#at.hasEnded;
  }

  #keepMoment(): void {
    this.#past?.keep(this.#engine.calls.events(), this.#placeNow());
    this.#tellKeptReadings();
  }

  #tellKeptReadings(): void {
    if (this.#past === null) return;
    const numbers = this.#past.keptReadings(this.#lastOfRun(), this.#at.reading);
    this.#options.report({ kind: 'kept_readings', numbers });
  }

  #placeNow(): ServerPlace {
    return { ...this.#at, runNs: this.#engine.runNs };
  }

  // --- Moves to another moment ---

  /**
   * Starts a journey from the nearest checkpoint before the target, or from here if that is nearer.
   */
  #setOut(id: number, to: Moment): Posted | typeof later {
    this.#noteFurthest();
    const here = this.#engine.here;
    const firstEvents = this.#past?.firstEvents ?? null;
    if (this.#past === null || firstEvents === null) return noMoments;
    const target = targetOf(to, here, { firstEvents, furthest: this.#past.furthest });
    if ('refused' in target) return target;
    const keyframe = this.#past.nearest(({ events, note: { runNs } }) =>
      isAtOrBefore({ events, runNs }, target),
    )!;
    const isOver = overStates.includes(this.#engine.runState);
    const returns = isOver || !isAtOrBefore(here, target) || keyframe.events > here.events;
    const from = returns ? { events: keyframe.events, runNs: keyframe.note.runNs } : here;
    const stops = 'events' in target ? stopsBetween(from.events, target.events, this.#eventsPerTurn / 4) : [];
    this.#isFrozen = true;
    this.#journey = { id, target, from, stops };
    if (returns) this.#returnTo(keyframe);
    return later;
  }

  #returnTo(keyframe: Keyframe<ServerPlace>): void {
    this.#restore(keyframe);
    this.#rewinds += 1;
    this.#readingsUnseen = 0;
    this.#pacedFrom = null;
    const laneSegments = this.#snapshots.moveTo(this.#engine.calls.lane_segments_written());
    const snapshot = this.#snapshot();
    this.#options.report(
      { kind: 'rewound', rewinds: this.#rewinds, reading: this.#at.reading, laneSegments, snapshot },
      transferables(snapshot),
    );
  }

  #restore(keyframe: Keyframe<ServerPlace>): void {
    this.#past!.restore(keyframe);
    this.#at = { ...keyframe.note };
  }

  #travel(journey: Journey, beganMs: number): NextTurn {
    while (!this.#hasArrived(journey) && !this.#waitsForPage()) {
      this.#goTowards(journey);
      if (this.#options.nowMs() - beganMs >= TURN_MS) break;
    }
    if (this.#hasArrived(journey)) this.#endJourney();
    else this.#reportIfDue();
    return 'now';
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
    this.#runEvents(Math.min(this.#eventsPerTurn, events - this.#engine.calls.events()));
    return this.#engine.calls.events() >= events;
  }

  #hasArrived({ target }: Journey): boolean {
    return this.#engine.runState !== 'running' || hasReached(this.#engine.here, target);
  }

  #endJourney(): void {
    const { id } = this.#journey ?? {};
    if (id === undefined) return;
    this.#journey = null;
    this.#reportSnapshot();
    this.#tellKeptReadings();
    this.#options.report({ kind: 'answer', id, answer: { number: this.#engine.word('commands_posted') } });
  }

  // --- Prepares checkpoints for steps back ---

  #isPreparing(): boolean {
    if (this.#preparation !== null) return true;
    const runState = this.#engine.runState;
    const isHalted = runState === 'finished' || (runState === 'running' && this.#isFrozen);
    const stands = isHalted && !this.#engine.hasCommands;
    const hasMoments = (this.#past?.firstEvents ?? null) !== null;
    return stands && hasMoments && this.#lastOfRun() !== this.#preparedFor;
  }

  /** Returns the event count of the run's present moment, or of its end if it is over. */
  #lastOfRun(): number {
    const events = this.#engine.calls.events();
    return overStates.includes(this.#engine.runState) ? (this.#past?.furthest.events ?? events) : events;
  }

  #prepare(beganMs: number): NextTurn {
    if (beganMs - this.#askedAtMs < REST_MS) return 'next_frame';
    if (this.#preparation === null) this.#beginPreparation();
    while (this.#preparation !== null && this.#options.nowMs() - beganMs < TURN_MS)
      this.#layCloser(this.#preparation);
    return 'now';
  }

  /** Saves the present moment and returns to an earlier one, unnoticed by the page. */
  #beginPreparation(): void {
    const past = this.#past!;
    const events = this.#lastOfRun();
    const findWay = () => past.wayTo(events, this.#at.reading, this.#eventsPerTurn / 16);
    this.#preparedFor = events;
    const present = findWay() === null ? null : past.hold(this.#engine.calls.events(), this.#placeNow());
    if (present === null) return;
    // Making room for the present moment may have dropped the checkpoint at which the way would
    // have started.
    const way = findWay();
    if (way === null) {
      past.release(present);
      return;
    }
    this.#preparation = { present, stops: way.stops };
    this.#restore(way.from);
  }

  #layCloser({ stops }: Preparation): void {
    const [stop] = stops;
    if (stop === undefined) {
      this.#endPreparation();
      this.#tellKeptReadings();
      this.#reportSnapshot();
    } else if (this.#runUntil(stop)) {
      stops.shift();
      this.#past!.keep(this.#engine.calls.events(), this.#placeNow());
    }
  }

  #endPreparation(): void {
    const { present } = this.#preparation!;
    this.#restore(present);
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
    if (this.#engine.runState === 'running') this.#past?.note(this.#engine.here);
  }

  #pastReadings(): PastReadings | null {
    if (this.#past === null) return null;
    this.#noteFurthest();
    return {
      ...this.#past.readings,
      part_done: this.#journey === null ? null : partDone(this.#journey, this.#engine.here),
    };
  }

  /**
   * Returns true once per run. From then on, clients only end their last transactions, which is not
   * part of the run.
   */
  #hasJustEnded(): boolean {
    this.#noteGeneration();
    if (this.#at.hasEnded || this.#engine.runState !== 'stopping') return false;
    this.#at.hasEnded = true;
    return true;
  }

  /** Infinite while no clients run. */
  #nextReadingAtNs(): number {
    this.#noteGeneration();
    const isRead = this.#engine.runState === 'running' && this.#readEveryNs < Number.POSITIVE_INFINITY;
    return isRead ? this.#at.nextReadingNs : Number.POSITIVE_INFINITY;
  }

  /** Frozen time continues for as long as a command takes. */
  #hasWork(): boolean {
    const runState = this.#engine.runState;
    if (runState === 'failed') return false;
    if (this.#journey !== null) return !this.#waitsForPage();
    if (this.#isPreparing() || this.#engine.hasCommands) return true;
    if (runState === 'running') return !this.#isFrozen && !this.#waitsForPage();
    return !lastingStates.includes(runState);
  }

  #waitsForPage(): boolean {
    return this.#readingsUnseen >= READINGS_UNSEEN_MAX;
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
    return `${this.#engine.runState} ${this.#engine.word('commands_done')}`;
  }

  #snapshot(): Snapshot {
    this.#noteGeneration();
    const { runState, runNs: engineNs, calls } = this.#engine;
    const runNs = Math.max(this.#at.runNs, engineNs);
    this.#at.runNs = runNs;
    // During a journey, the events that the page gets depend on its speed.
    const stands = this.#journey === null && (this.#isFrozen || runState !== 'running');
    const copied = this.#snapshots.take({
      runNs,
      runState: runState === 'running' && this.#isFrozen ? 'paused' : runState,
      stands,
    });
    const readings = {
      run_ns: runNs,
      events: calls.events(),
      host_ms: this.#at.hostMs,
      past: this.#pastReadings(),
    };
    return { ...copied, readings };
  }

  #noteGeneration(): void {
    const generation = this.#engine.word('run_generation');
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#snapshots.moveTo(0);
    Object.assign(this.#at, startOfRun);
    this.#preparedFor = -1;
    this.#changes = [];
    this.#past?.beginAnew();
  }
}

const startOfRun = { runNs: 0, nextReadingNs: 0, eventsAtReading: -1, hasEnded: false, changes: 0 };

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
