// Thread lanes: what each thread did when, without gaps. They hold the segments that the page draws
// and each thread's total time per state, in picoseconds. Virtual server only, where reading the
// clock is free and disturbs no thread; on real threads everything here stays empty.
//
// A thread reports its own state (running, spinning, waiting ...). The machine reports when the
// thread stalled on a cache line and when it had no core (platform/core_onlooker.h). A thread's
// time is split as follows.
//   - stalled: while the thread reports running or spinning, the time its accesses take beyond the
//     cost on a core that has the line. Polls of a spinning thread are excluded: it waits for the
//     latch, whatever its core does.
//   - ready: from when the thread could continue until it is on a core, whatever it reports.
//     Threads parked at the gate are excluded.
//   - other states: as the thread reports.
// Each state begins a new segment, except for stalls shorter than kStallDrawnMinPs, which only the
// totals contain.
//
// Lanes are not part of the telemetry block. One host thread runs all fibers, so there is one
// writer, and the host reads between two slices.
#pragma once

#include <array>
#include <cstdint>

#include "telemetry/layout.h"
#include "telemetry/plain_record.h"

namespace latchscope::telemetry {

inline constexpr uint32_t kLaneSegmentsMax = platform::kIsModelled ? 1u << 16 : 1;
inline constexpr uint32_t kLaneStates = static_cast<uint32_t>(ThreadState::io) + 1;
inline constexpr uint64_t kStallDrawnMinPs = 100'000;

// clang-format off
// An interval in which a thread stayed in one state.
#define LATCHSCOPE_LANE_SEGMENT(F)                                                                           \
  F(uint64_t, from_ns, "the engine's clock")                                                                 \
  F(uint64_t, to_ns, "")                                                                                     \
  F(uint16_t, slot, "index into TelemetryBlock::threads")                                                    \
  F(uint16_t, core, "core during the whole segment; platform::kNoCore: none, or released")              \
  F(uint8_t, state, "ThreadState")                                                                           \
  F(uint8_t, holder_site, "latch site + 1 at which `holder` acquired that latch; 0: no known holder") \
  F(uint16_t, holder, "slot + 1 of a thread that held that latch when the segment began; 0: none known")    \
  F(uint32_t, wait_site, "latch site + 1 while spinning, waiting or following, else 0")                      \
  F(uint32_t, wait_latch, "number of that latch")

// Per thread slot: time in each state from the start of the run until `since_ps`.
#define LATCHSCOPE_LANE_TOTALS(F)                                                                            \
  F(uint64_t, since_ps, "may be slightly ahead of the clock, because the length of a stall is known at its start") \
  F(uint32_t, before, "ThreadState before since_ps")                                                        \
  F(uint32_t, state, "ThreadState from since_ps on")                                                            \
  F(StateTimes, state_ps, "by ThreadState")
// clang-format on

using StateTimes = std::array<uint64_t, kLaneStates>;  // picoseconds

struct LaneSegment {
  LATCHSCOPE_LANE_SEGMENT(LATCHSCOPE_DECLARE_PLAIN_FIELD)
};
static_assert(kThreadSlots < 1u << 16);
static_assert(kLatchSitesMax < 1u << 8);
static_assert(sizeof(LaneSegment) == 32);

struct LaneTotals {
  LATCHSCOPE_LANE_TOTALS(LATCHSCOPE_DECLARE_PLAIN_FIELD)
};
static_assert(sizeof(LaneTotals) == 96);

// Records that the thread of `slot` acquired a latch at a latch site.
void lane_got_latch(uint32_t slot, uint32_t site, uint32_t latch);
// Called before the thread of `slot` changes to `state`.
void lane_goes_on(uint32_t slot, ThreadState state, uint32_t wait_site, uint32_t wait_latch);
// Returns the time in each state until now, summed over all threads of this kind.
// `ThreadKind::server` includes all background workers.
StateTimes state_times_of(ThreadKind kind);
// Reports the current state of every thread to the chronicle, up to now.
void tell_lanes_until_now();
// Restarts all lanes at the current clock time, in the states stored in the block.
void reset_lanes();
// Ends all segments at the current clock time. No segment follows until reset_lanes(); totals
// continue.
void end_lanes();

// Returns a ring: segment number n is at n % kLaneSegmentsMax.
const LaneSegment* lane_segments();
uint64_t lane_segments_written();
const LaneTotals* lane_totals();

}  // namespace latchscope::telemetry
