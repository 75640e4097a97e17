// Drives the modelled server in its worker: runs its events in slices, and answers the page between
// slices.
import type { Moment, PastReadings } from '../contract/model-readings';
import { BlockCopier, stateTimes } from './block-copy';
import { askQuestion, attachCalls, postCommand, type CommandName } from './engine-calls';
import type { LaneBatch, LatchEventBatch, Posted, Reading, WatchedLatch } from './engine-host';
import type { VirtualModule } from './engine-module';
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
import { copyOfRing, type Ring } from './ring-copy';
import { SpareRoom } from './spare-room';
import type { RunState } from '../contract/telemetry-states';
import { hasReached, isAtOrBefore, partDone, targetOf, type Journey, type PlaceInRun } from './journey';
import { RunPast, stopsBetween, type ServerPlace } from './run-past';
import type { Message, Report, Request, Snapshot } from './virtual-protocol';
import type { Step } from './model-time';

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
const over_states: readonly RunState[] = ['stopping', 'finished'];
const commands_that_change_a_run: readonly CommandName[] = ['set_knob', 'fire', 'suppose'];
const lasting_states: readonly RunState[] = ['idle', 'ready', 'paused', 'finished', 'failed'];
const { fields } = layout.header;

export interface VirtualServerOptions {
  report: (report: Report, transfer?: ArrayBuffer[]) => void;
  /** Runs `turn` once, after messages that have arrived meanwhile. */
  schedule: (turn: () => void, when: 'now' | 'next_frame') => void;
  now_ms: () => number;
}

/** An interactive change of the run, which is repeated when the run passes this moment again. */
interface Change {
  command: CommandName;
  values: readonly string[];
  /** Where the run was. */
  events: number;
  clock_ns: number;
}

/**
 * Stores checkpoints shortly before the moment at which the server has stopped, because steps back
 * start there.
 */
interface Preparation {
  /** The moment at which the server has stopped. */
  present: Keyframe<ServerPlace>;
  has_ended: boolean;
  /** Event counts at which to store checkpoints, the next one first. */
  stops: number[];
}

/**
 * Drives the engine on a modelled server. Runs its events in slices and, between slices, answers
 * the page and sends it telemetry. The ends of slices do not influence a run, so neither pace nor
 * page changes it.
 */
export class VirtualServer {
  readonly #module: VirtualModule;
  readonly #calls: EngineCalls;
  readonly #options: VirtualServerOptions;
  readonly #copier = new BlockCopier();
  readonly #block: number;
  readonly #lane_segments: Ring;
  readonly #lane_totals: number;
  readonly #latch_events: Ring;
  readonly #spare_segments = new SpareRoom();
  readonly #watched_latches: Ring;

  #is_scheduled = false;
  #is_frozen = false;
  #pace_ns_per_s: number | null = null;
  /** The clock of a slowed-down server and the host time at which it had that clock. */
  #paced_from: { clock_ns: number; at_ms: number } | null = null;
  #events_per_turn = 20_000;

  #reported_at_ms = Number.NEGATIVE_INFINITY;
  #reporting_ms = 0;
  #reported_state = '';
  #generation = -1;
  #segments_sent = 0;
  #latch_events_sent = 0;
  /** The page has all events that the ring held when time stopped, and all since. */
  #has_sent_latch_ring = false;
  #host_ms = 0;
  #run_ns = 0;

  #read_every_ns = Number.POSITIVE_INFINITY;
  #next_reading_ns = 0;
  #events_at_reading = -1;
  #readings_sent = 0;
  #readings_unseen = 0;
  #has_ended = false;

  #past: RunPast | null = null;
  #rewinds = 0;
  #journey: Journey | null = null;
  #preparation: Preparation | null = null;
  /** The event count for which steps back were last prepared. */
  #prepared_for = -1;
  /** Interactive changes of the present branch, in order. */
  #changes: readonly Change[] = [];
  /** How many of them come before the present moment. */
  #changes_made = 0;
  #asked_at_ms = Number.NEGATIVE_INFINITY;

