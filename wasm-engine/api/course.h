// The course that a run on the modelled server takes, so that it can be compared with another one: the trail of its events,
// what single events are, and what was counted from a moment to the end of the run.
#pragma once

#include <cstdint>

#include "api/json.h"

namespace latchscope::api {

class Engine;

// From the next run on: notes the events after number `after`, and reads what is counted at the first of them.
void note_course(uint64_t after, uint64_t count);

// {"events", "every", "hashes": of the first `every` events, of twice as many, ...}, hashes as 16 hexadecimal digits. The last
// one is of all events.
Json event_trail_json();
// All of the following, of a run that is over: {"trail", "hashes", "server_events", "figures"}.
Json course_json(const Engine& engine);
// The hashes of the noted events, in their order.
Json noted_hashes_json();
// [[number, hash], ...] of those noted events that are the server's own threads': what each was, and all before it.
Json noted_server_events_json();
// Who did what to which latch at the event of this number; null if it was not noted.
Json noted_event_json(const Engine& engine, uint64_t number);
// Rates, latencies and latches from the first noted event to the end of the run; of the whole run if that lies before it.
Json course_figures_json(const Engine& engine);

}  // namespace latchscope::api
