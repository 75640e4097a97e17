// An access to the cache line of a watched latch, as the modelled server reports it (watch_lines).
// With real threads nothing is reported.
#pragma once

#include <cstdint>

#include "platform/core_onlooker.h"

namespace latchscope::platform {

// Identifies the latch whose words are on a line.
struct LatchLine {
  uint32_t latch = 0;       // the latch's number; 0: the line belongs to no latch
  uint8_t latch_class = 0;  // says what the words mean; the platform does not use it
  uint16_t line = 0;        // index among the latch's lines; the platform does not use it
};

struct LineAccess {
  enum class Kind : uint8_t { load, poll, store, read_modify_write, failed_compare_exchange };

  uint64_t at_ps;    // when it takes effect
  uint64_t took_ps;  // time from issue to effect
  LatchLine line;
  uint8_t word;  // index of the word on its line, in declaration order, from 0
  Kind kind;
  uint16_t core;
  uint16_t from_core;  // core that owned the line, modified, at issue; kNoCore: none
  uint32_t value;      // low 32 bits of the word after the access
  const void* thread;  // thread_local_slot() of the thread
};

// Receives the accesses to watched lines. The machine calls it between two events; it must not
// touch shared words.
using LineWatcher = void (*)(const LineAccess& access);

}  // namespace latchscope::platform
