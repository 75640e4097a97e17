import { latch_event, latch_event_kinds } from '../../contract/gen/telemetry-layout';
import type { LatchEventKind } from '../../contract/latch-event';
import type { LatchEventBatch } from '../../engine-client/engine-host';

/** What the engine tells of one event; of what is left out, the same for all. */
export interface ToldEvent {
  at_ns: number;
  kind: LatchEventKind;
  slot: number;
  latch?: number;
  site?: number;
  core?: number;
  from_core?: number;
  took_ns?: number;
  word?: number;
  value?: number;
  latch_class?: number;
}

const { bytes, fields } = latch_event;
const NO_CORE = 0xffff;
const every_latch: readonly number[] = Array.from({ length: 100 }, (_, number) => number);

/**
 * Events as the engine lays them out: see wasm-engine/telemetry/latch_trace.h. `first`: the number of the first one;
 * `clock_less_run_ns`: where the engine's clock stood when the clients were let go; `watched`: by default all.
 */
export function latchBatchOf(
  events: readonly ToldEvent[],
  { first = 0, clock_less_run_ns = 0, run_generation = 1, watched = every_latch } = {},
): LatchEventBatch {
  const view = new DataView(new ArrayBuffer(events.length * bytes));
  for (const [i, told] of events.entries()) {
    const { at_ns, kind, slot, latch = 7, site = 3, core = slot, from_core = NO_CORE } = told;
    const { took_ns = 5.5, word = 0, value = 0, latch_class = 0 } = told;
    const at = i * bytes;
    view.setBigUint64(at + fields.at_ps.offset, BigInt((at_ns + clock_less_run_ns) * 1000), true);
    view.setUint32(at + fields.took_ps.offset, took_ns * 1000, true);
    view.setUint32(at + fields.latch.offset, latch, true);
    view.setUint32(at + fields.value.offset, value, true);
    view.setUint16(at + fields.slot.offset, slot, true);
    view.setUint16(at + fields.core.offset, core, true);
    view.setUint16(at + fields.from_core.offset, from_core, true);
    view.setUint8(at + fields.kind.offset, latch_event_kinds.indexOf(kind));
    view.setUint8(at + fields.site.offset, site);
    view.setUint8(at + fields.word.offset, word);
    view.setUint8(at + fields.latch_class.offset, latch_class);
  }
  return { run_generation, first, events: view.buffer, watched, clock_less_run_ns };
}
