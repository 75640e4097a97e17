// The branch of a run on the modelled server, in a form that can be compared with another one. It
// has the run's event trail, details of single events, and the counts from a moment to the end of
// the run.
#pragma once

#include <cstdint>

#include "run/engine.h"

namespace latchscope::explain {

// Notes the events after number `after`, and reads the counts at the first of them. Applies from
// the next run on.
void note_course(uint64_t after, uint64_t count);

// Returns {"events", "every", "hashes": of the first `every` events, of twice as many, ...}, with
// hashes as 16 hexadecimal digits. The last hash covers all events.
run::Json event_trail_json();
// Returns all of the following: {"trail", "hashes", "server_events", "figures"}.
//
// REQUIRES: the run is over.
run::Json course_json(const run::Engine& engine);
// Returns the hashes of the noted events, in order.
run::Json noted_hashes_json();
// Returns [[number, hash], ...] of the noted events of the server's own threads. Each hash covers
// that event and all before it.
run::Json noted_server_events_json();
// Returns which thread did what to which latch at this event; null if the event was not noted.
run::Json noted_event_json(const run::Engine& engine, uint64_t number);
// Returns rates, latencies and latches from the first noted event to the end of the run. If that
// event is before the run, they cover the whole run.
run::Json course_figures_json(const run::Engine& engine);

}  // namespace latchscope::explain
