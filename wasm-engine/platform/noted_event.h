// One event of the modelled server, as it is told to whoever compares two runs (note_events). Real threads tell none.
#pragma once

#include <cstdint>

#include "platform/line_access.h"

namespace latchscope::platform {

struct NotedEvent {
  enum class Kind : uint8_t {
    goes_on,  // a piece of work, a system call or an access ends
    access,   // an access to a word of `line` takes effect
    store,    // a store that had left its thread takes effect
    wakes,    // a sleeper was woken
    timer,    // a sleeper's time is over
    polls,    // a step of a thread that spins on `line`
  };

  uint64_t number;  // since the server was built, from 1
  uint64_t hash;    // over it and all before
  uint64_t at_ps;
  Kind kind;
  bool is_of_server;  // else of a thread beside it, as the coordinator is
  LatchLine line;     // of a latch; 0: of none
  uint16_t core;
  const void* thread;  // thread_local_slot() of the thread; null: unknown by now
};

// Called between two events; must not touch shared words.
struct EventWatcher {
  void (*happened)(const NotedEvent& event) = nullptr;
  // More of the access that the last event was.
  void (*accessed)(const LineAccess& access) = nullptr;
};

}  // namespace latchscope::platform
