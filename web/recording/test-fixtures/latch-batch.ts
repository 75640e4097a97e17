import { latch_event, latch_event_kinds, no_core } from '../../contract/gen/telemetry-layout';
import type { LatchEventKind } from '../../contract/telemetry-states';
import type { LatchEventBatch, WatchedLatch } from '../../engine-client/engine-host';
import { writeField } from '../../engine-client/plain-field';

/** One event as the engine reports it; omitted fields have defaults. */
export interface ToldEvent {
  atNs: number;
  kind: LatchEventKind;
  slot: number;
  latch?: number;
  site?: number;
  core?: number;
  fromCore?: number;
  tookNs?: number;
  line?: number;
  word?: number;
  value?: number;
  latchClass?: number;
}

const { bytes, fields } = latch_event;
const everyLatch: readonly WatchedLatch[] = Array.from({ length: 100 }, (_, latch) => ({
  latch,
  sinceEvent: 0,
}));

/**
 * Returns events in the engine's layout (wasm-engine/telemetry/latch_trace.h). `first` is the
 * number of the first event, `clock_less_run_ns` the engine's clock when the clients started.
 * `watched`: by default all latches, from the first event on.
 */
export function latchBatchOf(
  events: readonly ToldEvent[],
  { first = 0, is_whole_ring = false, clock_less_run_ns = 0, run_generation = 1, watched = everyLatch } = {},
): LatchEventBatch {
  const view = new DataView(new ArrayBuffer(events.length * bytes));
  for (const [i, told] of events.entries()) {
    const { atNs, kind, slot, latch = 7, site = 3, core = slot, fromCore = no_core } = told;
    const { tookNs = 5.5, line = 0, word = 0, value = 0, latchClass = 0 } = told;
    const at = i * bytes;
    writeField(view, at, fields.at_ps, (atNs + clock_less_run_ns) * 1000);
    writeField(view, at, fields.took_ps, tookNs * 1000);
    writeField(view, at, fields.latch, latch);
    writeField(view, at, fields.value, value);
    writeField(view, at, fields.slot, slot);
    writeField(view, at, fields.core, core);
    writeField(view, at, fields.from_core, fromCore);
    writeField(view, at, fields.kind, latch_event_kinds.indexOf(kind));
    writeField(view, at, fields.site, site);
    writeField(view, at, fields.line, line);
    writeField(view, at, fields.word, word);
    writeField(view, at, fields.latch_class, latchClass);
  }
  return {
    runGeneration: run_generation,
    first,
    isWholeRing: is_whole_ring,
    events: view.buffer,
    watched,
    clockLessRunNs: clock_less_run_ns,
  };
}
