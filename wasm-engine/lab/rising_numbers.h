// Numbers of a latch that mean nothing by themselves, but only compared with each other: the tickets of a ticket lock. They rise for
// ever, so no state would ever come back. But if all of them are larger by the same amount, the latch does the same, and states that
// differ in nothing else are one.
//
// Which they are is read off the code of enter and exit. A set of words, and of registers at each place, may be shifted together if
//   they are only copied, added to by what is not of the set, subtracted, compared by == and != (futex_wait is one) with each other;
//   and the bits below a power of two are taken or changed only if the shift is a multiple of it.
// Whatever else is done with a number, or that a constant is written to it, puts it out of all sets. Numbers have 32 bits and wrap around:
// nothing of this changes then.
//
// An event's count, which a thread reads before it sleeps, can fall behind as far as one likes while the thread stands still. If the word is
// only added to, and what was read of it is only what futex_wait expects, then all that matters is whether the word has risen
// since. That it has risen by 2^32 meanwhile is not reckoned with.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/program.h"

namespace latchscope::lab {

struct RisingNumbers {
  uint32_t words = 0;               // a bit for each
  std::vector<uint64_t> registers;  // at each place of the code: a bit for each
  std::vector<uint64_t> expected;   // of these: those that matter only for whether the word has risen since
  uint32_t measured_by = 0;         // one of the words
  uint32_t multiple_of = 1;         // a power of two: what they may be shifted by

  bool has_word(uint32_t word) const { return (words >> word & 1) != 0; }
};

// Sets that can be shifted one without the other. `live` is of live_registers().
std::vector<RisingNumbers> find_rising_numbers(const Program& program, const std::vector<uint64_t>& live);

}  // namespace latchscope::lab
