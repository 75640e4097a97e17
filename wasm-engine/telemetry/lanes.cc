#include "telemetry/lanes.h"

#include <algorithm>

#include "telemetry/chronicle.h"
#include "telemetry/publish.h"
#include "telemetry/telemetry.h"

namespace latchscope::telemetry {

namespace {

constexpr uint32_t kLanes = platform::kIsModelled ? kThreadSlots : 1;
constexpr uint64_t kPsPerNs = 1'000;

// Maximum number of slots searched for a holder. Searching more would cost more than the wait.
constexpr uint32_t kSlotsSearched = 64;
constexpr uint32_t kHintsCount = platform::kIsModelled ? 1u << 12 : 1;

struct Holder {
  uint32_t slot;
  uint32_t site;  // + 1; 0: no holder
};
constexpr Holder kNobody{0, 0};

// Current state of one thread.
struct Lane {
  ThreadState said;  // state reported by the thread itself
  uint32_t wait_site, wait_latch;
  Holder holder;  // of that latch, when the thread reported `said`
  uint16_t core;
  bool is_ready;
  uint64_t drawn_until_ps;  // end of the last segment
};

LaneSegment segments[kLaneSegmentsMax];
LaneTotals totals_of_lanes[kLanes];
Lane lanes[kLanes];
uint64_t segments_written = 0;
// The last thread to acquire a latch, stored at the latch number modulo the table size. A newer
// latch may overwrite it.
struct LastToGet {
  uint32_t latch;
  Holder holder;
};
LastToGet last_to_get[kHintsCount];
bool is_drawn = true;
uint32_t slots_used = 0;  // higher slots hold no latch, except the coordinator's

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
  // The latch is taken but no thread lists it: the last thread to acquire it is releasing it.
  return is_known ? last.holder : kNobody;
}

bool is_in_run(ThreadState state) {
  return state != ThreadState::absent && state != ThreadState::parked;
}

bool may_stall(ThreadState said) {
  return said == ThreadState::running || said == ThreadState::spinning;
}

ThreadState state_of(const Lane& lane) {
  return lane.is_ready && is_in_run(lane.said) ? ThreadState::ready : lane.said;
}

// While a thread runs, its innermost frame changes, so a running state has no single function.
uint16_t function_of(uint32_t slot, ThreadState state) {
  if (state == ThreadState::running) return 0;
  const ThreadSlot& thread = block().threads[slot];
  const uint32_t depth = thread.stack_word[0].read() & kStackDepthMask;
  if (depth == 0 || depth > kFramesMax) return 0;
  return static_cast<uint16_t>(function_of_frame(thread.frames[depth - 1].read()) + 1);
}

void tell_chronicle(uint32_t slot, uint64_t until_ps, ThreadState state) {
  const Lane& lane = lanes[slot];
  const uint64_t from_ps = totals_of_lanes[slot].since_ps;
  if (until_ps <= from_ps) return;
  chronicle()->add(slot, {from_ps, until_ps, lane.wait_latch, static_cast<uint16_t>(lane.wait_site),
                          function_of(slot, state), chronicle()->woken_by(slot), state});
}

// A clock that has gone back belongs to another server: see begin_run.
void count_until(uint32_t slot, uint64_t until_ps, ThreadState state) {
  if (chronicle() != nullptr) tell_chronicle(slot, until_ps, state);
  LaneTotals& totals = totals_of_lanes[slot];
  const auto index = static_cast<uint32_t>(state);
  if (until_ps > totals.since_ps) totals.state_ps[index] += until_ps - totals.since_ps;
  totals.since_ps = until_ps;
  totals.before = index;
}

LaneSegment segment_of(const Lane& lane, uint32_t slot, ThreadState state, uint64_t until_ps) {
  LaneSegment segment{};
  segment.from_ns = lane.drawn_until_ps / kPsPerNs;
  segment.to_ns = until_ps / kPsPerNs;
  segment.slot = static_cast<uint16_t>(slot);
  segment.core = lane.core;
  segment.state = static_cast<uint8_t>(state);
  if (state != lane.said) return segment;
  const bool is_held = lane.holder.site != 0;
  segment.holder_site = static_cast<uint8_t>(lane.holder.site);
  segment.holder = static_cast<uint16_t>(is_held ? lane.holder.slot + 1 : 0);
  segment.wait_site = lane.wait_site;
  segment.wait_latch = lane.wait_latch;
  return segment;
}

void draw_until(uint32_t slot, uint64_t until_ps, ThreadState state) {
  if (!is_drawn) return;
  Lane& lane = lanes[slot];
  const LaneSegment segment = segment_of(lane, slot, state, until_ps);
  if (segment.to_ns > segment.from_ns) segments[segments_written++ % kLaneSegmentsMax] = segment;
  lane.drawn_until_ps = until_ps;
}

// Ends the thread's current state.
void end_state(uint32_t slot, uint64_t at_ps) {
  const ThreadState state = state_of(lanes[slot]);
  count_until(slot, at_ps, state);
  draw_until(slot, at_ps, state);
}

void stall(uint32_t slot, uint64_t from_ps, uint64_t until_ps) {
  const ThreadState said = lanes[slot].said;
  if (!may_stall(said)) return;
  count_until(slot, from_ps, said);
  count_until(slot, until_ps, ThreadState::stalled);
  if (until_ps - from_ps < kStallDrawnMinPs) return;
  draw_until(slot, from_ps, said);
  draw_until(slot, until_ps, ThreadState::stalled);
}

void set_ready(uint32_t slot, uint64_t at_ps, bool is_ready) {
  end_state(slot, at_ps);
  lanes[slot].is_ready = is_ready;
  totals_of_lanes[slot].state = static_cast<uint32_t>(state_of(lanes[slot]));
}

uint32_t slot_of(const void* thread) {
  return static_cast<const ThreadRecorder*>(thread)->thread_number() - 1;
}

class LaneKeeper final : public platform::CoreOnlooker {
 public:
  void stalls(const void* thread, uint64_t from_ps, uint64_t until_ps) override {
    stall(slot_of(thread), from_ps, until_ps);
  }
  void is_ready(const void* thread, uint64_t from_ps) override {
    const bool was_asleep = lanes[slot_of(thread)].core == platform::kNoCore;
    set_ready(slot_of(thread), from_ps, true);
    if (chronicle() != nullptr && was_asleep) chronicle()->is_awake(slot_of(thread));
    leaves_core(thread);
  }
  void wakes(const void* thread, const void* sleeper) override {
    if (chronicle() != nullptr) chronicle()->wakes(slot_of(sleeper), slot_of(thread));
  }
  void gets_core(const void* thread, uint64_t from_ps, uint16_t core) override {
    set_ready(slot_of(thread), from_ps, false);
    lanes[slot_of(thread)].core = core;
  }
  void leaves_core(const void* thread) override { lanes[slot_of(thread)].core = platform::kNoCore; }
};

LaneKeeper& keeper() {
  static LaneKeeper the_keeper;
  return the_keeper;
}

}  // namespace

