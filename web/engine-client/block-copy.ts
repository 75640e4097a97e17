import {
  lane_totals,
  layout,
  run_states,
  thread_kinds,
  thread_states,
} from '../contract/gen/telemetry-layout';
import { readField } from './plain-field';
import type { RunState } from '../contract/telemetry-states';
import type { StateTimes } from './telemetry-reader';

const CLIENT_KIND = thread_kinds.indexOf('client');
const COORDINATOR_KIND = thread_kinds.indexOf('coordinator');
const { since_ps, before, state: stateAfter, state_ps } = lane_totals.fields;
const PS_PER_NS = 1000;
const absent = thread_states.indexOf('absent');
const { header, threads } = layout;

/** Header fields that a copy overrides. */
export interface CopyChanges {
  runNs: number;
  runState: RunState;
}

/**
 * Copies telemetry blocks of a modeled server. A block has slots for far more threads than most
 * runs have, so a copy leaves out unused slots.
 */
export class BlockCopier {
  #generation = -1;
  #slotsUsed = 0;
  readonly #spares = new SpareBuffers();

  /** Returns a block with the slots that this run has used, followed by the coordinator's slot. */
  copy(memory: ArrayBuffer, address: number, changes: CopyChanges): ArrayBuffer {
    const from = new DataView(memory, address);
    const slots = from.getUint32(header.fields.thread_slots.offset, true);
    this.#countSlots(from, slots);
    const kept = this.#slotsUsed;
    const coordinator = threads.offset + (slots - 1) * threads.stride;
    const bytes = threads.offset + (kept + 1) * threads.stride;
    const copy = new Uint8Array(this.#spares.take(bytes, (spare) => spare.byteLength === bytes));
    copy.set(new Uint8Array(memory, address, threads.offset + kept * threads.stride));
    copy.set(
      new Uint8Array(memory, address + coordinator, threads.stride),
      threads.offset + kept * threads.stride,
    );
    const to = new DataView(copy.buffer);
    to.setUint32(header.fields.thread_slots.offset, kept + 1, true);
    to.setUint32(header.fields.run_state.offset, run_states.indexOf(changes.runState), true);
    to.setBigUint64(header.fields.run_ns.offset, BigInt(Math.round(changes.runNs)), true);
    return copy.buffer;
  }

  /** Takes back the buffer of a copy, which a later copy may fill again. */
  reuse(copy: ArrayBuffer): void {
    this.#spares.give(copy);
  }

  // The totals of an ended thread remain in its slot until the next run.
  #countSlots(block: DataView, slots: number): void {
    const generation = block.getUint32(header.fields.run_generation.offset, true);
    if (generation !== this.#generation) this.#slotsUsed = 0;
    this.#generation = generation;
    for (let slot = slots - 2; slot >= this.#slotsUsed; slot -= 1) {
      const state = block.getUint32(
        threads.offset + slot * threads.stride + threads.fields.state.offset,
        true,
      );
      if (state !== absent) this.#slotsUsed = slot + 1;
    }
  }
}

/**
 * Sums the lane totals of all threads of a copied block up to `clock_ns`. Also returns the state of
 * each thread at that time.
 */
export function stateTimes(
  block: ArrayBuffer,
  memory: ArrayBuffer,
  laneTotalsAddress: number,
  clockNs: number,
): StateTimes {
  const view = new DataView(block);
  const lanes = new DataView(memory, laneTotalsAddress);
  const clients = new Float64Array(thread_states.length);
  const servers = new Float64Array(thread_states.length);
  const slots = view.getUint32(header.fields.thread_slots.offset, true) - 1;
  const now = new Uint8Array(slots);
  for (let slot = 0; slot < slots; slot += 1) {
    const at = threads.offset + slot * threads.stride;
    const kind = view.getUint32(at + threads.fields.kind.offset, true);
    const lane = slot * lane_totals.bytes;
    const beganNs = readField(lanes, lane, since_ps) / PS_PER_NS;
    const isAhead = beganNs > clockNs;
    const stateNow = readField(lanes, lane, isAhead ? before : stateAfter);
    now[slot] = stateNow;
    if (kind === COORDINATOR_KIND) continue;
    const sums = kind === CLIENT_KIND ? clients : servers;
    for (let state = 0; state < sums.length; state += 1) {
      sums[state] = sums[state]! + readField(lanes, lane, state_ps, state) / PS_PER_NS;
    }
    // Totals include a state that ends after `clock_ns` up to its end.
    sums[stateNow] = sums[stateNow]! + clockNs - beganNs;
  }
  return { clients, servers, now };
}

/** At most this many buffers are on their way to the page and back. */
const SPARES_MAX = 4;

/**
 * Reuses returned buffers. A new buffer per message would create megabytes of garbage per second.
 */
export class SpareBuffers {
  readonly #spares: ArrayBuffer[] = [];

  give(spare: ArrayBuffer): void {
    if (this.#spares.length < SPARES_MAX) this.#spares.push(spare);
  }

  /**
   * Returns a spare for which `fits` is true, or a new buffer of `bytes`. Drops other spares,
   * because the requested size has changed.
   */
  take(bytes: number, fits: (spare: ArrayBuffer) => boolean): ArrayBuffer {
    for (let spare = this.#spares.pop(); spare !== undefined; spare = this.#spares.pop())
      if (fits(spare)) return spare;
    return new ArrayBuffer(bytes);
  }
}

/**
 * A ring of equally sized records in a module's memory. Record n is at index n modulo `records`.
 */
export interface Ring {
  address: number;
  records: number;
  recordBytes: number;
}

/**
 * Copies the records from number `first` up to, but not including, number `written`. `roomFor` may
 * return a larger buffer than requested.
 * REQUIRES: none of these records has been overwritten.
 */
export function copyOfRing(
  memory: ArrayBuffer,
  { address, records, recordBytes }: Ring,
  first: number,
  written: number,
  roomFor: (bytes: number) => ArrayBuffer = (bytes) => new ArrayBuffer(bytes),
): Uint8Array<ArrayBuffer> {
  const bytes = (written - first) * recordBytes;
  const copy = new Uint8Array(roomFor(bytes), 0, bytes);
  const ring = new Uint8Array(memory, address, records * recordBytes);
  const start = (first % records) * recordBytes;
  const head = ring.subarray(start, Math.min(ring.length, start + copy.length));
  copy.set(head);
  copy.set(ring.subarray(0, copy.length - head.length), head.length);
  return copy;
}
