#include "telemetry/lanes.h"

#include <algorithm>

#include "telemetry/telemetry.h"

namespace latchscope::telemetry {

namespace {

constexpr uint32_t kLanes = platform::kIsModelled ? kThreadSlots : 1;

// Beyond so many threads a search at every wait would cost more than the wait.
constexpr uint32_t kSlotsSearched = 64;
constexpr uint32_t kHintsCount = platform::kIsModelled ? 1u << 12 : 1;

struct Holder {
  uint32_t slot;
  uint32_t site;  // + 1; 0: nobody
};
constexpr Holder kNobody{0, 0};

struct Lane {
  uint32_t state, wait_site, wait_latch;
  Holder holder;  // of that latch, when this state began
};

LaneSegment segments[kLaneSegmentsMax];
LaneTotals totals_of_lanes[kLanes];
Lane lanes[kLanes];
uint64_t segments_written = 0;
// Who was the last to get a latch, at its number modulo the size. A newer latch may have taken the place.
struct LastToGet {
  uint32_t latch;
  Holder holder;
};
LastToGet last_to_get[kHintsCount];
uint32_t slots_used = 0;  // none beyond holds a latch, but for the coordinator

Holder holding(uint32_t slot, uint32_t latch) {
  const ThreadSlot& thread = block().threads[slot];
  const uint32_t held = std::min(thread.held_count[0].read(), kHeldLatchesMax);
  for (uint32_t i = held; i-- > 0;) {
    if (thread.held_latches[i].read() == latch) return {slot, thread.held[i].read()};
  }
  return kNobody;
}

Holder holder_of(uint32_t latch) {
  const LastToGet& last = last_to_get[latch % kHintsCount];
  const bool is_known = last.latch == latch;
  if (is_known && holding(last.holder.slot, latch).site != 0) return last.holder;
  for (uint32_t slot = 0; slot < std::min(slots_used, kSlotsSearched); ++slot) {
    const Holder found = holding(slot, latch);
    if (found.site != 0) return found;
  }
  // Not free, and nobody lists it: the last one to get it is just giving it back.
  return is_known ? last.holder : kNobody;
}

bool waits_for_latch(ThreadState state, uint32_t wait_latch) {
  return wait_latch != 0 && (state == ThreadState::spinning || state == ThreadState::waiting);
}

LaneSegment segment_of(const Lane& lane, uint32_t slot, uint64_t from_ns, uint64_t to_ns) {
  const bool is_held = lane.holder.site != 0;
  return {from_ns,
          to_ns,
          slot,
          static_cast<uint8_t>(lane.state),
          static_cast<uint8_t>(lane.holder.site),
          static_cast<uint16_t>(is_held ? lane.holder.slot + 1 : 0),
          lane.wait_site,
          lane.wait_latch};
}

}  // namespace

void lane_got_latch(uint32_t slot, uint32_t site, uint32_t latch) {
  last_to_get[latch % kHintsCount] = {latch, {slot, site + 1}};
}

void lane_goes_on(uint32_t slot, ThreadState state, uint32_t wait_site, uint32_t wait_latch) {
  const uint64_t now_ns = platform::now_ns();
  Lane& lane = lanes[slot];
  LaneTotals& total = totals_of_lanes[slot];
  if (now_ns > total.since_ns) {
    total.state_ns[lane.state] += now_ns - total.since_ns;
    segments[segments_written++ % kLaneSegmentsMax] = segment_of(lane, slot, total.since_ns, now_ns);
  }
  total.since_ns = now_ns;
  if (slot + 1 < kThreadSlots) slots_used = std::max(slots_used, slot + 1);
  lane = {static_cast<uint32_t>(state), wait_site, wait_latch,
          waits_for_latch(state, wait_latch) ? holder_of(wait_latch) : kNobody};
}

void reset_lanes() {
  segments_written = 0;
  slots_used = 0;
  for (uint32_t slot = 0; slot < kLanes; ++slot) {
    totals_of_lanes[slot] = {platform::now_ns(), {}};
    lanes[slot] = {block().threads[slot].state[0].read(), 0, 0, kNobody};
    if (lanes[slot].state != 0 && slot + 1 < kThreadSlots) slots_used = slot + 1;
  }
}

const LaneSegment* lane_segments() {
  return segments;
}

uint64_t lane_segments_written() {
  return segments_written;
}

const LaneTotals* lane_totals() {
  return totals_of_lanes;
}

}  // namespace latchscope::telemetry
