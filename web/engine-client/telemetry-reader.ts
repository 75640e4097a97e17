import type { Mark } from '../contract/telemetry-states';
import {
  histogram,
  layout,
  long_waits,
  mark_kinds,
  thread_kinds,
  run_states,
  stack as stackBits,
  thread_histogram,
  thread_states,
} from '../contract/gen/telemetry-layout';
import { outcomes } from '../contract/gen/engine-abi';
import { busy_states, isKnownState } from '../contract/time-shares';
import {
  counterIndex,
  countersRead,
  latchSiteFields,
  type CounterName,
  type Header,
  type LatchUse,
  type CommandOutcome,
  type Names,
  type NewLines,
  type RunThread,
  type Snapshot,
  type SampledThread,
} from './snapshot';
import { LogLinearBuckets } from './log-linear-buckets';
import { TelemetryWords } from './telemetry-words';

const CLIENT_KIND = thread_kinds.indexOf('client');
/** The thread that runs commands and samples; it is not part of the server. */
const COORDINATOR_KIND = thread_kinds.indexOf('coordinator');
const STACK_COPY_TRIES = 8;
type LineRing = typeof layout.log_lines | typeof layout.intervals;
const absent = thread_states.indexOf('absent');

/** Location of a telemetry block: the engine's own block, as the C ABI reports it, or a copy. */
export interface BlockPlace {
  buffer: ArrayBufferLike;
  address: number;
  bytes: number;
  /**
   * Exact times per thread state, if the engine accounts for them. Otherwise the page samples
   * states.
   */
  stateTimes?: StateTimes;
}

/** Exact thread states of a modeled server. States are indices into `thread_states`. */
export interface StateTimes {
  /** Total nanoseconds of all clients in each state. */
  clients: Float64Array;
  /** The same for the server's own threads. */
  servers: Float64Array;
  /** The present state of each thread, by slot. */
  now: Uint8Array;
}

/** Initial counts: 0, or NaN for states that samples cannot detect. */
const noSamples = () =>
  Float64Array.from(thread_states, (state) =>
    busy_states.some((busy) => busy === state && !isKnownState(busy, false)) ? Number.NaN : 0,
  );

const latencyBuckets = new LogLinearBuckets(histogram);
const threadBuckets = new LogLinearBuckets(thread_histogram);
/** Maps each bucket of a thread's histogram to the snapshot's bucket that contains its middle. */
const bucketOfThreadBucket = Uint16Array.from({ length: thread_histogram.buckets }, (_, bucket) =>
  latencyBuckets.of(threadBuckets.middleNs(bucket)),
);

const maskOf = (bits: number) => 2 ** bits - 1;
const depthMask = maskOf(stackBits.depth_bits);
const functionMask = maskOf(stackBits.function_bits);
const stampMask = maskOf(stackBits.stamp_bits);
const callerShift = stackBits.function_bits + stackBits.stamp_bits;

/**
 * Samples a telemetry block that the engine's threads write. Reading never disturbs them.
 * wasm-engine/telemetry/publish.h explains how a reader detects a torn copy; its tests repeat the
 * algorithm used here.
 */
export class TelemetryReader {
  #words!: TelemetryWords;
  #threadSlots = 0;
  #stateTimes: StateTimes | null = null;
  readonly #frames = new Uint32Array(layout.threads.fields.frames.count);
  readonly #clientStates = noSamples();
  readonly #serverStates = noSamples();
  // Totals outlive their threads until the next run, so a slot stays in the sums once it was used.
  readonly #usedSlots = new Set<number>();
  #generation = 0;
  #names: { counts: number[]; names: Names } | null = null;

  constructor(place: BlockPlace) {
    this.attach(place);
  }

  /**
   * Reads from this block from now on. Throws `LayoutMismatch` if this page was built for another
   * layout.
   */
  attach({ buffer, address, bytes, stateTimes }: BlockPlace): void {
    const words = new TelemetryWords(buffer, address, bytes);
    const { magic, layout_hash, thread_slots } = layout.header.fields;
    refuseUnlessEqual('magic', words.u32(magic.offset), layout.magic);
    refuseUnlessEqual('layout_hash', words.u32(layout_hash.offset), layout.hash);
    // Platforms differ in their maximum number of threads, and a copy omits the slots that a run
    // does not use.
    const slots = words.u32(thread_slots.offset);
    refuseUnlessEqual('size in bytes', bytes, layout.threads.offset + slots * layout.threads.stride);
    this.#words = words;
    this.#threadSlots = slots;
    this.#stateTimes = stateTimes ?? null;
  }

  /** Drops cached names. At another moment of its run, the engine may have other names. */
  forgetNames(): void {
    this.#names = null;
  }

