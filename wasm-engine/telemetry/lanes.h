// What each thread did when, without a gap: the lanes that the page draws. Only of a modelled server, where a look at
// the clock costs nothing and disturbs nobody; on real threads nothing here is ever filled.
//
// Not part of the telemetry block: there is one writer (one host thread runs all fibers), and the host reads between
// two slices.
#pragma once

#include <cstdint>

#include "telemetry/layout.h"

namespace latchscope::telemetry {

inline constexpr uint32_t kLaneSegmentsMax = platform::kIsModelled ? 1u << 16 : 1;
inline constexpr uint32_t kLaneStates = static_cast<uint32_t>(ThreadState::io) + 1;

// A thread was in one state for a while. 32 bytes, as the host reads them.
struct LaneSegment {
  uint64_t from_ns, to_ns;  // the engine's clock
  uint32_t slot;            // index into TelemetryBlock::threads
  uint8_t state;            // ThreadState
  uint8_t holder_site;      // where `holder` took that latch: latch site + 1; 0 if nobody was seen to hold it
  uint16_t
      holder;  // slot + 1 of a thread that held that latch when this began; 0 if nobody was seen to hold it
  uint32_t wait_site;   // latch site + 1 while spinning or waiting, else 0
  uint32_t wait_latch;  // number of that latch
};
static_assert(kThreadSlots < 1u << 16);
static_assert(kLatchSitesMax < 1u << 8);
static_assert(sizeof(LaneSegment) == 32);

// One for each thread slot: how long it was in each state since the run began, without the state that it is in now.
struct LaneTotals {
  uint64_t since_ns;  // when that state began
  uint64_t state_ns[kLaneStates];
};
static_assert(sizeof(LaneTotals) == 64);

// The thread of `slot` has got a latch at a latch site.
void lane_got_latch(uint32_t slot, uint32_t site, uint32_t latch);
// Called before the thread of `slot` goes over to `state`.
void lane_goes_on(uint32_t slot, ThreadState state, uint32_t wait_site, uint32_t wait_latch);
// All slots start again at the clock's present time, in the states that the block says.
void reset_lanes();

// A ring: segment number n is at n % kLaneSegmentsMax.
const LaneSegment* lane_segments();
uint64_t lane_segments_written();
const LaneTotals* lane_totals();

}  // namespace latchscope::telemetry
