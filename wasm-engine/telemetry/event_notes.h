// What the events of the modelled server are, one after the other, over a short part of a run: to see in what two runs differ
// first. Only while somebody asks for it; a run takes the same course either way.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "platform/platform.h"
#include "telemetry/layout.h"

namespace latchscope::telemetry {

// Of more events only their hashes and times are kept.
inline constexpr uint64_t kNotesInFullMax = 1u << 16;

struct EventNote {
  platform::NotedEvent event;    // but for its thread
  uint32_t slot = kThreadSlots;  // index into `threads`; kThreadSlots: no thread that telemetry knows by then
  ThreadState state = ThreadState::absent;
  std::vector<uint32_t> stack;  // functions, outermost first
  // Of an access to a word of a latch, if it is known.
  bool has_access = false;
  platform::LineAccess::Kind access{};
  uint8_t word = 0;
};

// From the next run on, each run's events after number `after` are noted; none if `count` is 0. `on_first` is called with the
// clock's time (ps) when the first of them has taken place, or, if `after` is 0, not at all.
void note_events(uint64_t after, uint64_t count, std::function<void(uint64_t at_ps)> on_first);
// Of the last run, in their order.
const std::vector<EventNote>& event_notes();
// Of the latch of this number, as far as the threads at the noted events have told; "": not known.
std::string name_of_noted_latch(uint32_t latch);

}  // namespace latchscope::telemetry
