// What each thread did when, without a gap: the lanes that the page draws, and how long each thread was in each state, to
// the picosecond. Only of a modelled server, where a look at the clock costs nothing and disturbs nobody; on real threads
// nothing here is ever filled.
//
// A thread says what it is at (running, spinning, waiting ...); the machine says when it stood still for a cache line, and when
// it had no core (platform/core_onlooker.h). What of a thread's time is what:
//   stalled   while it says that it runs or spins: what its accesses take beyond those of a core that has the line. Polls of a
//             spinning thread are not: it waits for the latch, whatever its core is at.
//   ready     from when it would go on until it is on a core, whatever it says; but for threads behind the gate
//   the rest  is what the thread says
// A segment begins with each state, but for stalls of less than kStallDrawnMinPs: those are in the totals alone.
//
// Not part of the telemetry block: there is one writer (one host thread runs all fibers), and the host reads between
// two slices.
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
// A thread was in one state for a while.
#define LATCHSCOPE_LANE_SEGMENT(F)                                                                           \
  F(uint64_t, from_ns, "the engine's clock")                                                                 \
  F(uint64_t, to_ns, "")                                                                                     \
  F(uint16_t, slot, "index into TelemetryBlock::threads")                                                    \
  F(uint16_t, core, "on which it was throughout; platform::kNoCore: on none, or it gave it up")              \
  F(uint8_t, state, "ThreadState")                                                                           \
  F(uint8_t, holder_site, "where `holder` took that latch: latch site + 1; 0 if nobody was seen to hold it") \
  F(uint16_t, holder, "slot + 1 of a thread that held that latch when this began; 0 if none was seen to")    \
  F(uint32_t, wait_site, "latch site + 1 while spinning, waiting or following, else 0")                      \
  F(uint32_t, wait_latch, "number of that latch")

// One for each thread slot: how long it was in each state from the run's begin until `since_ps`.
#define LATCHSCOPE_LANE_TOTALS(F)                                                                            \
  F(uint64_t, since_ps, "may lie a little ahead of the clock: how long a thread stalls is known when it begins") \
  F(uint32_t, before, "ThreadState that ended there")                                                        \
  F(uint32_t, state, "ThreadState from there on")                                                            \
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

// The thread of `slot` has got a latch at a latch site.
void lane_got_latch(uint32_t slot, uint32_t site, uint32_t latch);
// Called before the thread of `slot` goes over to `state`.
void lane_goes_on(uint32_t slot, ThreadState state, uint32_t wait_site, uint32_t wait_latch);
// How long all threads of this kind, or all of the server's own, were in each state until now.
StateTimes state_times_of(ThreadKind kind);
// Tells the chronicle what all threads are at, from where it knows no more until now.
void tell_lanes_until_now();
// All slots start again at the clock's present time, in the states that the block says.
void reset_lanes();
// Segments end at the clock's present time, and none follows until lanes are reset; totals go on.
void end_lanes();

// A ring: segment number n is at n % kLaneSegmentsMax.
const LaneSegment* lane_segments();
uint64_t lane_segments_written();
const LaneTotals* lane_totals();

}  // namespace latchscope::telemetry
