import { lane_segment } from '../../contract/gen/telemetry-layout';
import type { LaneSegment } from '../../contract/lane-segment';
import type { LaneBatch } from '../../engine-client/engine-host';

type DrawnSegment = Pick<LaneSegment, 'from_ns' | 'to_ns' | 'slot' | 'state'> & Partial<LaneSegment>;

const { bytes, fields } = lane_segment;

/**
 * Segments as the engine lays them out: see wasm-engine/telemetry/lanes.h. `first`: the number of the first one;
 * `clock_less_run_ns`: where the engine's clock stood when the clients were let go.
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
    view.setBigUint64(at + fields.from_ns.offset, BigInt(from_ns + clock_less_run_ns), true);
    view.setBigUint64(at + fields.to_ns.offset, BigInt(to_ns + clock_less_run_ns), true);
    view.setUint16(at + fields.slot.offset, slot, true);
    view.setUint16(at + fields.core.offset, core, true);
    view.setUint8(at + fields.state.offset, state);
    view.setUint8(at + fields.holder_site.offset, holder_site + 1);
    view.setUint16(at + fields.holder.offset, holder + 1, true);
    view.setUint32(at + fields.wait_site.offset, site + 1, true);
    view.setUint32(at + fields.wait_latch.offset, latch, true);
  }
  return { run_generation: 1, first, segments: view.buffer, clock_less_run_ns };
}
