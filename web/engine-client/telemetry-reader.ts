import type { Mark } from '../contract/mark';
import {
  counters,
  histogram,
  layout,
  long_waits,
  mark_kinds,
  thread_kinds,
  run_states,
  stack as stack_bits,
  thread_histogram,
  thread_states,
} from '../contract/gen/telemetry-layout';
import { outcomes } from '../contract/gen/engine-abi';
import { busy_states, isKnownState } from '../contract/time-shares';
import {
  counterIndex,
  latch_site_fields,
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
  state_times?: StateTimes;
}

/** Exact thread states of a modelled server. States are indices into `thread_states`. */
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

const latency_buckets = new LogLinearBuckets(histogram);
const thread_buckets = new LogLinearBuckets(thread_histogram);
/** Maps each bucket of a thread's histogram to the snapshot's bucket that contains its middle. */
const bucket_of_thread_bucket = Uint16Array.from({ length: thread_histogram.buckets }, (_, bucket) =>
  latency_buckets.of(thread_buckets.middle_ns(bucket)),
);

const maskOf = (bits: number) => 2 ** bits - 1;
const depth_mask = maskOf(stack_bits.depth_bits);
const function_mask = maskOf(stack_bits.function_bits);
const stamp_mask = maskOf(stack_bits.stamp_bits);
const caller_shift = stack_bits.function_bits + stack_bits.stamp_bits;

/**
 * Samples a telemetry block that the engine's threads write. Reading never disturbs them.
 * wasm-engine/telemetry/publish.h explains how a reader detects a torn copy; its tests repeat the
 * algorithm used here.
 */
export class TelemetryReader {
  #words!: TelemetryWords;
  #thread_slots = 0;
  #state_times: StateTimes | null = null;
  readonly #frames = new Uint32Array(layout.threads.fields.frames.count);
  readonly #client_states = noSamples();
  readonly #server_states = noSamples();
  // Totals outlive their threads until the next run, so a slot stays in the sums once it was used.
  readonly #used_slots = new Set<number>();
  #generation = 0;
  #names: { counts: number[]; names: Names } | null = null;

  constructor(place: BlockPlace) {
    this.attach(place);
  }

  /**
   * Reads from this block from now on. Throws `LayoutMismatch` if this page was built for another
   * layout.
   */
  attach({ buffer, address, bytes, state_times }: BlockPlace): void {
    const words = new TelemetryWords(buffer, address, bytes);
    const { magic, layout_hash, thread_slots } = layout.header.fields;
    refuseUnlessEqual('magic', words.u32(magic.offset), layout.magic);
    refuseUnlessEqual('layout_hash', words.u32(layout_hash.offset), layout.hash);
    // Platforms differ in their maximum number of threads, and a copy omits the slots that a run
    // does not use.
    const slots = words.u32(thread_slots.offset);
    refuseUnlessEqual('size in bytes', bytes, layout.threads.offset + slots * layout.threads.stride);
    this.#words = words;
    this.#thread_slots = slots;
    this.#state_times = state_times ?? null;
  }

  /** Drops cached names. At another moment of its run, the engine may have other names. */
  forgetNames(): void {
    this.#names = null;
  }