  header(): Header {
    const { fields } = layout.header;
    return {
      runGeneration: this.#words.u32(fields.run_generation.offset),
      runState: run_states[this.#words.u32(fields.run_state.offset)] ?? 'failed',
      commandsPosted: this.#words.u32(fields.commands_posted.offset),
      commandsDone: this.#words.u32(fields.commands_done.offset),
      marksCount: this.#words.u32(fields.marks_count.offset),
      logLinesCount: this.#words.u32(fields.log_lines_count.offset),
      intervalsCount: this.#words.u32(fields.intervals_count.offset),
      runNs: this.#words.u64(fields.run_ns.offset),
      clientThreads: this.#words.u32(fields.client_threads.offset),
      longWait: long_waits[this.#words.u32(fields.long_wait.offset)] ?? 'none',
      longWaitDone: this.#words.u64(fields.long_wait_done.offset),
      longWaitTotal: this.#words.u64(fields.long_wait_total.offset),
    };
  }

  /** Returns the outcome of the last processed command. */
  commandOutcome(): CommandOutcome {
    const number = this.#words.u32(layout.header.fields.command_outcome.offset);
    return { outcome: outcomes[number]!, why: this.#headerText('error_text') };
  }

  /** Returns why the engine failed, in run state `failed`. */
  failureText(): string {
    return this.#headerText('failure_text');
  }

  /**
   * Samples the state of each thread that `read()` has found. Call it often, so that shares of
   * states are meaningful.
   */
  sampleStates(): void {
    if (this.#stateTimes !== null) return;
    this.#startAgainAfterNewRun();
    const { state, kind } = layout.threads.fields;
    for (const slot of this.#usedSlots) {
      const seen = this.#words.u32(slot + state.offset);
      const ofKind = this.#words.u32(slot + kind.offset);
      if (seen === absent || ofKind === COORDINATOR_KIND) continue;
      const counts = ofKind === CLIENT_KIND ? this.#clientStates : this.#serverStates;
      counts[seen] = counts[seen]! + 1;
    }
  }

  /** Reads all totals. */
  read(into: Snapshot, readAtMs: number): void {
    this.#startAgainAfterNewRun();
    const { fields } = layout.header;
    into.runGeneration = this.#generation;
    into.readAtMs = readAtMs;
    into.runNs = this.#words.u64(fields.run_ns.offset);
    into.clientThreads = this.#words.u32(fields.client_threads.offset);
    into.stackSamples = this.#words.u32(fields.stack_samples.offset);
    into.clientStates.set(this.#stateTimes?.clients ?? this.#clientStates);
    into.serverStates.set(this.#stateTimes?.servers ?? this.#serverStates);
    into.counters.fill(0);
    into.histogram.fill(0);
    into.latchSites.fill(0);
    if (this.#stateTimes !== null) this.#addModeledLatencies(into);
    for (const slot of this.#liveSlots()) this.#usedSlots.add(slot);
    for (const slot of this.#usedSlots) this.#addThread(slot, into);
  }

  /**
   * Samples each thread that is not parked. `frames` has the `depth` functions of its stack,
   * outermost first. `depth` is 0 if the stack kept changing. The array is reused.
   */
  visitThreads(visit: (sample: SampledThread, frames: Uint32Array, depth: number) => void): void {
    const { ordinal, wait_site, wait_latch } = layout.threads.fields;
    for (const { slot, isClient } of this.#serverThreads()) {
      const seen = thread_states[this.#stateOf(slot)] ?? 'absent';
      if (seen === 'absent' || seen === 'parked') continue;
      const waitsFor = this.#latchUse(slot + wait_site.offset, slot + wait_latch.offset);
      const which = this.#words.u32(slot + ordinal.offset);
      const sample = { isClient, ordinal: which, state: seen, waitsFor, holds: this.#heldLatches(slot) };
      visit(sample, this.#frames, this.#copyStack(slot));
    }
  }

  /** Returns a counter of each client of this run, including clients whose thread has ended. */
  clientCounters(name: CounterName): number[] {
    const { offset, stride, fields } = layout.threads;
    const counter = fields.counters.offset + counterIndex(name) * 8;
    return Array.from({ length: this.header().clientThreads }, (_, client) =>
      this.#words.u64(offset + client * stride + counter),
    );
  }

  /** Returns clients and the server's own threads in slot order, including ended ones. */
  threadsOfRun(): RunThread[] {
    const { offset, stride, fields } = layout.threads;
    const clients = this.header().clientThreads;
    return Array.from({ length: this.#threadSlots }, (_, slot) => {
      const at = offset + slot * stride;
      const hasBegun = this.#words.u32(at + fields.stack_word.offset) > 0;
      const thread: RunThread = {
        slot,
        isClient: slot < clients,
        state: this.#stateOf(at),
        beganWith: hasBegun ? this.#words.u32(at + fields.frames.offset) & functionMask : null,
      };
      const isCoordinator = this.#words.u32(at + fields.kind.offset) === COORDINATOR_KIND;
      return isCoordinator || !(thread.isClient || hasBegun) ? null : thread;
    }).filter((thread) => thread !== null);
  }

  /**
   * Returns the available lines from number `first` on, oldest first. The first line of a run has
   * number 0.
   */
  logLinesFrom(first: number): NewLines {
    return this.#linesFrom(first, this.header().logLinesCount, layout.log_lines);
  }

  /** Returns intervals in the same way, each as the JSON that the run result contains. */
  intervalsFrom(first: number): NewLines {
    return this.#linesFrom(first, this.header().intervalsCount, layout.intervals);
  }

  /** Returns the marks from number `first` on that the block still holds, oldest first. */
  marksFrom(first: number): Mark[] {
    const { marks_count } = layout.header.fields;
    const count = this.#words.u32(marks_count.offset);
    const marks: Mark[] = [];
    const oldestKept = Math.max(0, count - layout.marks.count);
    for (let number = Math.max(first, oldestKept); number < count; number += 1)
      marks.push(this.#mark(number));
    // The engine may be writing the next mark over the oldest.
    const countAfter = this.#words.u32(marks_count.offset);
    return marks.filter(({ number }) => number + layout.marks.count > countAfter);
  }

  /** Returns the names known now. Returns the same object until there are more. */
  names(): Names {
    const { functions_count, latches_count, latch_sites_count } = layout.header.fields;
    const counts = [functions_count, latches_count, latch_sites_count].map(({ offset }) =>
      this.#words.u32(offset),
    );
    if (this.#names === null || counts.some((count, i) => count !== this.#names!.counts[i]))
      this.#names = { counts, names: this.#readNames(counts) };
    return this.#names.names;
  }

  #readNames([functions, latches, latchSites]: number[]): Names {
    const { latch, function: functionField } = layout.latch_sites.fields;
    return {
      functions: this.#nameTable(layout.functions, functions!),
      latches: this.#nameTable(layout.latches, latches!),
      latchSites: Array.from({ length: latchSites! }, (_, index) => {
        const entry = layout.latch_sites.offset + index * layout.latch_sites.stride;
        return {
          latch: this.#words.u32(entry + latch.offset),
          function: this.#words.u32(entry + functionField.offset),
        };
      }),
    };
  }

  #startAgainAfterNewRun(): void {
    const generation = this.#words.u32(layout.header.fields.run_generation.offset);
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#clientStates.set(noSamples());
    this.#serverStates.set(noSamples());
    this.#usedSlots.clear();
    this.#names = null;
  }

  /** Returns the engine's exact state if available, else the state that the thread published. */
  #stateOf(offset: number): number {
    const { offset: first, stride, fields } = layout.threads;
    const said = this.#words.u32(offset + fields.state.offset);
    return this.#stateTimes?.now[(offset - first) / stride] ?? said;
  }

  /** Yields the offsets of slots that have a thread. */
  *#liveSlots(): Generator<number> {
    const { offset, stride, fields } = layout.threads;
    for (let index = 0; index < this.#threadSlots; index += 1) {
      const slot = offset + index * stride;
      if (this.#words.u32(slot + fields.state.offset) !== absent) yield slot;
    }
  }

  /** Yields clients and the server's own threads. */
  *#serverThreads(): Generator<{ slot: number; isClient: boolean }> {
    for (const slot of this.#liveSlots()) {
      const kind = this.#words.u32(slot + layout.threads.fields.kind.offset);
      if (kind !== COORDINATOR_KIND) yield { slot, isClient: kind === CLIENT_KIND };
    }
  }

  #addThread(slot: number, sums: Snapshot): void {
    const { counters: counterField, histogram: histogramField } = layout.threads.fields;
    const sitesUsed = this.#words.u32(layout.header.fields.latch_sites_count.offset);
    const siteWords = sitesUsed * latchSiteFields.length;
    this.#words.addU64s(slot + counterField.offset, countersRead, sums.counters);
    // A modeled server counts all latencies in one place.
    if (this.#stateTimes === null)
      this.#words.addU32sAt(bucketOfThreadBucket, slot + histogramField.offset, sums.histogram);
    this.#words.addU64s(slot + layout.thread_latch_sites.offset, siteWords, sums.latchSites);
  }

  /** Adds the latencies of a modeled server, which counts them all in one place. */
  #addModeledLatencies({ histogram: sums }: Snapshot): void {
    const { offset, fields } = layout.latencies;
    this.#words.addU32s(offset + fields.counts.offset, fields.counts.count, sums);
  }

  #heldLatches(slot: number): LatchUse[] {
    const { held_count, held, held_latches } = layout.threads.fields;
    const count = Math.min(this.#words.u32(slot + held_count.offset), held.count);
    return Array.from({ length: count }, (_, i) =>
      this.#latchUse(slot + held.offset + i * 4, slot + held_latches.offset + i * 4),
    ).filter((use) => use !== null);
  }

  /** The block numbers sites from 1; 0 means none. */
  #latchUse(siteOffset: number, latchOffset: number): LatchUse | null {
    const site = this.#words.u32(siteOffset);
    return site === 0 ? null : { site: site - 1, latch: this.#words.u32(latchOffset) };
  }

  #linesFrom(first: number, count: number, ring: LineRing): NewLines {
    const oldestKept = Math.max(0, count - ring.count);
    const lines: string[] = [];
    for (let number = Math.max(first, oldestKept); number < count; number += 1) {
      const line = this.#line(number, ring);
      if (line !== null) lines.push(line);
    }
    const next = Math.max(first, count);
    return { lines, missed: next - first - lines.length, next };
  }

  /** Returns null if a later line overwrote this one before or during the read. */
  #line(number: number, { fields, offset, stride, count }: LineRing): string | null {
    const entry = offset + (number % count) * stride;
    const hasItsNumber = () => this.#words.u32(entry + fields.sequence.offset) === number + 1;
    if (!hasItsNumber()) return null;
    const line = this.#words.text(entry + fields.text.offset, fields.text.count);
    return hasItsNumber() ? line : null;
  }

  /**
   * Copies a consistent stack into #frames and returns its depth. Returns 0 if the stack changed
   * during every try.
   */
  #copyStack(slot: number): number {
    const { stack_word, frames } = layout.threads.fields;
    for (let tries = 0; tries < STACK_COPY_TRIES; tries += 1) {
      const before = this.#words.u32(slot + stack_word.offset);
      const depth = Math.min(before & depthMask, frames.count);
      const isWhole = this.#copyFrames(slot + frames.offset, depth);
      if (isWhole && this.#words.u32(slot + stack_word.offset) === before) return depth;
    }
    return 0;
  }

  /**
   * Returns whether the frames were on the stack together: each records the change that pushed its
   * caller.
   */
  #copyFrames(offset: number, depth: number): boolean {
    let callerStamp = 0;
    for (let i = 0; i < depth; i += 1) {
      const frame = this.#words.u32(offset + i * 4);
      const hasArrived = frame !== 0;
      if (!hasArrived || (i > 0 && frame >>> callerShift !== callerStamp)) return false;
      this.#frames[i] = frame & functionMask;
      callerStamp = (frame >>> stackBits.function_bits) & stampMask;
    }
    return true;
  }

  #headerText(field: 'error_text' | 'failure_text'): string {
    const { offset, count } = layout.header.fields[field];
    return this.#words.text(offset, count);
  }

  #mark(number: number): Mark {
    const { fields, offset, stride, count } = layout.marks;
    const entry = offset + (number % count) * stride;
    return {
      number,
      run_ns: this.#words.u64(entry + fields.run_ns.offset),
      kind: mark_kinds[this.#words.u32(entry + fields.kind.offset)] ?? 'action',
      subject: this.#words.u32(entry + fields.subject.offset),
      value: this.#words.u32(entry + fields.value.offset),
      stopped_us: this.#words.u32(entry + fields.stopped_us.offset),
      step_ns: this.#words.u64(entry + fields.step_ns.offset),
      is_by_hand: this.#words.u32(entry + fields.is_by_hand.offset) === 1,
    };
  }

  #nameTable(table: typeof layout.functions | typeof layout.latches, count: number): string[] {
    const { text } = table.fields;
    return Array.from({ length: count }, (_, index) =>
      this.#words.text(table.offset + index * table.stride + text.offset, text.count),
    );
  }
}

export class LayoutMismatch extends Error {
  constructor(field: string, value: number, allowed: number) {
    super(
      `The engine's telemetry block does not match this page: ${field} is ${value}; allowed: ${allowed}. ` +
        'Build the page and the engine together.',
    );
    this.name = 'LayoutMismatch';
  }
}

function refuseUnlessEqual(field: string, value: number, allowed: number): void {
  if (value !== allowed) throw new LayoutMismatch(field, value, allowed);
}
