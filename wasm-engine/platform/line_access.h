// An access to the cache line of a watched latch, as the modelled server tells it (watch_lines). Real threads tell none.
#pragma once

#include <cstdint>

#include "platform/core_onlooker.h"

namespace latchscope::platform {

// Whose words lie on a line.
struct LatchLine {
  uint32_t latch = 0;       // its number; 0: of no latch
  uint8_t latch_class = 0;  // what the words are; means nothing to the platform
  uint16_t line = 0;        // which of the latch's lines; means nothing to the platform
};

struct LineAccess {
  enum class Kind : uint8_t { load, poll, store, read_modify_write, failed_compare_exchange };

  uint64_t at_ps;    // when it takes effect
  uint64_t took_ps;  // since it was issued
  LatchLine line;
  uint8_t word;  // which of the line's words, in the order of their declaration, from 0
  Kind kind;
  uint16_t core;
  uint16_t from_core;  // the core that had the line alone, changed, when it was issued; kNoCore: none
  uint32_t value;      // the low 32 bits of the word, after it
  const void* thread;  // thread_local_slot() of the thread
};

// Whom a watched line's accesses are told. Called between two events; must not touch shared words.
using LineWatcher = void (*)(const LineAccess& access);

}  // namespace latchscope::platform
