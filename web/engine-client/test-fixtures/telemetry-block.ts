import type { Mark, RunState, ThreadState } from '../../contract/telemetry-states';
import { outcomes, type Outcome } from '../../contract/gen/engine-abi';
import { layout, mark_kinds, run_states, stack, thread_states } from '../../contract/gen/telemetry-layout';
import { counterIndex, latchSiteFields, type LatchSiteField, type LatchUse } from '../snapshot';

type HeaderField = keyof typeof layout.header.fields;

/** A telemetry block that a test fills instead of an engine. */
export class TelemetryBlock {
  readonly buffer: ArrayBufferLike;
  readonly #view: DataView;

  constructor(buffer: ArrayBufferLike = new SharedArrayBuffer(layout.bytes)) {
    this.buffer = buffer;
    this.#view = new DataView(this.buffer);
    this.setHeader('magic', layout.magic);
    this.setHeader('layout_hash', layout.hash);
    this.setHeader('thread_slots', layout.threads.count);
  }

  place() {
    return { buffer: this.buffer, address: 0, bytes: layout.bytes };
  }

  setHeader(field: HeaderField, value: number): void {
    const { offset, type } = layout.header.fields[field];
    if (type === 'u64') this.#setU64(offset, value);
    else this.#setU32(offset, value);
  }

  header(field: HeaderField): number {
    return this.#view.getUint32(layout.header.fields[field].offset, true);
  }

  setRunState(state: RunState): void {
    this.setHeader('run_state', run_states.indexOf(state));
  }

  setOutcome(outcome: Outcome, why = ''): void {
    this.setHeader('command_outcome', outcomes.indexOf(outcome));
    this.#setText(layout.header.fields.error_text.offset, why);
  }

  setFailureText(text: string): void {
    this.#setText(layout.header.fields.failure_text.offset, text);
  }

  setNames(
    functions: string[],
    latches: string[],
    latchSites: [latch: number, function_index: number][],
  ): void {
    this.setHeader('functions_count', functions.length);
    this.setHeader('latches_count', latches.length);
    this.setHeader('latch_sites_count', latchSites.length);
    for (const [i, name] of functions.entries()) {
      this.#setText(layout.functions.offset + i * layout.functions.stride, name);
    }
    for (const [i, name] of latches.entries()) {
      this.#setText(layout.latches.offset + i * layout.latches.stride, name);
    }
    for (const [i, [latch, functionIndex]] of latchSites.entries()) {
      const entry = layout.latch_sites.offset + i * layout.latch_sites.stride;
      this.#setU32(entry + layout.latch_sites.fields.latch.offset, latch);
      this.#setU32(entry + layout.latch_sites.fields.function.offset, functionIndex);
    }
  }

  setThread(thread: number, state: ThreadState, kind = 0, frames: number[] = []): void {
    const { fields } = layout.threads;
    const slot = this.#slot(thread);
    this.#setU32(slot + fields.state.offset, thread_states.indexOf(state));
    this.#setU32(slot + fields.kind.offset, kind);
    this.setStack(
      thread,
      frames.map((functionIndex, i) => ({ functionIndex, pushedBy: i + 1 })),
    );
  }

  /**
   * `pushedBy` is the number of the change that pushed the frame. `caller` is the caller's number,
   * if not the previous frame's.
   */
  setStack(thread: number, frames: { functionIndex: number; pushedBy: number; caller?: number }[]): void {
    const { stack_word, frames: frameField } = layout.threads.fields;
    const slot = this.#slot(thread);
    const changes = frames.at(-1)?.pushedBy ?? 0;
    this.#setU32(slot + stack_word.offset, changes * 2 ** stack.depth_bits + frames.length);
    for (const [i, { functionIndex, pushedBy, caller = frames[i - 1]?.pushedBy ?? 0 }] of frames.entries()) {
      const stamps = pushedBy + caller * 2 ** stack.stamp_bits;
      this.#setU32(slot + frameField.offset + i * 4, functionIndex + stamps * 2 ** stack.function_bits);
    }
  }

