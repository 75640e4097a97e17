// Chooses the watched latches of the virtual server (latch_trace.h): the most expensive ones. The
// cost of a latch is LatchSiteTotals::cost_ns, summed per latch instead of per site.
//
// The choice depends only on the run, so every run of a spec watches the same latches on any host:
//   - While places are free, a latch takes one as soon as a thread has waited for it.
//   - At fixed run times the latches with the highest cost since the previous choice replace the
//     others: after 1/64, 1/32, 1/16 and 1/8 of an interval, then after every quarter of one. If
//     all of them are watched already, nothing changes.
// A choice takes effect at the first cost recorded after its time. It takes no virtual time and
// adds no event.
#pragma once

#include <cstdint>

namespace latchscope::telemetry {

// From the next run on, watches this many latches, at most kWatchedLatchesMax. The default, 0,
// watches none.
void watch_hottest(uint32_t latches);

// Called when the clients of a run start. Latches of the run have numbers above
// `last_latch_before`.
void begin_hot_latches(uint32_t last_latch_before, uint64_t interval_ns);
// Called when the run time is over. The watched latches stay watched.
void end_hot_latches();
// Called before a run is built. Stops watching all latches, unless watch_hottest(0) left the choice
// to the caller of watch_latches().
void reset_hot_latches();

namespace detail {
extern bool notes_latch_costs;
void note_latch_cost(uint32_t latch, uint64_t cost_ns);
void note_latch_wait(uint32_t latch);
}  // namespace detail

// Adds the time for which the calling thread waited for the latch or stalled on its cache line.
inline void note_latch_cost(uint32_t latch, uint64_t cost_ns) {
  if (detail::notes_latch_costs && cost_ns != 0) detail::note_latch_cost(latch, cost_ns);
}
// Reports that the calling thread waited for the latch. note_latch_cost() has already added the
// cost.
inline void note_latch_wait(uint32_t latch) {
  if (detail::notes_latch_costs) detail::note_latch_wait(latch);
}

}  // namespace latchscope::telemetry