  header(): Header {
    const { fields } = layout.header;
    return {
      run_generation: this.#words.u32(fields.run_generation.offset),
      run_state: run_states[this.#words.u32(fields.run_state.offset)] ?? 'failed',
      commands_posted: this.#words.u32(fields.commands_posted.offset),
      commands_done: this.#words.u32(fields.commands_done.offset),
      marks_count: this.#words.u32(fields.marks_count.offset),
      log_lines_count: this.#words.u32(fields.log_lines_count.offset),
      intervals_count: this.#words.u32(fields.intervals_count.offset),
      run_ns: this.#words.u64(fields.run_ns.offset),
      client_threads: this.#words.u32(fields.client_threads.offset),
      long_wait: long_waits[this.#words.u32(fields.long_wait.offset)] ?? 'none',
      long_wait_done: this.#words.u64(fields.long_wait_done.offset),
      long_wait_total: this.#words.u64(fields.long_wait_total.offset),
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
    if (this.#state_times !== null) return;
    this.#startAgainAfterNewRun();
    const { state, kind } = layout.threads.fields;
    for (const slot of this.#used_slots) {
      const seen = this.#words.u32(slot + state.offset);
      const of_kind = this.#words.u32(slot + kind.offset);
      if (seen === absent || of_kind === COORDINATOR_KIND) continue;
      const counts = of_kind === CLIENT_KIND ? this.#client_states : this.#server_states;
      counts[seen] = counts[seen]! + 1;
    }
  }

  /** Reads all totals. */
  read(into: Snapshot, read_at_ms: number): void {
    this.#startAgainAfterNewRun();
    const { fields } = layout.header;
    into.run_generation = this.#generation;
    into.read_at_ms = read_at_ms;
    into.run_ns = this.#words.u64(fields.run_ns.offset);
    into.client_threads = this.#words.u32(fields.client_threads.offset);
    into.stack_samples = this.#words.u32(fields.stack_samples.offset);
    into.client_states.set(this.#state_times?.clients ?? this.#client_states);
    into.server_states.set(this.#state_times?.servers ?? this.#server_states);
    into.counters.fill(0);
    into.histogram.fill(0);
    into.latch_sites.fill(0);
    if (this.#state_times !== null) this.#addModelledLatencies(into);
    for (const slot of this.#liveSlots()) this.#used_slots.add(slot);
    for (const slot of this.#used_slots) this.#addThread(slot, into);
  }

  /**
   * Samples each thread that is not parked. `frames` has the `depth` functions of its stack,
   * outermost first. `depth` is 0 if the stack kept changing. The array is reused.
   */
  visitThreads(visit: (sample: SampledThread, frames: Uint32Array, depth: number) => void): void {
    const { ordinal, wait_site, wait_latch } = layout.threads.fields;
    for (const { slot, is_client } of this.#serverThreads()) {
      const seen = thread_states[this.#stateOf(slot)] ?? 'absent';
      if (seen === 'absent' || seen === 'parked') continue;
      const waits_for = this.#latchUse(slot + wait_site.offset, slot + wait_latch.offset);
      const which = this.#words.u32(slot + ordinal.offset);
      const sample = { is_client, ordinal: which, state: seen, waits_for, holds: this.#heldLatches(slot) };
      visit(sample, this.#frames, this.#copyStack(slot));
    }
  }

  /** Returns a counter of each client of this run, including clients whose thread has ended. */
  clientCounters(name: CounterName): number[] {
    const { offset, stride, fields } = layout.threads;
    const counter = fields.counters.offset + counterIndex(name) * 8;
    return Array.from({ length: this.header().client_threads }, (_, client) =>
      this.#words.u64(offset + client * stride + counter),
    );
  }

  /** Returns clients and the server's own threads in slot order, including ended ones. */
  threadsOfRun(): RunThread[] {
    const { offset, stride, fields } = layout.threads;
    const clients = this.header().client_threads;
    return Array.from({ length: this.#thread_slots }, (_, slot) => {
      const at = offset + slot * stride;
      const has_begun = this.#words.u32(at + fields.stack_word.offset) > 0;
      const thread: RunThread = {
        slot,
        is_client: slot < clients,
        state: this.#stateOf(at),
        began_with: has_begun ? this.#words.u32(at + fields.frames.offset) & function_mask : null,
      };
      const is_coordinator = this.#words.u32(at + fields.kind.offset) === COORDINATOR_KIND;
      return is_coordinator || !(thread.is_client || has_begun) ? null : thread;
    }).filter((thread) => thread !== null);
  }

  /**
   * Returns the available lines from number `first` on, oldest first. The first line of a run has
   * number 0.
   */
  logLinesFrom(first: number): NewLines {
    return this.#linesFrom(first, this.header().log_lines_count, layout.log_lines);
  }

  /** Returns intervals in the same way, each as the JSON that the run result contains. */
  intervalsFrom(first: number): NewLines {
    return this.#linesFrom(first, this.header().intervals_count, layout.intervals);
  }

  /** Returns the marks from number `first` on that the block still holds, oldest first. */
  marksFrom(first: number): Mark[] {
    const { marks_count } = layout.header.fields;
    const count = this.#words.u32(marks_count.offset);
    const marks: Mark[] = [];
    const oldest_kept = Math.max(0, count - layout.marks.count);
    for (let number = Math.max(first, oldest_kept); number < count; number += 1)
      marks.push(this.#mark(number));
    // The engine may be writing the next mark over the oldest.
    const count_after = this.#words.u32(marks_count.offset);
    return marks.filter(({ number }) => number + layout.marks.count > count_after);
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

  #readNames([functions, latches, latch_sites]: number[]): Names {
    const { latch, function: function_field } = layout.latch_sites.fields;
    return {
      functions: this.#nameTable(layout.functions, functions!),
      latches: this.#nameTable(layout.latches, latches!),
      latch_sites: Array.from({ length: latch_sites! }, (_, index) => {
        const entry = layout.latch_sites.offset + index * layout.latch_sites.stride;
        return {
          latch: this.#words.u32(entry + latch.offset),
          function: this.#words.u32(entry + function_field.offset),
        };
      }),
    };
  }

  #startAgainAfterNewRun(): void {
    const generation = this.#words.u32(layout.header.fields.run_generation.offset);
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#client_states.set(noSamples());
    this.#server_states.set(noSamples());
    this.#used_slots.clear();
    this.#names = null;
  }

  /** Returns the engine's exact state if available, else the state that the thread published. */
  #stateOf(offset: number): number {
    const { offset: first, stride, fields } = layout.threads;
    const said = this.#words.u32(offset + fields.state.offset);
    return this.#state_times?.now[(offset - first) / stride] ?? said;
  }

  /** Yields the offsets of slots that have a thread. */
  *#liveSlots(): Generator<number> {
    const { offset, stride, fields } = layout.threads;
    for (let index = 0; index < this.#thread_slots; index += 1) {
      const slot = offset + index * stride;
      if (this.#words.u32(slot + fields.state.offset) !== absent) yield slot;
    }
  }

  /** Yields clients and the server's own threads. */
  *#serverThreads(): Generator<{ slot: number; is_client: boolean }> {
    for (const slot of this.#liveSlots()) {
      const kind = this.#words.u32(slot + layout.threads.fields.kind.offset);
      if (kind !== COORDINATOR_KIND) yield { slot, is_client: kind === CLIENT_KIND };
    }
  }

  #addThread(slot: number, sums: Snapshot): void {
    const { counters: counter_field, histogram: histogram_field } = layout.threads.fields;
    const sites_used = this.#words.u32(layout.header.fields.latch_sites_count.offset);
    const site_words = sites_used * latch_site_fields.length;
    this.#words.addU64s(slot + counter_field.offset, counters.length, sums.counters);
    // A modelled server counts all latencies in one place.
    if (this.#state_times === null)
      this.#words.addU32sAt(bucket_of_thread_bucket, slot + histogram_field.offset, sums.histogram);
    this.#words.addU64s(slot + layout.thread_latch_sites.offset, site_words, sums.latch_sites);
  }

  /** Adds the latencies of a modelled server, which counts them all in one place. */
  #addModelledLatencies({ histogram: sums }: Snapshot): void {
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
  #latchUse(site_offset: number, latch_offset: number): LatchUse | null {
    const site = this.#words.u32(site_offset);
    return site === 0 ? null : { site: site - 1, latch: this.#words.u32(latch_offset) };
  }

  #linesFrom(first: number, count: number, ring: LineRing): NewLines {
    const oldest_kept = Math.max(0, count - ring.count);
    const lines: string[] = [];
    for (let number = Math.max(first, oldest_kept); number < count; number += 1) {
      const line = this.#line(number, ring);
      if (line !== null) lines.push(line);
    }
    const next = Math.max(first, count);
    return { lines, missed: next - first - lines.length, next };
  }

  /** Returns null if a later line overwrote this one before or during the read. */
  #line(number: number, { fields, offset, stride, count }: LineRing): string | null {
    const entry = offset + (number % count) * stride;
    const has_its_number = () => this.#words.u32(entry + fields.sequence.offset) === number + 1;
    if (!has_its_number()) return null;
    const line = this.#words.text(entry + fields.text.offset, fields.text.count);
    return has_its_number() ? line : null;
  }

  /**
   * Copies a consistent stack into #frames and returns its depth. Returns 0 if the stack changed
   * during every try.
   */
  #copyStack(slot: number): number {
    const { stack_word, frames } = layout.threads.fields;
    for (let tries = 0; tries < STACK_COPY_TRIES; tries += 1) {
      const before = this.#words.u32(slot + stack_word.offset);
      const depth = Math.min(before & depth_mask, frames.count);
      const is_whole = this.#copyFrames(slot + frames.offset, depth);
      if (is_whole && this.#words.u32(slot + stack_word.offset) === before) return depth;
    }
    return 0;
  }

  /**
   * Returns whether the frames were on the stack together: each records the change that pushed its
   * caller.
   */
  #copyFrames(offset: number, depth: number): boolean {
    let caller_stamp = 0;
    for (let i = 0; i < depth; i += 1) {
      const frame = this.#words.u32(offset + i * 4);
      const has_arrived = frame !== 0;
      if (!has_arrived || (i > 0 && frame >>> caller_shift !== caller_stamp)) return false;
      this.#frames[i] = frame & function_mask;
      caller_stamp = (frame >>> stack_bits.function_bits) & stamp_mask;
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