  setLatchUse(thread: number, waitsFor: LatchUse | null, holds: LatchUse[]): void {
    const { fields } = layout.threads;
    const slot = this.#slot(thread);
    this.#setU32(slot + fields.wait_site.offset, waitsFor === null ? 0 : waitsFor.site + 1);
    this.#setU32(slot + fields.wait_latch.offset, waitsFor?.latch ?? 0);
    this.#setU32(slot + fields.held_count.offset, holds.length);
    for (const [i, { site, latch }] of holds.entries()) {
      this.#setU32(slot + fields.held.offset + i * 4, site + 1);
      this.#setU32(slot + fields.held_latches.offset + i * 4, latch);
    }
  }

  addLogLine(text: string): void {
    this.#addLine(layout.log_lines, 'log_lines_count', text);
  }

  addInterval(interval: object): void {
    this.#addLine(layout.intervals, 'intervals_count', JSON.stringify(interval));
  }

  #addLine(
    { fields, offset, stride, count }: typeof layout.log_lines | typeof layout.intervals,
    countedIn: 'log_lines_count' | 'intervals_count',
    text: string,
  ): void {
    const number = this.header(countedIn);
    const entry = offset + (number % count) * stride;
    this.#setText(entry + fields.text.offset, text);
    this.#setU32(entry + fields.sequence.offset, number + 1);
    this.setHeader(countedIn, number + 1);
  }

  /** `ofWorkload`: the counters of the run's workload file. */
  setCounter(thread: number, name: string, value: number, ofWorkload?: readonly string[]): void {
    const index = counterIndex(name, ofWorkload);
    this.#setU64(this.#slot(thread) + layout.threads.fields.counters.offset + index * 8, value);
  }

  setBucket(thread: number, bucket: number, count: number): void {
    this.#setU32(this.#slot(thread) + layout.threads.fields.histogram.offset + bucket * 4, count);
  }

  setModeledLatency(bucket: number, count: number): void {
    this.#setU32(layout.latencies.offset + layout.latencies.fields.counts.offset + bucket * 4, count);
  }

  setLatchSite(thread: number, site: number, field: LatchSiteField, value: number): void {
    const entry =
      this.#slot(thread) + layout.thread_latch_sites.offset + site * layout.thread_latch_sites.stride;
    this.#setU64(entry + latchSiteFields.indexOf(field) * 8, value);
  }

  addMark({ run_ns, kind, subject, value, stopped_us, step_ns, is_by_hand }: Omit<Mark, 'number'>): void {
    const { fields, offset, stride, count } = layout.marks;
    const number = this.header('marks_count');
    const entry = offset + (number % count) * stride;
    this.#setU64(entry + fields.run_ns.offset, run_ns);
    this.#setU32(entry + fields.kind.offset, mark_kinds.indexOf(kind));
    this.#setU32(entry + fields.subject.offset, subject);
    this.#setU32(entry + fields.value.offset, value);
    this.#setU32(entry + fields.stopped_us.offset, stopped_us);
    this.#setU64(entry + fields.step_ns.offset, step_ns);
    this.#setU32(entry + fields.is_by_hand.offset, is_by_hand ? 1 : 0);
    this.setHeader('marks_count', number + 1);
  }

  #slot(thread: number): number {
    return layout.threads.offset + thread * layout.threads.stride;
  }

  #setU32(offset: number, value: number): void {
    this.#view.setUint32(offset, value, true);
  }

  #setU64(offset: number, value: number): void {
    this.#view.setBigUint64(offset, BigInt(value), true);
  }

  #setText(offset: number, text: string): void {
    const bytes = new TextEncoder().encode(`${text}\0`);
    new Uint8Array(this.buffer, offset, bytes.length).set(bytes);
  }
}
