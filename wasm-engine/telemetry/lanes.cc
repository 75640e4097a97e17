#include "telemetry/lanes.h"

#include "telemetry/telemetry.h"

namespace latchscope::telemetry {

namespace {

constexpr uint32_t kLanes = platform::kIsModelled ? kThreadSlots : 1;

struct Lane {
  uint32_t state, wait_site, wait_latch;
};

LaneSegment segments[kLaneSegmentsMax];
LaneTotals totals[kLanes];
Lane lanes[kLanes];
uint64_t segments_written = 0;

}  // namespace

void lane_goes_on(uint32_t slot, ThreadState state, uint32_t wait_site, uint32_t wait_latch) {
  const uint64_t now_ns = platform::now_ns();
  Lane& lane = lanes[slot];
  LaneTotals& total = totals[slot];
  if (now_ns > total.since_ns) {
    total.state_ns[lane.state] += now_ns - total.since_ns;
    segments[segments_written++ % kLaneSegmentsMax] = {total.since_ns, now_ns,         slot,
                                                       lane.state,     lane.wait_site, lane.wait_latch};
  }
  total.since_ns = now_ns;
  lane = {static_cast<uint32_t>(state), wait_site, wait_latch};
}

void reset_lanes() {
  segments_written = 0;
  for (uint32_t slot = 0; slot < kLanes; ++slot) {
    totals[slot] = {platform::now_ns(), {}};
    lanes[slot] = {block().threads[slot].state[0].read(), 0, 0};
  }
}

const LaneSegment* lane_segments() {
  return segments;
}

uint64_t lane_segments_written() {
  return segments_written;
}

const LaneTotals* lane_totals() {
  return totals;
}

}  // namespace latchscope::telemetry
