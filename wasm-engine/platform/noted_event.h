// One event of the modelled server, as reported to a comparison of two runs (note_events). With
// real threads nothing is reported.
#pragma once

#include <cstdint>

#include "platform/line_access.h"

namespace latchscope::platform {

struct NotedEvent {
  enum class Kind : uint8_t {
    goes_on,  // work, a system call or an access to an unwatched line ends
    access,   // an access to a word of `line` takes effect
    store,    // a buffered store takes effect after its thread has continued
    wakes,    // a sleeper is woken
    timer,    // a sleep or a timeout ends
    polls,    // a step of a thread that spins on `line`
  };

  uint64_t number;  // of the event since the server was built, from 1
  uint64_t hash;    // over this event and all before it
  uint64_t at_ps;
  Kind kind;
  bool is_of_server;  // false: of a thread beside the server, such as the coordinator
  LatchLine line;     // line.latch == 0: no latch's line
  uint16_t core;
  const void* thread;  // thread_local_slot() of the thread; null: not known
};

// Receives events. The machine calls these between two events; they must not touch shared words.
struct EventWatcher {
  void (*happened)(const NotedEvent& event) = nullptr;
  // Reports the details of the access that the latest event completed.
  void (*accessed)(const LineAccess& access) = nullptr;
};

}  // namespace latchscope::platform
