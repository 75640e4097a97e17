// Chooses the watched latches of a modelled server (latch_trace.h): those that cost most. The cost of a
// latch is what LatchSiteTotals::cost_ns counts, for one latch instead of one site.
//
// The choice depends on the run alone, so every run of a spec shows the same latches on any host:
//   - While places are free, a latch takes one as soon as a thread has waited for it.
//   - At fixed run times the latches with the highest cost since the previous choice replace the others:
//     after a 64th, a 32nd, a 16th and an 8th of an interval, then after every quarter of one. If all of
//     them are watched already, nothing changes.
// A choice is made at the first cost after its time. It takes no virtual time and adds no event.
#pragma once

#include <cstdint>

namespace latchscope::telemetry {

// From the next run on, watches this many latches: at most kWatchedLatchesMax; 0, the default: none.
void watch_hottest(uint32_t latches);

// Called when the clients of a run start. The run's latches have numbers above `last_latch_before`, and
// its intervals are interval_ns long.
void begin_hot_latches(uint32_t last_latch_before, uint64_t interval_ns);
// Called when the time of the run is over. Its watched latches stay watched.
void end_hot_latches();
// Called before a run is built. Watches nothing, unless watch_hottest(0) left the choice to the caller of
// watch_latches().
void reset_hot_latches();

namespace detail {
extern bool notes_latch_costs;
void note_latch_cost(uint32_t latch, uint64_t cost_ns);
void note_latch_wait(uint32_t latch);
}  // namespace detail

// The calling thread has waited for the latch, or stalled on its cache line, for this long.
inline void note_latch_cost(uint32_t latch, uint64_t cost_ns) {
  if (detail::notes_latch_costs && cost_ns != 0) detail::note_latch_cost(latch, cost_ns);
}
// The calling thread has waited for the latch. Its cost is noted already.
inline void note_latch_wait(uint32_t latch) {
  if (detail::notes_latch_costs) detail::note_latch_wait(latch);
}

}  // namespace latchscope::telemetry
