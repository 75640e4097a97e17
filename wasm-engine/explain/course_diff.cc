#include "explain/course_diff.h"

#include <algorithm>

#include "telemetry/event_notes.h"

namespace latchscope::explain {

namespace {

constexpr uint64_t kNotedAround = 1u << 12;

uint64_t length_of(const run::Json& trail) {
  return trail["events"].get<uint64_t>();
}

uint64_t step_of(const run::Json& trail) {
  return trail["every"].get<uint64_t>();
}

// Returns the hash of the first `events` events.
//
// REQUIRES: `events` is a multiple of the trail's step.
const run::Json& hash_after(const run::Json& trail, uint64_t events) {
  return trail["hashes"][static_cast<size_t>(events / step_of(trail) - 1)];
}

bool is_same_to_the_last_event(const run::Json& trail, const run::Json& other_trail) {
  return length_of(trail) == length_of(other_trail) && trail["hashes"].back() == other_trail["hashes"].back();
}

bool is_trail(const run::Json& json) {
  return run::has(json, "events", &run::Json::is_number_unsigned) &&
         run::has(json, "every", &run::Json::is_number_unsigned) &&
         run::has(json, "hashes", &run::Json::is_array) && step_of(json) > 0 &&
         json["hashes"].size() == length_of(json) / step_of(json) + 1;
}

bool is_server_event(const run::Json& json) {
  return json.is_array() && json.size() == 2 && json[0].is_number_unsigned();
}

}  // namespace

std::optional<EventWindow> read_window(const run::Json& json) {
  if (!run::has(json, "after", &run::Json::is_number_unsigned) ||
      !run::has(json, "count", &run::Json::is_number_unsigned))
    return std::nullopt;
  return EventWindow{json["after"], json["count"]};
}

bool is_course(const run::Json& json) {
  if (!json.contains("trail") || !is_trail(json["trail"])) return false;
  if (!run::has(json, "hashes", &run::Json::is_array) ||
      !run::has(json, "server_events", &run::Json::is_array))
    return false;
  const run::Json& events = json["server_events"];
  return std::all_of(events.begin(), events.end(), is_server_event);
}

EventWindow window_of_difference(const run::Json& trail, const run::Json& other_trail) {
  if (is_same_to_the_last_event(trail, other_trail)) return {};
  // Steps are powers of two.
  const uint64_t step = std::max(step_of(trail), step_of(other_trail));
  const uint64_t both = std::min(length_of(trail), length_of(other_trail)) / step;
  uint64_t same = 0;
  while (same < both && hash_after(trail, (same + 1) * step) == hash_after(other_trail, (same + 1) * step))
    ++same;
  return {(same - std::min<uint64_t>(same, 1)) * step, 3 * step};
}

uint64_t first_different_event(const EventWindow& window, const run::Json& hashes,
                               const run::Json& other_hashes) {
  const size_t most = std::max(hashes.size(), other_hashes.size());
  for (size_t i = 0; i < most; ++i) {
    const bool is_in_both = i < hashes.size() && i < other_hashes.size();
    if (!is_in_both || hashes[i] != other_hashes[i]) return window.after + 1 + i;
  }
  return 0;
}

std::optional<EventWindow> longer(const EventWindow& window) {
  constexpr uint64_t kTimes = 4;
  if (window.count == 0 || window.count * kTimes > telemetry::kNotesInFullMax) return std::nullopt;
  return EventWindow{window.after, window.count * kTimes};
}

EventWindow window_around(uint64_t first_different) {
  const uint64_t before = first_different - 1;
  return {before - std::min(before, kNotedAround), 3 * kNotedAround};
}

Parting find_parting(const EventWindow& noted, const run::Json& run, const run::Json& other_run) {
  Parting parting;
  if (noted.count == 0) {
    parting.next = window_of_difference(run["trail"], other_run["trail"]);
    return parting;
  }
  parting.first_different = first_different_event(noted, run["hashes"], other_run["hashes"]);
  parting.on_server = first_different_on_server(run["server_events"], other_run["server_events"]);
  parting.noted_until = noted.after + noted.count;
  if (noted.count > telemetry::kNotesInFullMax)
    parting.next = window_around(parting.first_different);
  else if (!parting.on_server)
    parting.next = longer(noted).value_or(EventWindow{});
  return parting;
}

std::optional<EventPair> first_different_on_server(const run::Json& events, const run::Json& other_events) {
  const size_t both = std::min(events.size(), other_events.size());
  for (size_t i = 0; i < both; ++i) {
    if (events[i][1] != other_events[i][1])
      return EventPair{events[i][0].get<uint64_t>(), other_events[i][0].get<uint64_t>()};
  }
  return std::nullopt;
}

}  // namespace latchscope::explain
