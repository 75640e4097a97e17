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
/** The thread that carries out commands and samples; it is no part of the server. */
const COORDINATOR_KIND = thread_kinds.indexOf('coordinator');
const STACK_COPY_TRIES = 8;
type LineRing = typeof layout.log_lines | typeof layout.intervals;
const absent = thread_states.indexOf('absent');

/** A telemetry block: the engine's own, as the C ABI tells, or a copy. */
export interface BlockPlace {
  buffer: ArrayBufferLike;
  address: number;
  bytes: number;
  /** Where the engine itself keeps account of what threads do; else the page samples them. */
  state_times?: StateTimes;
}

/** What a modelled server knows of its threads; states are indices into `thread_states`. */
export interface StateTimes {
  /** Nanoseconds for which all clients were in each state. */
  clients: Float64Array;
  /** The same of the server's own threads. */
  servers: Float64Array;
  /** The state of each thread now, by its slot. */
  now: Uint8Array;
}

/** What no sample can tell is no number. */
const noSamples = () =>
  Float64Array.from(thread_states, (state) =>
    busy_states.some((busy) => busy === state && !isKnownState(busy, false)) ? Number.NaN : 0,
  );

const latency_buckets = new LogLinearBuckets(histogram);
const thread_buckets = new LogLinearBuckets(thread_histogram);
/** In which bucket of a snapshot the latencies of a thread's own bucket are counted: where its middle is. */
const bucket_of_thread_bucket = Uint16Array.from({ length: thread_histogram.buckets }, (_, bucket) =>
  latency_buckets.of(thread_buckets.middle_ns(bucket)),
);

const maskOf = (bits: number) => 2 ** bits - 1;
const depth_mask = maskOf(stack_bits.depth_bits);
const function_mask = maskOf(stack_bits.function_bits);
const stamp_mask = maskOf(stack_bits.stamp_bits);
const caller_shift = stack_bits.function_bits + stack_bits.stamp_bits;

/**
 * Samples a telemetry block that the engine's threads write. Reading never disturbs them. How a copy that is torn gives itself
 * away: wasm-engine/telemetry/publish.h, whose tests repeat what is done here.
 */
export class TelemetryReader {
  #words!: TelemetryWords;
  #thread_slots = 0;
  #state_times: StateTimes | null = null;
  readonly #frames = new Uint32Array(layout.threads.fields.frames.count);
  readonly #client_states = noSamples();
  readonly #server_states = noSamples();
  // Totals outlive their threads until the next run, so a slot once used stays in the sums.
  readonly #used_slots = new Set<number>();
  #generation = 0;
  #names: { counts: number[]; names: Names } | null = null;

  constructor(place: BlockPlace) {
    this.attach(place);
  }

  /** Reads from this block from now on. Refuses one that was not laid out as this page's build knows it. */
  attach({ buffer, address, bytes, state_times }: BlockPlace): void {
    const words = new TelemetryWords(buffer, address, bytes);
    const { magic, layout_hash, thread_slots } = layout.header.fields;
    refuseUnlessEqual('magic', words.u32(magic.offset), layout.magic);
    refuseUnlessEqual('layout_hash', words.u32(layout_hash.offset), layout.hash);
    // The platforms differ in the number of threads that they can have, and a copy leaves out those that a run has not.
    const slots = words.u32(thread_slots.offset);
    refuseUnlessEqual('size in bytes', bytes, layout.threads.offset + slots * layout.threads.stride);
    this.#words = words;
    this.#thread_slots = slots;
    this.#state_times = state_times ?? null;
  }

  /** The engine is at another moment of its run: it may have named other things since. */
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

  /** Of the command that was done last. */
  commandOutcome(): CommandOutcome {
    const number = this.#words.u32(layout.header.fields.command_outcome.offset);
    return { outcome: outcomes[number]!, why: this.#headerText('error_text') };
  }

  /** Why the engine cannot go on, in run state `failed`. */
  failureText(): string {
    return this.#headerText('failure_text');
  }

  /** Samples once what each thread that read() has found does; call it often, so that the shares of states mean something. */
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
   * Samples each thread that is not parked. `frames` are the functions of its stack, outermost first, `depth` of them,
   * none if the stack would not stand still; the array is reused.
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

  /** A counter of each client of this run, also after its thread has ended. */
  clientCounters(name: CounterName): number[] {
    const { offset, stride, fields } = layout.threads;
    const counter = fields.counters.offset + counterIndex(name) * 8;
    return Array.from({ length: this.header().client_threads }, (_, client) =>
      this.#words.u64(offset + client * stride + counter),
    );
  }

  /** Clients and the server's own threads, in the order of their slots; also those that have ended. */
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

  /** The lines from number `first` on (the first line of a run is 0), oldest first, as far as they are kept. */
  logLinesFrom(first: number): NewLines {
    return this.#linesFrom(first, this.header().log_lines_count, layout.log_lines);
  }

  /** The same of intervals: each is the JSON that the run result has. */
  intervalsFrom(first: number): NewLines {
    return this.#linesFrom(first, this.header().intervals_count, layout.intervals);
  }

  /** The marks from number `first` on, oldest first, as far as the block still keeps them. */
  marksFrom(first: number): Mark[] {
    const { marks_count } = layout.header.fields;
    const count = this.#words.u32(marks_count.offset);
    const marks: Mark[] = [];
    const oldest_kept = Math.max(0, count - layout.marks.count);
    for (let number = Math.max(first, oldest_kept); number < count; number += 1)
      marks.push(this.#mark(number));
    // The next one may be under way, in the place of the oldest.
    const count_after = this.#words.u32(marks_count.offset);
    return marks.filter(({ number }) => number + layout.marks.count > count_after);
  }

  /** As far as they are known now: the same object while no more are. */
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

  /** What the engine itself knows, else what the thread says. */
  #stateOf(offset: number): number {
    const { offset: first, stride, fields } = layout.threads;
    const said = this.#words.u32(offset + fields.state.offset);
    return this.#state_times?.now[(offset - first) / stride] ?? said;
  }

  /** Offsets of the slots that have a thread. */
  *#liveSlots(): Generator<number> {
    const { offset, stride, fields } = layout.threads;
    for (let index = 0; index < this.#thread_slots; index += 1) {
      const slot = offset + index * stride;
      if (this.#words.u32(slot + fields.state.offset) !== absent) yield slot;
    }
  }

  /** Clients and the server's own threads. */
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

  /** Of a modelled server, whose latencies are all counted in one place. */
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

  /** The block counts sites from 1, with 0 for none. */
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

  /** Null if the line was overwritten by a later one, before or while it was read. */
  #line(number: number, { fields, offset, stride, count }: LineRing): string | null {
    const entry = offset + (number % count) * stride;
    const has_its_number = () => this.#words.u32(entry + fields.sequence.offset) === number + 1;
    if (!has_its_number()) return null;
    const line = this.#words.text(entry + fields.text.offset, fields.text.count);
    return has_its_number() ? line : null;
  }

  /** Depth of a consistent copy of the stack in #frames; 0 if the thread moved on at every try. */
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

  /** Whether the frames were on the stack together: each knows the change that pushed its caller. */
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