void lane_got_latch(uint32_t slot, uint32_t site, uint32_t latch) {
  last_to_get[latch % kHintsCount] = {latch, {slot, site + 1}};
}

void lane_goes_on(uint32_t slot, ThreadState state, uint32_t wait_site, uint32_t wait_latch) {
  end_state(slot, platform::now_ps());
  if (slot + 1 < kThreadSlots) slots_used = std::max(slots_used, slot + 1);
  Lane& lane = lanes[slot];
  lane.said = state;
  lane.wait_site = wait_site;
  lane.wait_latch = wait_latch;
  lane.holder = wait_latch != 0 && is_after_latch(state) ? holder_of(wait_latch) : kNobody;
  lane.core = platform::current_core();
  lane.is_ready = false;
  totals_of_lanes[slot].state = static_cast<uint32_t>(state);
  if (chronicle() != nullptr) chronicle()->falls_in_new_state(slot);
}

void tell_lanes_until_now() {
  for (uint32_t slot = 0; slot < kLanes; ++slot)
    tell_chronicle(slot, platform::now_ps(), state_of(lanes[slot]));
}

StateTimes state_times_of(ThreadKind kind) {
  StateTimes times{};
  const uint64_t now_ps = platform::now_ps();
  for (uint32_t slot = 0; slot < kLanes; ++slot) {
    const uint32_t kind_of_slot = block().threads[slot].kind[0].read();
    if (std::min(kind_of_slot, static_cast<uint32_t>(ThreadKind::server)) != static_cast<uint32_t>(kind))
      continue;
    const LaneTotals& totals = totals_of_lanes[slot];
    for (uint32_t state = 0; state < kLaneStates; ++state)
      times[state] += totals.state_ps[state];
    times[totals.state] += std::max(now_ps, totals.since_ps) - totals.since_ps;
    times[totals.before] -= totals.since_ps - std::min(now_ps, totals.since_ps);
  }
  return times;
}

void reset_lanes() {
  platform::watch_cores(keeper());
  if (chronicle() != nullptr) chronicle()->begin();
  segments_written = 0;
  is_drawn = true;
  slots_used = 0;
  const uint64_t now_ps = platform::now_ps();
  for (uint32_t slot = 0; slot < kLanes; ++slot) {
    const uint32_t state = block().threads[slot].state[0].read();
    totals_of_lanes[slot] = {now_ps, state, state, {}};
    lanes[slot] = {static_cast<ThreadState>(state), 0, 0, kNobody, platform::kNoCore, false, now_ps};
    if (state != 0 && slot + 1 < kThreadSlots) slots_used = slot + 1;
  }
}

void end_lanes() {
  if (chronicle() != nullptr) chronicle()->end();
  const uint64_t now_ps = platform::now_ps();
  for (uint32_t slot = 0; slot < kLanes; ++slot)
    draw_until(slot, now_ps, state_of(lanes[slot]));
  is_drawn = false;
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
