// Where the trails of two runs part.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/json.h"

namespace latchscope::api {

// Events among which is the first that differs; those before, after number `after`, are noted to know latches by name.
struct EventWindow {
  uint64_t after = 0;
  uint64_t count = 0;  // 0: no event differs
};

// Numbers of events, one of each run.
using EventPair = std::array<uint64_t, 2>;

// What is known of where two runs part.
struct Parting {
  EventWindow next;              // to note in both, to know more; of no events: there is no more to know
  uint64_t first_different = 0;  // 0: none
  std::optional<EventPair> on_server;
  uint64_t noted_until = 0;  // number of an event
};

// From what both tell (course_json), with the events of this window noted: of none first, then of what this gives.
Parting find_parting(const EventWindow& noted, const Json& run, const Json& other_run);

// Whether a text that came from outside can be read as these.
std::optional<EventWindow> read_window(const Json& json);  // {"after", "count"}
bool is_course(const Json& json);                          // as course_json has it

// Both as event_trail_json has them.
EventWindow window_of_difference(const Json& trail, const Json& other_trail);
// The number of the first event that differs, from the hashes of the noted ones; 0 if none does.
uint64_t first_different_event(const EventWindow& window, const Json& hashes, const Json& other_hashes);

// The same beginning, and more events after it.
std::optional<EventWindow> longer(const EventWindow& window);
// Around the first event that differs, if it lies in a larger window: few enough to note all of each.
EventWindow window_around(uint64_t first_different);
// The first event at which a thread of the server does something else, or at another time: later than the first event that
// differs if the coordinator has that. From noted_server_events_json; nothing if none does as far as both were noted.
std::optional<EventPair> first_different_on_server(const Json& events, const Json& other_events);

}  // namespace latchscope::api
