import { lane_segment } from '../../contract/gen/telemetry-layout';
import type { LaneSegment } from '../../contract/telemetry-states';
import type { LaneBatch } from '../../engine-client/engine-host';
import { writeField } from '../../engine-client/plain-field';

type DrawnSegment = Pick<LaneSegment, 'from_ns' | 'to_ns' | 'slot' | 'state'> & Partial<LaneSegment>;

const { bytes, fields } = lane_segment;

/**
 * Returns segments in the engine's layout (wasm-engine/telemetry/lanes.h). `first` is the number of
 * the first segment, `clock_less_run_ns` the engine's clock when the clients started.
 */
export function laneBatchOf(
  segments: readonly DrawnSegment[],
  { first = 0, clock_less_run_ns = 0 } = {},
): LaneBatch {
  const view = new DataView(new ArrayBuffer(segments.length * bytes));
  for (const [i, drawn] of segments.entries()) {
    const { from_ns, to_ns, slot, state, core = -1 } = drawn;
    const { site = -1, latch = 0, holder = -1, holder_site = -1 } = drawn;
    const at = i * bytes;
    writeField(view, at, fields.from_ns, from_ns + clock_less_run_ns);
    writeField(view, at, fields.to_ns, to_ns + clock_less_run_ns);
    writeField(view, at, fields.slot, slot);
    writeField(view, at, fields.core, core);
    writeField(view, at, fields.state, state);
    writeField(view, at, fields.holder_site, holder_site + 1);
    writeField(view, at, fields.holder, holder + 1);
    writeField(view, at, fields.wait_site, site + 1);
    writeField(view, at, fields.wait_latch, latch);
  }
  return {
    runGeneration: 1,
    first,
    segments: new Uint8Array(view.buffer),
    clockLessRunNs: clock_less_run_ns,
  };
}