  constructor(module: VirtualModule, options: VirtualServerOptions) {
    this.#module = module;
    this.#options = options;
    const { calls, version } = attachCalls(module);
    this.#calls = calls;
    calls.open();
    this.#block = calls.telemetry();
    this.#lane_segments = {
      address: calls.lane_segments(),
      records: calls.lane_segments_max(),
      record_bytes: lane_segment.bytes,
    };
    this.#lane_totals = calls.lane_totals();
    this.#latch_events = {
      address: calls.latch_events(),
      records: calls.latch_events_max(),
      record_bytes: latch_event.bytes,
    };
    this.#watched_latches = {
      address: calls.watched_latches(),
      records: calls.watched_latches_max(),
      record_bytes: watched_latch.bytes,
    };
    // Lets the coordinator reach the wait for its first command.
    this.#runEvents(EVENTS_MIN);
    const snapshot = this.#snapshot();
    options.report({ kind: 'loaded', version, snapshot }, transferables(snapshot));
  }

  handle(request: Message): void {
    if (request.kind === 'spare') {
      this.#copier.reuse(request.block);
      this.#spare_segments.give(request.segments);
      return;
    }
    if (request.kind === 'receipt') {
      if (request.rewinds === this.#rewinds) this.#readings_unseen -= 1;
      this.#goOn('now');
      return;
    }
    try {
      const answer = this.#carryOut(request);
      if (answer !== LATER) this.#options.report({ kind: 'answer', id: request.id, answer });
    } catch (error) {
      this.#fail(error);
      return;
    }
    // While virtual time is stopped, no turn would report a command that is done already.
    if (this.#preparation === null && this.#stateNow() !== this.#reported_state) this.#reportSnapshot();
    this.#goOn('now');
  }

  /** An engine that has failed throws the reason. */
  #fail(error: unknown): void {
    this.#options.report({ kind: 'failed', text: error instanceof Error ? error.message : String(error) });
    this.#is_frozen = true;
  }

  #carryOut(request: Request): string | Posted | null | typeof LATER {
    if (request.kind !== 'ping') {
      this.#breakOffPreparation();
      this.#asked_at_ms = this.#options.now_ms();
    }
    // A change applies to the present state of the server, so it ends a journey.
    if (request.kind !== 'ask' && request.kind !== 'ping') this.#endJourney();
    switch (request.kind) {
      case 'ask':
        return askQuestion(this.#calls, request.question, request.values);
      case 'post':
        return this.#post(request.command, request.values);
      case 'freeze':
        this.#is_frozen = request.is_frozen;
        this.#paced_from = null;
        this.#reportSnapshot();
        return null;
      case 'pace':
        this.#pace_ns_per_s = request.ns_per_s;
        this.#paced_from = null;
        return null;
      case 'read_every':
        this.#read_every_ns = Math.max(1, Math.round(request.run_ns));
        return null;
      case 'step':
        this.#step(request.step);
        this.#reportSnapshot();
        return null;
      case 'watch_hottest':
        this.#calls.watch_hottest(request.latches);
        return null;
      case 'keep_keyframes':
        this.#past = this.#pastWithin(request.budget_bytes);
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
    if (commands_that_change_a_run.includes(command)) this.#noteChange(command, values);
    if (command === 'create') {
      this.#is_frozen = false;
      this.#host_ms = 0;
    }
    return { number: this.#word('commands_posted') };
  }

  /**
   * Records a change, which is repeated when the run passes this moment again. Forgets recorded
   * changes after this moment.
   */
  #noteChange(command: CommandName, values: readonly string[]): void {
    const change = { command, values, events: this.#calls.events(), clock_ns: this.#clock_ns() };
    this.#changes = [...this.#changes.slice(0, this.#changes_made), change];
    this.#changes_made = this.#changes.length;
  }

  /**
   * Repeats the changes recorded at this moment, if the run continues beyond it. Returns the number
   * of events before the next one.
   */
  #changeAgain(until_ns: number): number {
    for (;;) {
      const next = this.#changes[this.#changes_made];
      if (next === undefined) return Number.POSITIVE_INFINITY;
      const events = next.events - this.#calls.events();
      if (events > 0) return events;
      // Nothing happens before the change, but a reading may be due.
      if (next.clock_ns >= until_ns) return Number.POSITIVE_INFINITY;
      this.#calls.run_slice(EVENTS_MAX, next.clock_ns);
      postCommand(this.#calls, next.command, next.values);
      this.#changes_made += 1;
    }
  }

  #step(step: Step): void {
    this.#is_frozen = true;
    if (this.#runState() !== 'running') return;
    if ('events' in step) {
      this.#runEvents(step.events);
      return;
    }
    const multiple = step.until_next_multiple_of_ns;
    const target_ns = nextMultiple(this.#currentRun_ns(), multiple);
    while (this.#runState() === 'running' && this.#currentRun_ns() < target_ns)
      this.#runEvents(EVENTS_MAX, target_ns);
  }

  #goOn(when: 'now' | 'next_frame'): void {
    if (this.#is_scheduled || !this.#hasWork()) return;
    this.#is_scheduled = true;
    this.#options.schedule(this.#turn, when);
  }

  readonly #turn = (): void => {
    this.#is_scheduled = false;
    if (!this.#hasWork()) return;
    if (this.#journey !== null) {
      this.#travel(this.#journey);
      return;
    }
    if (this.#isPreparing()) {
      this.#prepare();
      return;
    }
    const began_ms = this.#options.now_ms();
    const is_timed = this.#runState() === 'running' && !this.#hasCommands();
    const events_before = this.#calls.events();
    let is_ahead = false;
    try {
      if (is_timed && this.#pace_ns_per_s !== null) is_ahead = this.#runPaced(this.#pace_ns_per_s, began_ms);
      else this.#runFor(TURN_MS / 2, began_ms);
    } catch (error) {
      this.#fail(error);
      return;
    }
    const took_ms = this.#options.now_ms() - began_ms;
    if (is_timed) this.#host_ms += took_ms;
    if (!is_ahead && is_timed) this.#adaptSlice(this.#calls.events() - events_before, took_ms);
    this.#reportIfDue();
    this.#goOn(is_ahead ? 'next_frame' : 'now');
  };

  /** One slice fills a turn unless a reading ends it early. */
  #runFor(ms: number, began_ms: number): void {
    do this.#runEvents(this.#events_per_turn);
    while (this.#isLetRun() && this.#options.now_ms() - began_ms < ms);
  }

  /** Lets the server catch up with its pace. Returns true if it has caught up and may wait. */
  #runPaced(pace_ns_per_s: number, began_ms: number): boolean {
    this.#paced_from ??= { clock_ns: this.#clock_ns(), at_ms: began_ms };
    const { clock_ns, at_ms } = this.#paced_from;
    for (;;) {
      const now_ms = this.#options.now_ms();
      const target_ns = clock_ns + ((now_ms - at_ms) / 1000) * pace_ns_per_s;
      if (this.#clock_ns() >= target_ns) return true;
      if (now_ms - began_ms >= TURN_MS) {
        // The host is too slow for this pace. Restart the clock, so that the server does not run
        // faster later.
        this.#paced_from = null;
        return false;
      }
      this.#runEvents(PACED_EVENTS);
      if (!this.#isLetRun()) return false;
    }
  }

  #isLetRun(): boolean {
    return this.#runState() === 'running' && !this.#hasCommands() && !this.#waitsForPage();
  }

  #adaptSlice(events: number, took_ms: number): void {
    const wanted = (events * TURN_MS) / Math.max(0.5, took_ms);
    const next = Math.min(wanted, this.#events_per_turn * 2);
    this.#events_per_turn = Math.round(Math.min(EVENTS_MAX, Math.max(EVENTS_MIN, next)));
  }

  /**
   * Runs this many events, or fewer if a reading is due or the run reaches `until_run_ns` first.
   */
  #runEvents(events: number, until_run_ns = Number.POSITIVE_INFINITY): void {
    const until_ns = this.#clockAt_ns(Math.min(until_run_ns, this.#nextReading_ns()));
    this.#calls.run_slice(Math.min(events, this.#changeAgain(until_ns)), until_ns);
    if (this.#hasJustEnded()) {
      this.#reading();
      return;
    }
    if (this.#currentRun_ns() < this.#nextReading_ns()) return;
    this.#next_reading_ns = nextMultiple(this.#currentRun_ns(), this.#read_every_ns);
    // Without events there is nothing to read: virtual time jumps.
    const events_so_far = this.#calls.events();
    if (events_so_far === this.#events_at_reading) return;
    this.#events_at_reading = events_so_far;
    this.#reading();
  }

  #reading(): void {
    this.#readings_sent += 1;
    if (this.#preparation === null) this.#tellReading();
    const is_on_the_way = this.#journey !== null || this.#preparation !== null;
    if (!is_on_the_way && this.#isKept() && this.#past!.isDue(this.#currentRun_ns() === 0))
      this.#keepMoment();
  }

  #tellReading(): void {
    this.#readings_unseen += 1;
    const number = this.#readings_sent;
    this.#reportSnapshot({ number, is_kept: this.#isKept() });
  }

  /**
   * Checkpoints stored later, on the way to a moment or before it, start at the newest reading
   * there.
   */
  #isKept(): boolean {
    return this.#past !== null && this.#past.has_room && !this.#has_ended;
  }

  #keepMoment(): void {
    this.#past?.keep(this.#calls.events(), this.#place());
    this.#tellKeptReadings();
  }

  #tellKeptReadings(): void {
    if (this.#past === null) return;
    const numbers = this.#past.keptReadings(this.#lastOfRun(), this.#readings_sent);
    this.#options.report({ kind: 'kept_readings', numbers });
  }

  #place(): ServerPlace {
    return {
      reading: this.#readings_sent,
      run_ns: this.#currentRun_ns(),
      next_reading_ns: this.#next_reading_ns,
      events_at_reading: this.#events_at_reading,
      host_ms: this.#host_ms,
      changes: this.#changes_made,
    };
  }

  #pastWithin(budget_bytes: number): RunPast | null {
    if (budget_bytes === 0) return null;
    return new RunPast(this.#module, this.#calls, budget_bytes, this.#options.now_ms);
  }

  // --- Moves to another moment ---

  /**
   * Starts a journey from the nearest checkpoint before the target, or from here if that is nearer.
   */
  #setOut(id: number, to: Moment): Posted | typeof LATER {
    this.#noteFurthest();
    const here = this.#here();
    const first_events = this.#past?.first_events ?? null;
    if (this.#past === null || first_events === null) return no_moments;
    const target = targetOf(to, here, { first_events, furthest: this.#past.furthest });
    if ('refused' in target) return target;
    const keyframe = this.#past.nearest(({ events, note: { run_ns } }) =>
      isAtOrBefore({ events, run_ns }, target),
    )!;
    const is_over = over_states.includes(this.#runState());
    const returns = is_over || !isAtOrBefore(here, target) || keyframe.events > here.events;
    const from = returns ? { events: keyframe.events, run_ns: keyframe.note.run_ns } : here;
    const stops =
      'events' in target ? stopsBetween(from.events, target.events, this.#events_per_turn / 4) : [];
    this.#is_frozen = true;
    this.#journey = { id, target, from, stops };
    if (returns) this.#returnTo(keyframe);
    return LATER;
  }

  #here(): PlaceInRun {
    return { events: this.#calls.events(), run_ns: this.#currentRun_ns() };
  }

  #returnTo(keyframe: Keyframe<ServerPlace>): void {
    this.#past!.restore(keyframe);
    this.#takePlace(keyframe.note);
    const { reading } = keyframe.note;
    this.#rewinds += 1;
    this.#readings_unseen = 0;
    this.#has_ended = false;
    this.#paced_from = null;
    this.#segments_sent = Math.min(this.#segments_sent, this.#calls.lane_segments_written());
    this.#latch_events_sent = 0;
    this.#has_sent_latch_ring = false;
    const lane_segments = this.#segments_sent;
    const snapshot = this.#snapshot();
    this.#options.report(
      { kind: 'rewound', rewinds: this.#rewinds, reading, lane_segments, snapshot },
      transferables(snapshot),
    );
  }

  #takePlace(place: ServerPlace): void {
    const { reading, run_ns, next_reading_ns, events_at_reading, host_ms, changes } = place;
    this.#changes_made = changes;
    this.#readings_sent = reading;
    this.#run_ns = run_ns;
    this.#next_reading_ns = next_reading_ns;
    this.#events_at_reading = events_at_reading;
    this.#host_ms = host_ms;
  }

  #travel(journey: Journey): void {
    const began_ms = this.#options.now_ms();
    try {
      while (!this.#hasArrived(journey) && !this.#waitsForPage()) {
        this.#goTowards(journey);
        if (this.#options.now_ms() - began_ms >= TURN_MS) break;
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
    if ('run_ns' in target) {
      this.#runEvents(this.#events_per_turn, target.run_ns);
      return;
    }
    const [stop = target.events] = stops;
    if (!this.#runUntil(stop) || stops.length === 0) return;
    stops.shift();
    this.#keepMoment();
  }

  /** Runs at most one turn's worth of events. Returns whether the run has reached `events`. */
  #runUntil(events: number): boolean {
    this.#runEvents(Math.min(this.#events_per_turn, events - this.#calls.events()));
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
    const run_state = this.#runState();
    const is_halted = run_state === 'finished' || (run_state === 'running' && this.#is_frozen);
    const stands = is_halted && !this.#hasCommands();
    const has_moments = (this.#past?.first_events ?? null) !== null;
    return stands && has_moments && this.#lastOfRun() !== this.#prepared_for;
  }

  /** Returns the event count of the run's present moment, or of its end if it is over. */
  #lastOfRun(): number {
    const events = this.#calls.events();
    return over_states.includes(this.#runState()) ? (this.#past?.furthest.events ?? events) : events;
  }

  #prepare(): void {
    const began_ms = this.#options.now_ms();
    if (began_ms - this.#asked_at_ms < REST_MS) {
      this.#goOn('next_frame');
      return;
    }
    try {
      if (this.#preparation === null) this.#beginPreparation();
      while (this.#preparation !== null && this.#options.now_ms() - began_ms < TURN_MS)
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
    const findWay = () => past.wayTo(events, this.#readings_sent, this.#events_per_turn / 16);
    this.#prepared_for = events;
    const present = findWay() === null ? null : past.hold(this.#calls.events(), this.#place());
    if (present === null) return;
    // Making room for the present moment may have dropped the checkpoint at which the way would
    // have started.
    const way = findWay();
    if (way === null) {
      past.release(present);
      return;
    }
    this.#preparation = { present, has_ended: this.#has_ended, stops: way.stops };
    past.restore(way.from);
    this.#takePlace(way.from.note);
    this.#has_ended = false;
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
    const { present, has_ended } = this.#preparation!;
    this.#past!.restore(present);
    this.#takePlace(present.note);
    this.#has_ended = has_ended;
    this.#past!.release(present);
    this.#preparation = null;
  }

  /** Restores the present moment, because a request needs it. */
  #breakOffPreparation(): void {
    if (this.#preparation === null) return;
    this.#endPreparation();
    this.#prepared_for = -1;
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
    if (this.#has_ended || this.#runState() !== 'stopping') return false;
    this.#has_ended = true;
    return true;
  }

  /** Infinite while no clients run. */
  #nextReading_ns(): number {
    this.#noteGeneration();
    const is_read = this.#runState() === 'running' && this.#read_every_ns < Number.POSITIVE_INFINITY;
    return is_read ? this.#next_reading_ns : Number.POSITIVE_INFINITY;
  }

  /** Frozen time continues for as long as a command takes. */
  #hasWork(): boolean {
    const run_state = this.#runState();
    if (run_state === 'failed') return false;
    if (this.#journey !== null) return !this.#waitsForPage();
    if (this.#isPreparing() || this.#hasCommands()) return true;
    if (run_state === 'running') return !this.#is_frozen && !this.#waitsForPage();
    return !lasting_states.includes(run_state);
  }

  #waitsForPage(): boolean {
    return this.#readings_unseen >= READINGS_UNSEEN_MAX;
  }

  #hasCommands(): boolean {
    return this.#word('commands_done') !== this.#word('commands_posted');
  }

  #reportIfDue(): void {
    const interval_ms = Math.max(SNAPSHOT_INTERVAL_MS, this.#reporting_ms / SNAPSHOT_SHARE_MAX);
    const is_due = this.#options.now_ms() - this.#reported_at_ms >= interval_ms;
    if (is_due || this.#stateNow() !== this.#reported_state) this.#reportSnapshot();
  }

  #reportSnapshot(reading: Reading | null = null): void {
    const began_ms = this.#options.now_ms();
    const snapshot = this.#snapshot();
    this.#options.report({ kind: 'snapshot', snapshot, reading }, transferables(snapshot));
    this.#reported_at_ms = this.#options.now_ms();
    this.#reporting_ms = this.#reported_at_ms - began_ms;
    this.#reported_state = this.#stateNow();
  }

  /** The part of the state whose changes the page must see at once. */
  #stateNow(): string {
    return `${this.#runState()} ${this.#word('commands_done')}`;
  }

  #snapshot(): Snapshot {
    this.#noteGeneration();
    const memory = this.#module.wasmMemory.buffer;
    const run_state = this.#runState();
    const clock_ns = this.#clock_ns();
    this.#run_ns = Math.max(this.#run_ns, this.#currentRun_ns());
    const buffer = this.#copier.copy(memory, this.#block, {
      run_ns: this.#run_ns,
      run_state: run_state === 'running' && this.#is_frozen ? 'paused' : run_state,
    });
    return {
      block: { buffer, state_times: stateTimes(buffer, memory, this.#lane_totals, clock_ns) },
      readings: {
        run_ns: this.#run_ns,
        events: this.#calls.events(),
        host_ms: this.#host_ms,
        past: this.#pastReadings(),
      },
      lanes: this.#newSegments(memory, this.#generation),
      latch_events: this.#newLatchEvents(memory, this.#generation),
    };
  }

  #noteGeneration(): void {
    const generation = this.#word('run_generation');
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#segments_sent = 0;
    this.#latch_events_sent = 0;
    this.#has_sent_latch_ring = false;
    this.#run_ns = 0;
    this.#next_reading_ns = 0;
    this.#events_at_reading = -1;
    this.#has_ended = false;
    this.#prepared_for = -1;
    this.#changes = [];
    this.#changes_made = 0;
    this.#past?.beginAnew();
  }

  #newSegments(memory: ArrayBuffer, run_generation: number): LaneBatch {
    const written = this.#calls.lane_segments_written();
    const first = Math.max(this.#segments_sent, written - SEGMENTS_SENT_MAX);
    this.#segments_sent = written;
    const segments = copyOfRing(memory, this.#lane_segments, first, written, (bytes) =>
      this.#spare_segments.take(bytes, (spare) => spare.byteLength >= bytes),
    );
    return { run_generation, first, segments, clock_less_run_ns: this.#clockLessRun_ns() };
  }

  /**
   * Returns the newest events while time runs. Once it has stopped, returns all events in the ring,
   * which replace those sent before. How many of those the page has depends on the speed of both.
   */
  #newLatchEvents(memory: ArrayBuffer, run_generation: number): LatchEventBatch {
    const written = this.#calls.latch_events_written();
    const oldest_kept = Math.max(0, written - this.#latch_events.records);
    // Does not apply during a journey, where the events that the page gets depend on its speed.
    const stands = this.#journey === null && (this.#is_frozen || this.#runState() !== 'running');
    const is_whole_ring = stands && !(this.#has_sent_latch_ring && this.#latch_events_sent >= oldest_kept);
    const newest_from = stands ? oldest_kept : written - LATCH_EVENTS_SENT_MAX;
    const first = is_whole_ring ? oldest_kept : Math.max(this.#latch_events_sent, newest_from);
    this.#has_sent_latch_ring = stands;
    this.#latch_events_sent = written;
    const events = copyOfRing(memory, this.#latch_events, first, written).buffer;
    const clock_less_run_ns = this.#clockLessRun_ns();
    const watched = this.#watchedLatches(memory);
    return { run_generation, first, is_whole_ring, events, watched, clock_less_run_ns };
  }

  #watchedLatches(memory: ArrayBuffer): WatchedLatch[] {
    const { address, records, record_bytes } = this.#watched_latches;
    const view = new DataView(memory, address, records * record_bytes);
    return Array.from({ length: records }, (_, place) => ({
      latch: readField(view, place * record_bytes, watched_latch.fields.latch),
      since_event: readField(view, place * record_bytes, watched_latch.fields.since_event),
    })).filter(({ latch }) => latch !== 0);
  }

  #clockLessRun_ns(): number {
    return this.#u64('clock_ns') - this.#u64('run_ns');
  }

  // The coordinator publishes run time every few virtual milliseconds. In between, add the clock's
  // advance.
  #currentRun_ns(): number {
    const written_ns = this.#u64('run_ns');
    if (this.#runState() !== 'running') return written_ns;
    return written_ns + Math.max(0, this.#clock_ns() - this.#u64('clock_ns'));
  }

  /** Converts a run time to the clock, assuming that clients run until then. */
  #clockAt_ns(run_ns: number): number {
    return this.#u64('clock_ns') + run_ns - this.#u64('run_ns');
  }

  #clock_ns(): number {
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
const LATER = Symbol('later');

const no_moments: Posted = {
  refused: {
    outcome: 'wrong_value',
    errors: [{ field: 'keyframes', value: '0', allowed: 'a run with checkpoints' }],
  },
};

const nextMultiple = (value: number, of: number) => (Math.floor(value / of) + 1) * of;

const transferables = ({ block, lanes, latch_events }: Snapshot) => [
  block.buffer,
  lanes.segments.buffer,
  latch_events.events,
];
