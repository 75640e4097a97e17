// Records the events of the virtual server, in order, over a short part of a run. Comparing two
// runs this way finds the first event in which they differ. Recording is off unless requested, and
// does not change the run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "platform/platform.h"
#include "telemetry/layout.h"

namespace latchscope::telemetry {

// If more events than this are requested, only their hashes and times are stored.
inline constexpr uint64_t kNotesInFullMax = 1u << 16;

struct EventNote {
  platform::NotedEvent event;    // `event.thread` is null; see `slot`
  uint32_t slot = kThreadSlots;  // index into `threads`; kThreadSlots: no known thread
  ThreadState state = ThreadState::absent;
  std::vector<uint32_t> stack;  // functions, outermost first
  // The access that the event made to a word of a latch, if known.
  bool has_access = false;
  platform::LineAccess::Kind access{};
  uint8_t word = 0;
};

// From the next run on, records the `count` events of each run that follow event number `after`; 0
// turns recording off. `on_first` is called with the clock's time (ps) once the first of them has
// happened, but never if `after` is 0.
void note_events(uint64_t after, uint64_t count, std::function<void(uint64_t at_ps)> on_first);
// Returns the events of the last run, in order.
const std::vector<EventNote>& event_notes();
// Returns the latch's name as learned from the threads at the recorded events; "" if unknown.
std::string name_of_noted_latch(uint32_t latch);

}  // namespace latchscope::telemetry
