// Finds the point where two runs diverge.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/json.h"

namespace latchscope::explain {

// A range of events that contains the first difference. Events before it, after number `after`, are
// noted too, so that latches are known by name.
struct EventWindow {
  uint64_t after = 0;
  uint64_t count = 0;  // 0: no event differs
};

// Event numbers, one of each run.
using EventPair = std::array<uint64_t, 2>;

// The known facts about where two runs diverge.
struct Parting {
  // The events to note in both runs to learn more; empty: there is no more to learn.
  EventWindow next;
  uint64_t first_different = 0;  // 0: none
  std::optional<EventPair> on_server;
  uint64_t noted_until = 0;  // an event number
};

// Compares two branches (course_json), whose events in `noted` were noted. Start with no window,
// then repeat with the returned one.
Parting find_parting(const EventWindow& noted, const run::Json& run, const run::Json& other_run);

// Check the form of JSON from outside.
std::optional<EventWindow> read_window(const run::Json& json);  // {"after", "count"}
bool is_course(const run::Json& json);                          // the form of course_json

// Both have the form of event_trail_json.
EventWindow window_of_difference(const run::Json& trail, const run::Json& other_trail);
// Returns the number of the first event whose noted hashes differ; 0 if there is none.
uint64_t first_different_event(const EventWindow& window, const run::Json& hashes,
                               const run::Json& other_hashes);

// Returns a window with the same beginning and more events.
std::optional<EventWindow> longer(const EventWindow& window);
// Returns a window around the first difference, small enough to note each event in full.
EventWindow window_around(uint64_t first_different);
// Returns the first events at which a thread of the server differs in its action or its time. This
// is later than the first difference if that belongs to the coordinator. The input is from
// noted_server_events_json. Returns nothing if none differs as far as both were noted.
std::optional<EventPair> first_different_on_server(const run::Json& events, const run::Json& other_events);

}  // namespace latchscope::explain
